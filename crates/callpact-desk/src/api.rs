//! The requests of the page: `/api/` and a name. Every request here has a session.

use std::{
    collections::HashMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use callpact::{Cancellation, Dialect, ReviewDecision, ToolCall};
use http::{HeaderValue, Response, StatusCode, header::CONTENT_TYPE};
use hyper::body::Bytes;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use tokio::sync::mpsc;

use crate::{
    Desk, DeskBody,
    answer::{Answer, fault, json},
    diff, replies,
    sessions::Browser,
    share::Share,
    tools, waiting,
};

/// The most calls that people try at the same time.
const TRIES: Share = Share { each: 64, all: 256 };
/// The shortest time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(50);
/// How often to check the store for calls of other processes, and how often a silent stream sends a sign
/// of life.
const TICK: Duration = Duration::from_secs(1);
const SILENT_TICKS: u32 = 15;

/// The calls that people try.
#[derive(Default)]
pub(crate) struct Tries(Mutex<HashMap<u64, Tried>>);

/// A trial call, and the handle that stops it.
struct Tried {
    owner: Option<String>,
    stop: Cancellation,
}

impl Tries {
    fn open(&self) -> MutexGuard<'_, HashMap<u64, Tried>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a trial when it ends, however it ends.
struct Trying<'a> {
    tries: &'a Tries,
    number: u64,
}

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        self.tries.open().remove(&self.number);
    }
}

/// Reads the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Answer> {
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
    browser: Browser,
) -> Result<Answer, Answer> {
    match name {
        "me" => Ok(json(&json!({ "name": browser.name() }))),
        "tools" => Ok(json(&tools::list(&desk.tools_for(&browser)))),
        "waiting" => waiting::list(desk, &browser).await.map(|list| json(&list)),
        "calls" => Ok(json(&desk.0.state.trace.list())),
        "events" => open_events(desk, last, browser),
        _ => Err(no_such("GET", name)),
    }
}

