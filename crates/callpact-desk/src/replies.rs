//! Replies as the page shows them.

use callpact::{Content, Halt, Issue, Report, ReviewDecision, ToolReply, input::Step};
use serde_json::{Value, json};

/// The pictures that the page shows. None of them can hold code.
const PICTURES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A reply: the text for the model, and the rest that a person wants to see.
pub(crate) fn describe(reply: &ToolReply) -> Value {
    let result = &reply.result;
    let fixes: Vec<_> = reply.fixes.iter().map(ToString::to_string).collect();
    let content: Vec<_> = result.content().iter().map(describe_content).collect();
    json!({
        "outcome": reply.outcome.name(),
        "ok": reply.is_success(),
        "text": reply.to_model(),
        "output": result.output(),
        "data": result.structured(),
        "content": content,
        "faults": result.report().map(describe_report),
        "fixes": fixes,
        "micros": u64::try_from(reply.duration.as_micros()).unwrap_or(u64::MAX),
    })
}

/// A halt, which a model does not see.
pub(crate) fn describe_halt(halt: &Halt) -> Value {
    json!({ "outcome": halt.name(), "ok": false, "halted": true, "text": halt.to_string() })
}

/// The faults of a report, each with the place of its field.
fn describe_report(report: &Report) -> Value {
    let faults: Vec<_> = report.issues.iter().map(describe_issue).collect();
    json!({ "faults": faults, "omitted": report.omitted })
}

fn describe_issue(issue: &Issue) -> Value {
    json!({
        "place": pointer(issue.path.steps()),
        "kind": issue.kind.name(),
        "text": issue.to_string(),
    })
}

/// A path as a JSON pointer.
fn pointer(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        text.push('/');
        match step {
            Step::Key(key) => text.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => text.push_str(&index.to_string()),
        }
    }
    text
}

fn describe_content(content: &Content) -> Value {
    match content {
        Content::Image { mime, data } if PICTURES.contains(&mime.as_str()) => {
            json!({ "mime": mime, "data": data })
        }
        other => json!({ "text": other.to_text() }),
    }
}

/// The check of an edit. A mask stands for a secret that the page does not have, so no rule applies to it.
pub(crate) fn describe_check(reply: &ToolReply, arguments: &str) -> Value {
    let mut described = describe(reply);
    let Some(faults) = described["faults"]["faults"].as_array_mut() else {
        return described;
    };
    let arguments = serde_json::from_str::<Value>(arguments).unwrap_or_default();
    faults.retain(|fault| {
        let place = fault["place"].as_str().unwrap_or_default();
        let value = arguments.pointer(place).and_then(Value::as_str);
        !value.is_some_and(|text| text.starts_with("(secret"))
    });
    if faults.is_empty() && described["outcome"] == "invalid_arguments" {
        described["ok"] = true.into();
    }
    described
}

/// A decision in words. An edit is a yes too.
pub(crate) fn name(decision: &ReviewDecision) -> &'static str {
    match decision {
        ReviewDecision::Edit(_) => "edited and approved",
        other => other.name(),
    }
}
