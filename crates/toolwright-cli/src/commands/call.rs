//! `toolwright call`.

use std::{
    io::{ErrorKind, Read},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};
use toolwright::{Halt, Outcome, ToolCall, ToolReply};

use crate::{Approve, Code, Failure, Screen, Session, interrupted, tools::switched_on};

/// The longest arguments that are read from standard input.
const MAX_BYTES: u64 = 16 << 20;

/// Arguments of `call`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  toolwright call calculator '{\"input\": \"2 + 3 * 4\"}'
  toolwright call file_write --root ./out --yes - < arguments.json

What writes is asked about at the terminal; elsewhere it halts (4) unless --yes.
Exit codes: 2 the arguments do not fit, 3 the tool failed, 4 halted.")]
pub struct CallArgs {
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub call: Called,
    #[command(flatten)]
    #[allow(missing_docs)] // its doc comment would be a heading of the help
    pub approve: Approve,
}

/// Which tool, and with what.
#[derive(Debug, Args)]
pub struct Called {
    /// The tool
    pub tool: String,
    /// Its arguments as JSON, or - for standard input; none when left out
    // No text, since a tool that takes text would take `{}` for its input.
    #[arg(default_value = "", hide_default_value = true, value_name = "JSON")]
    pub arguments: String,
    /// The directory that file tools work in
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// Makes a call.
///
/// # Errors
/// When the tools cannot be set up, the input cannot be read, or the call is halted.
pub async fn run(args: &CallArgs, session: &Session) -> Result<Code, Failure> {
    let tools = session.tools(&session.root(args.call.root.as_deref()))?;
    switched_on(&tools, &args.call.tool)?;
    let call = ToolCall::new("call-1", &args.call.tool, arguments(&args.call.arguments)?);
    let cx = session.context(args.approve.yes);
    // Not before the arguments are there: a wait for standard input ends as any program does.
    let interrupted = interrupted();
    let reply = tokio::select! {
        reply = tools.call(&call, &cx) => reply?,
        () = interrupted => return Err(Halt::Cancelled.into()),
    };
    Ok(show(&reply, &session.screen))
}

/// The text itself, or standard input for `-`.
pub(super) fn arguments(text: &str) -> Result<String, Failure> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut input = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_BYTES + 1)
        .read_to_string(&mut input)
        .map_err(|error| match error.kind() {
            ErrorKind::InvalidData => Failure::invalid("standard input: not UTF-8 text"),
            _ => Failure::failed(format!("standard input: {error}")),
        })?;
    if u64::try_from(input.len()).is_ok_and(|length| length > MAX_BYTES) {
        return Err(Failure::invalid(
            "standard input: more than 16 MiB of arguments",
        ));
    }
    Ok(input)
}

/// Prints a reply: its output, or the error that a model would get.
pub(super) fn show(reply: &ToolReply, screen: &Screen) -> Code {
    let code = match reply.outcome {
        Outcome::Success => Code::Done,
        Outcome::InvalidArguments | Outcome::UnknownTool => Code::Invalid,
        _ => Code::Tool,
    };
    if screen.json() {
        screen.print_json(&data(reply));
    } else if reply.is_success() {
        let beside = reply.result.content();
        if beside.is_empty() || !reply.result.output().is_empty() {
            screen.print(reply.result.output());
        }
        for block in beside {
            screen.print(&block.to_text());
        }
    } else {
        let message = reply.result.error().unwrap_or_default().to_owned();
        screen.failure(&Failure { code, message });
    }
    code
}

/// A reply as data.
pub(crate) fn data(reply: &ToolReply) -> Value {
    let mut data = json!({
        "call_id": reply.call_id,
        "tool": reply.tool,
        "outcome": reply.outcome,
        "success": reply.is_success(),
        "reply": reply.to_model(),
        "duration_ms": u64::try_from(reply.duration.as_millis()).unwrap_or(u64::MAX),
    });
    if let Some(fields) = data.as_object_mut() {
        if let Some(structured) = reply.result.structured() {
            fields.insert("structured".to_owned(), structured.clone());
        }
        if !reply.result.content().is_empty() {
            fields.insert("content".to_owned(), json!(reply.result.content()));
        }
        if let Some(report) = reply.result.report() {
            fields.insert("report".to_owned(), report.to_json());
        }
        if !reply.fixes.is_empty() {
            let fixes: Vec<String> = reply.fixes.iter().map(ToString::to_string).collect();
            fields.insert("fixes".to_owned(), fixes.into());
        }
    }
    data
}
