//! Replies of tools: printed, and as JSON.

use callpact::ToolReply;
use serde_json::{Value, json};

use crate::{
    exit::{Code, Failure},
    screen::{Ink, Screen},
};

/// The exit code of a reply.
pub(crate) fn code_of(reply: &ToolReply) -> Code {
    if reply.runs_elsewhere {
        Code::Waiting
    } else {
        reply.outcome.into()
    }
}

/// Prints a reply: its output, or the error that a model would get.
pub(crate) fn print_reply(reply: &ToolReply, screen: &Screen) -> Code {
    let code = code_of(reply);
    if screen.json() {
        screen.print_json(&describe_reply(reply));
    } else if reply.is_success() {
        let beside = reply.result.content();
        if beside.is_empty() || !reply.result.output().is_empty() {
            screen.print_output(reply.result.output());
        }
        for block in beside {
            screen.print(&block.to_text());
        }
    } else {
        let message = reply.result.error().unwrap_or_default();
        screen.failure(&Failure::new(code, message));
    }
    // Standard output has only the result.
    if !screen.json()
        && let Some(notes) = reply.notes()
    {
        screen.say(Ink::Dim, "note", notes.trim_start_matches("Note: "));
    }
    code
}

/// A reply as JSON.
pub(crate) fn describe_reply(reply: &ToolReply) -> Value {
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
        if let Some(edited) = &reply.edited {
            fields.insert("edited".to_owned(), edited.as_str().into());
        }
        if reply.replayed {
            fields.insert("replayed".to_owned(), true.into());
        }
        if reply.runs_elsewhere {
            fields.insert("runs_elsewhere".to_owned(), true.into());
        }
        if !reply.fixes.is_empty() {
            let fixes: Vec<String> = reply.fixes.iter().map(ToString::to_string).collect();
            fields.insert("fixes".to_owned(), fixes.into());
        }
    }
    data
}