pub(crate) async fn post(
    desk: &Desk,
    name: &str,
    body: &[u8],
    browser: Browser,
) -> Result<Answer, Answer> {
    let tools = desk.tools_for(&browser);
    match name {
        "invite" => {
            let token = desk.0.state.sessions.invite(browser.person);
            let token = token
                .map_err(|error| fault(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()))?;
            Ok(json(&json!({ "token": token })))
        }
        "tool" => {
            let Named { tool } = read(body)?;
            let described = tools::describe(&tools, &tool).ok_or_else(no_tool)?;
            Ok(json(&described))
        }
        "schema" => {
            let Written { tool, dialect } = read(body)?;
            let dialect = dialect.parse::<Dialect>();
            let dialect =
                dialect.map_err(|error| fault(StatusCode::BAD_REQUEST, &error.to_string()))?;
            let written = tools::write(&tools, &tool, dialect).ok_or_else(no_tool)?;
            Ok(json(&written))
        }
        "check" => {
            let Checked { tool, arguments } = read(body)?;
            let call = ToolCall::new("check", tool, arguments);
            let reply = tools.check(&call, &desk.0.context);
            Ok(json(&replies::describe(&reply)))
        }
        "diff" => {
            let Compared { before, after } = read(body)?;
            Ok(json(&diff::lines(&before, &after)))
        }
        "call" => run_try(desk, read(body)?, &browser).await,
        "stop" => {
            let Stopped { number } = read(body)?;
            let tries = desk.0.state.tries.open();
            let own = |call: &&Tried| call.owner.as_deref() == browser.owner();
            let call = tries.get(&number).filter(own);
            let gone = || fault(StatusCode::NOT_FOUND, "this call has ended");
            call.ok_or_else(gone)?.stop.cancel();
            Ok(json(&json!({})))
        }
        "decide" => {
            let Deciding {
                id,
                digest,
                edited,
                decision,
            } = read(body)?;
            let seen = (&*digest, edited.as_deref());
            waiting::decide(desk, &id, seen, decision, &browser).await
        }
        "edit" => {
            let Edited { id, text } = read(body)?;
            waiting::preview_edit(desk, &id, &text, &browser).await
        }
        "resume" => {
            let Resuming { id } = read(body)?;
            waiting::resume(desk, &id, &browser).await
        }
        "trace" => {
            let Stopped { number } = read(body)?;
            let call = desk.0.state.trace.describe(number);
            let forgotten = || {
                fault(
                    StatusCode::NOT_FOUND,
                    "the desk does not have this call any more",
                )
            };
            Ok(json(&call.ok_or_else(forgotten)?))
        }
        _ => Err(no_such("POST", name)),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    tool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    tool: String,
    dialect: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Checked {
    tool: String,
    arguments: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compared {
    before: String,
    after: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    /// The page chooses it, to stop the call and to follow its progress.
    number: u64,
    tool: String,
    arguments: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stopped {
    number: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resuming {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deciding {
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
struct Edited {
    id: String,
    text: String,
}

fn no_such(method: &str, name: &str) -> Answer {
    let name: String = name.chars().take(64).collect();
    fault(
        StatusCode::NOT_FOUND,
        &format!("there is no `{method} {name}` here"),
    )
}

fn no_tool() -> Answer {
    fault(StatusCode::NOT_FOUND, "there is no such tool")
}

/// Makes a call for a person. It ends with the request: when the page closes, the call is cancelled.
async fn run_try(desk: &Desk, trial: Trial, browser: &Browser) -> Result<Answer, Answer> {
    let state = &desk.0.state;
    let stop = Cancellation::new();
    {
        let mut tries = state.tries.open();
        let owners = tries.values().map(|call| call.owner.as_deref());
        if !TRIES.has_room(owners, browser.owner()) || tries.contains_key(&trial.number) {
            let text = "too many calls run at the same time, or this one runs already";
            return Err(fault(StatusCode::TOO_MANY_REQUESTS, text));
        }
        let call = Tried {
            owner: browser.owner().map(str::to_owned),
            stop: stop.clone(),
        };
        tries.insert(trial.number, call);
    }
    let _trying = Trying {
        tries: &state.tries,
        number: trial.number,
    };
    let (events, started) = (state.events.clone(), Instant::now());
    let told = AtomicU64::new(0);
    let number = trial.number;
    let mut cx = desk
        .0
        .context
        .clone()
        .with_observer(state.trace.observer("try"))
        .with_cancellation(stop.clone())
        .with_progress(move |done, total, message| {
            let now = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            let is_last = total.is_some_and(|total| done >= total);
            let interval = u64::try_from(PROGRESS.as_millis()).unwrap_or(u64::MAX);
            // Counted from one, so that the first report is never too early.
            let free = told.load(Ordering::Relaxed);
            if free > now && !is_last {
                return;
            }
            told.store(now.saturating_add(interval), Ordering::Relaxed);
            let data = json!({"number": number, "done": done, "total": total, "message": message});
            events.send("progress", &data);
        });
    if cx.reviewer().is_none() {
        let reviewer = desk.reviewer();
        cx = cx.with_reviewer(match &browser.person {
            Some(person) => reviewer.asked_by(&person.identity.name),
            None => reviewer,
        });
    }
    if let Some(person) = &browser.person {
        cx = match &desk.0.scopes {
            Some(rules) => rules.apply(Some(&person.identity), cx),
            None => cx.with_caller(&person.identity.name),
        };
    }
    let call = ToolCall::new(format!("try-{number}"), trial.tool, trial.arguments);
    let tools = desk.tools();
    let mut running = std::pin::pin!(tools.call(&call, &cx));
    let outer = async {
        match desk.0.context.cancellation() {
            Some(outer) => outer.cancelled().await,
            None => std::future::pending().await,
        }
    };
    let ended = tokio::select! {
        ended = &mut running => ended,
        () = outer => {
            stop.cancel();
            running.await
        }
    };
    Ok(json(&match ended {
        Ok(reply) => replies::describe(&reply),
        Err(halt) => replies::describe_halt(&halt),
    }))
}

/// Opens the stream of events.
fn open_events(desk: &Desk, last: Option<&str>, browser: Browser) -> Result<Answer, Answer> {
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
                    waiting::watch_store(&desk).await;
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
