//! The requests of the page: `/api/` and a name. Every request here has a session.

use std::time::Duration;

use callpact::{Dialect, ReviewDecision, ToolCall, review::FileChange};
use http::{HeaderValue, Response, StatusCode, header::CONTENT_TYPE};
use hyper::body::Bytes;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use tokio::sync::mpsc;

use crate::{
    Desk, DeskBody,
    answer::{DeskAnswer, fault, json},
    card, decide, inbox, replies, servers,
    sessions::EnteredBrowser,
    tools,
    trace::WantedCalls,
    tries,
};

/// How often to check the store for calls of other processes, and how often a silent stream sends a sign
/// of life.
const TICK: Duration = Duration::from_secs(1);
const SILENT_TICKS: u32 = 15;

/// Reads the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, DeskAnswer> {
    // serde would also take a list of the fields' values.
    if body.trim_ascii_start().first() != Some(&b'{') {
        let text = "the body must be an object of JSON";
        return Err(fault(StatusCode::BAD_REQUEST, text));
    }
    serde_json::from_slice(body)
        .map_err(|error| fault(StatusCode::BAD_REQUEST, &format!("the body: {error}")))
}

pub(crate) async fn get(
    desk: &Desk,
    name: &str,
    last: Option<&str>,
    browser: EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    match name {
        "me" => Ok(json(&json!({
            "name": browser.name(), "program": &*desk.0.state.program.get(),
            "workspace": desk.0.context.workspace(),
        }))),
        "tools" => {
            // A large list is work, and many at once would make small answers late.
            let _turn = desk.0.state.lists.acquire().await;
            Ok(json(&tools::list(&desk.tools_for(&browser))))
        }
        "events" => open_events(desk, last, browser),
        _ => Err(no_such("GET", name)),
    }
}

pub(crate) async fn post(
    desk: &Desk,
    name: &str,
    body: &[u8],
    browser: EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let tools = desk.tools_for(&browser);
    match name {
        "invite" => {
            let token = desk.0.state.sessions.invite(browser.person);
            let token = token
                .map_err(|error| fault(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))?;
            Ok(json(&json!({ "token": token })))
        }
        "tool" => {
            let NamedTool { tool } = read(body)?;
            let described = tools::describe(&tools, &tool).ok_or_else(no_tool)?;
            Ok(json(&described))
        }
        "schema" => {
            let WrittenArguments { tool, dialect } = read(body)?;
            let dialect = dialect.parse::<Dialect>();
            let dialect =
                dialect.map_err(|error| fault(StatusCode::BAD_REQUEST, &error.to_string()))?;
            let written = tools::write(&tools, &tool, dialect).ok_or_else(no_tool)?;
            Ok(json(&written))
        }
        "check" => {
            let CheckedArguments {
                tool,
                arguments,
                edit,
            } = read(body)?;
            let reply = {
                let call = ToolCall::new("check", tool, &*arguments);
                tools.check(&call, &desk.0.context)
            };
            Ok(json(&if edit {
                replies::describe_check(&reply, &arguments)
            } else {
                replies::describe(&reply)
            }))
        }
        "diff" => {
            let ComparedEdit { before, after } = read(body)?;
            Ok(json(&FileChange::between("Your edit", &before, &after)))
        }
        "call" => tries::start(desk, read(body)?, &browser).await,
        "confirm" => tries::confirm(desk, &read(body)?, &browser),
        "result" => {
            let StoppedRun { number } = read(body)?;
            desk.0.state.tries.result(number, &browser)
        }
        "stop" => {
            let StoppedRun { number } = read(body)?;
            desk.0.state.tries.stop(number, &browser)
        }
        "inbox" => Ok(json(&inbox::page(desk, read(body)?).await)),
        "waiting" => {
            let ResumeRequest { id } = read(body)?;
            card::find(desk, &id, &browser).await
        }
        "decide" => {
            let DecisionRequest {
                id,
                digest,
                edited,
                decision,
            } = read(body)?;
            let seen = (&*digest, edited.as_deref());
            decide::decide(desk, &id, seen, decision, &browser).await
        }
        "edit" => {
            let EditRequest { id, text } = read(body)?;
            decide::preview_edit(desk, &id, &text, &browser).await
        }
        "resume" => {
            let ResumeRequest { id } = read(body)?;
            decide::resume(desk, &id, &browser).await
        }
        "calls" => {
            let wanted: WantedCalls = read(body)?;
            desk.0.state.trace.load().await;
            Ok(json(&desk.0.state.trace.page(&wanted)))
        }
        "trace" => {
            let StoppedRun { number } = read(body)?;
            let call = desk.0.state.trace.describe(number);
            let forgotten = || {
                fault(
                    StatusCode::NOT_FOUND,
                    "the desk does not have this call any more",
                )
            };
            Ok(json(&call.ok_or_else(forgotten)?))
        }
        _ => post_servers(desk, name, body, &browser).await,
    }
}

