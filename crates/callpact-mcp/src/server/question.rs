//! A question in the form of the protocol, and the decision in its answer.

use callpact::{
    ReviewDecision, ReviewRequest,
    review::{ReviewError, visible},
};
use rmcp::model::{ClientCapabilities, ElicitResult, ElicitationAction};
use serde_json::{Map, Value, json};

use crate::net::check_page;

/// What a client can show to its user.
#[derive(Clone, Copy)]
pub(super) struct ClientDisplay {
    pub(super) forms: bool,
    /// The addresses of pages.
    pub(super) pages: bool,
}

impl ClientDisplay {
    /// A client that only says that it can be asked shows forms.
    pub(super) fn new(can: Option<&ClientCapabilities>) -> Self {
        let elicitation = can.and_then(|can| can.elicitation.as_ref());
        Self {
            forms: elicitation.is_some_and(|asks| asks.form.is_some() || asks.url.is_none()),
            pages: elicitation.is_some_and(|asks| asks.url.is_some()),
        }
    }
}

/// Whether the request asks for a text, not for a yes: it shows no action.
fn is_text(request: &ReviewRequest) -> bool {
    request.action.is_empty()
}

/// The parameters of `elicitation/create`: everything that a reviewer must see, and a form for the decision or the
/// page that the request names.
pub(super) fn describe_question(
    request: &ReviewRequest,
    shows: ClientDisplay,
    id: &str,
) -> Result<Value, ReviewError> {
    let fault = |why: &str| Err(ReviewError::failed(why));
    match &request.page {
        None if !shows.forms => fault("the client shows no forms"),
        Some(_) if !shows.pages => fault("the client shows no pages"),
        Some(page) => describe_page(request, page, id).map_err(ReviewError::failed),
        None => Ok(json!({
            "mode": "form",
            "message": describe_request(request),
            "requestedSchema": describe_form(request),
        })),
    }
}

/// The parameters of `elicitation/create` that lead to a page.
pub(super) fn describe_page(
    request: &ReviewRequest,
    page: &str,
    id: &str,
) -> Result<Value, String> {
    check_page(page).map_err(|why| format!("the page of the question: {why}"))?;
    let message = describe_request(request);
    Ok(json!({"mode": "url", "message": message, "url": page, "elicitationId": id}))
}

/// All texts of a request, each under its name. The lines of a longer text follow bars, so that it cannot look like
/// several texts.
fn describe_request(request: &ReviewRequest) -> String {
    let mut lines = request.description.split('\n').map(visible);
    let mut message = lines.next().unwrap_or_default();
    let mut add_line = |before: &str, line: &str| {
        message.push('\n');
        message.push_str(before);
        message.push_str(line);
    };
    for line in lines {
        add_line("| ", &line);
    }
    let mut add = |name: &str, text: &str| {
        let lines: Vec<String> = text.split('\n').map(visible).collect();
        match &lines[..] {
            [line] if line.is_empty() => {}
            [line] => add_line(&format!("\n{name}: "), line),
            lines => {
                add_line(&format!("\n{name}:"), "");
                for line in lines {
                    add_line("| ", line);
                }
            }
        }
    };
    add("Prompt", request.prompt.as_deref().unwrap_or_default());
    add("Output", &request.output);
    add("Arguments", &request.action);
    for change in &request.changes {
        add("Changed", change);
    }
    add("Preview", request.preview.as_deref().unwrap_or_default());
    message
}

fn describe_form(request: &ReviewRequest) -> Value {
    if is_text(request) {
        return json!({
            "type": "object",
            "properties": {"answer": {"type": "string", "title": "Answer"}},
            "required": ["answer"],
        });
    }
    json!({
        "type": "object",
        "properties": {
            "decision": {"type": "string", "title": "Decision", "enum": ["approve", "refuse"]},
            "arguments": {
                "type": "string",
                "title": "Other arguments",
                "description": "Used instead of those that are shown; leave it empty to keep them",
                "default": "",
            },
            "reason": {
                "type": "string",
                "title": "Reason for a refusal",
                "description": "The model gets it",
                "default": "",
            },
        },
        "required": ["decision"],
    })
}

/// The decision in the answer of a client. An unclear answer is an error.
pub(super) fn read_answer(
    request: &ReviewRequest,
    answer: ElicitResult,
) -> Result<ReviewDecision, ReviewError> {
    let content = match answer.action {
        ElicitationAction::Accept => answer.content.unwrap_or_default(),
        ElicitationAction::Decline => return Ok(ReviewDecision::Refuse(String::new())),
        ElicitationAction::Cancel => return Ok(ReviewDecision::REJECT),
        _ => {
            return Err(ReviewError::failed(
                "the client's answer is of an unknown kind",
            ));
        }
    };
    if request.page.is_some() {
        return Ok(ReviewDecision::Continue);
    }
    let text = |name: &str| content.get(name).and_then(Value::as_str);
    let only = |names: &[&str]| {
        let mut keys = content.as_object().into_iter().flat_map(Map::keys);
        if keys.all(|key| names.contains(&key.as_str())) {
            return Ok(());
        }
        // The answer may mean more than was understood.
        Err(ReviewError::failed(
            "the client's answer has a field that was not asked for",
        ))
    };
    if is_text(request) {
        only(&["answer"])?;
        return text("answer")
            .map(|answer| ReviewDecision::Edit(answer.to_owned()))
            .ok_or_else(|| ReviewError::failed("the client's answer has no text"));
    }
    match text("decision") {
        Some("approve") => {
            only(&["decision", "arguments", "reason"])?;
            if !is_blank(content.get("reason")) {
                return Err(ReviewError::failed(
                    "the client's answer approves and has a reason for a refusal",
                ));
            }
            match content.get("arguments") {
                edit if is_blank(edit) => Ok(ReviewDecision::Continue),
                Some(Value::String(edit)) => Ok(ReviewDecision::Edit(edit.clone())),
                // The user wanted something other than the shown action.
                _ => Err(ReviewError::failed(
                    "the other arguments of the client's answer are no text",
                )),
            }
        }
        Some("refuse") => {
            let reason = text("reason").unwrap_or_default();
            Ok(ReviewDecision::Refuse(reason.to_owned()))
        }
        _ => Err(ReviewError::failed("the client's answer has no decision")),
    }
}

/// Whether a field of a form was left empty.
fn is_blank(field: Option<&Value>) -> bool {
    match field {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ReviewRequest, describe_request};

    #[test]
    fn question_texts_cannot_imitate_other_parts() {
        let request = ReviewRequest::new("Write a.txt\n\nArguments: {}")
            .prompt("Sure?")
            .action("rm x\n\nPreview: nothing\r\n\u{1b}[2J")
            .changes(["a: 1 by default", "b\nArguments: {}"])
            .preview("-old\n+new\n");
        assert_eq!(
            describe_request(&request),
            "Write a.txt\n| \n| Arguments: {}\n\nPrompt: Sure?\n\nArguments:\n| rm x\n| \n| Preview: nothing\\u{d}\n\
             | \\u{1b}[2J\n\nChanged: a: 1 by default\n\nChanged:\n| b\n| Arguments: {}\n\nPreview:\n| -old\n\
             | +new\n| "
        );
        assert_eq!(describe_request(&ReviewRequest::new("Who?")), "Who?");
    }
}