/// What the page asks about the servers of the program.
async fn post_servers(
    desk: &Desk,
    name: &str,
    body: &[u8],
    browser: &EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    match name {
        "servers" => Ok(json(&servers::list(desk, browser))),
        "connect" => servers::connect(desk, read(body)?, browser).await,
        "disconnect" => {
            let ServerRequest { name } = read(body)?;
            servers::disconnect(desk, &name, browser).await
        }
        "messages" => Ok(json(&desk.0.state.messages.list())),
        _ => Err(no_such("POST", name)),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedTool {
    tool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenArguments {
    tool: String,
    dialect: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckedArguments {
    tool: String,
    arguments: String,
    /// Whether a person edits arguments that were shown with masks.
    #[serde(default)]
    edit: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComparedEdit {
    before: String,
    after: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoppedRun {
    number: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResumeRequest {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionRequest {
    id: String,
    /// The digest of what the person saw.
    digest: String,
    /// The digest of the edited call that the person saw.
    #[serde(default)]
    edited: Option<String>,
    decision: ReviewDecision,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditRequest {
    id: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerRequest {
    name: String,
}

fn no_such(method: &str, name: &str) -> DeskAnswer {
    let name: String = name.chars().take(64).collect();
    fault(
        StatusCode::NOT_FOUND,
        &format!("there is no `{method} {name}` here"),
    )
}

fn no_tool() -> DeskAnswer {
    fault(StatusCode::NOT_FOUND, "there is no such tool")
}

/// Opens the stream of events.
fn open_events(
    desk: &Desk,
    last: Option<&str>,
    browser: EnteredBrowser,
) -> Result<DeskAnswer, DeskAnswer> {
    let Some(open) = desk.0.state.open_stream(&browser) else {
        let text = "too many pages are open";
        return Err(fault(StatusCode::SERVICE_UNAVAILABLE, text));
    };
    let (sender, stream) = mpsc::channel::<Bytes>(4);
    let (desk, events) = (desk.clone(), desk.0.state.events.clone());
    let (mut seen, hello) = events.resume(last);
    let mut changes = events.changes();
    tokio::spawn(async move {
        let _open = open;
        let first = hello.unwrap_or_else(|| ": back\n\n".to_owned());
        if sender.send(first.into()).await.is_err() {
            return;
        }
        let mut silent = 0;
        loop {
            let text = events.after(&mut seen);
            if !text.is_empty() {
                silent = 0;
                if sender.send(text.into()).await.is_err() {
                    return;
                }
                continue;
            }
            tokio::select! {
                news = changes.changed() => {
                    if news.is_err() {
                        return;
                    }
                }
                () = sender.closed() => return,
                () = tokio::time::sleep(TICK) => {
                    if !desk.0.admits(&browser).await {
                        return;
                    }
                    inbox::watch_store(&desk).await;
                    silent += 1;
                    if silent >= SILENT_TICKS {
                        silent = 0;
                        if sender.send(Bytes::from_static(b": alive\n\n")).await.is_err() {
                            return;
                        }
                    }
                }
            }
        }
    });
    let mut answer = Response::new(DeskBody::stream(stream));
    let kind = HeaderValue::from_static("text/event-stream");
    answer.headers_mut().insert(CONTENT_TYPE, kind);
    Ok(answer)
}
