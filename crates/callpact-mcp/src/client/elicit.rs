//! Questions of a server to the user of this program.

use std::sync::Arc;

use callpact::toolset::BoxFuture;
use rmcp::{
    ErrorData,
    model::{
        ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
        InputResponses,
    },
};
use serde_json::Value;

use super::error::cut;
use crate::net::{authority, check_page};

/// The most characters of a question.
const MESSAGE: usize = 20_000;

/// A question of a server. Its text comes from the server, so it can be wrong, and it can lie.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// What the server asks.
    pub message: String,
    /// The JSON schema of the answer: an object whose properties are texts, numbers, booleans and choices. It is
    /// null if the server names a page.
    pub schema: Value,
    /// The page to which the server sends the user: an `https` address, or an `http` address of this machine.
    /// It has not been opened. Show it whole, with its [`host`](Self::host), and open it only with the user's
    /// consent, outside this program. A host that starts with `xn--` can look like another one.
    pub page: Option<String>,
}

impl Elicitation {
    /// The host of the page, with its port if it has one.
    pub fn host(&self) -> Option<&str> {
        authority(self.page.as_deref()?)
    }
}

/// The answer of the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Elicited {
    /// The user filled in the form; the value fits the schema.
    Accept(Value),
    /// The user agrees to open the page. This says nothing about what happens there.
    Consent,
    /// The user says no.
    Decline,
    /// The user closed the form without an answer.
    Cancel,
}

pub(super) type OnElicitation =
    Arc<dyn Fn(Elicitation) -> BoxFuture<'static, Elicited> + Send + Sync>;

/// Asks the program. A question of an unknown kind is declined, and so is one with an unsafe page.
pub(super) async fn answer(asks: &OnElicitation, asked: ElicitRequestParams) -> ElicitResult {
    let question = match asked {
        ElicitRequestParams::FormElicitationParams {
            message,
            requested_schema,
            ..
        } => Elicitation {
            message: cut(&message, MESSAGE),
            // A schema that was read can also be written.
            schema: serde_json::to_value(requested_schema).unwrap_or_default(),
            page: None,
        },
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            if let Err(why) = check_page(&url) {
                tracing::warn!(target: "callpact", "the server's page is not shown: {why}");
                return ElicitResult::new(ElicitationAction::Decline);
            }
            Elicitation {
                message: cut(&message, MESSAGE),
                schema: Value::Null,
                page: Some(url),
            }
        }
        _ => return ElicitResult::new(ElicitationAction::Decline),
    };
    let leads_to_page = question.page.is_some();
    match (asks(question).await, leads_to_page) {
        (Elicited::Accept(content), false) => {
            ElicitResult::new(ElicitationAction::Accept).with_content(content)
        }
        (Elicited::Consent, true) => ElicitResult::new(ElicitationAction::Accept),
        (Elicited::Decline, _) => ElicitResult::new(ElicitationAction::Decline),
        // An answer to another kind of question does not count.
        (Elicited::Cancel | Elicited::Accept(_) | Elicited::Consent, _) => {
            ElicitResult::new(ElicitationAction::Cancel)
        }
    }
}

/// The code of an error that names pages which the user must visit before the call can be made.
const PAGES_REQUIRED: i32 = -32042;

/// The most pages in one error.
const PAGES: usize = 10;

/// Leads the user to the pages that an error names. Returns whether the user agreed to all of them, so that the
/// call can be repeated.
pub(super) async fn visit_pages(asks: &OnElicitation, error: &ErrorData) -> bool {
    let pages = error
        .data
        .as_ref()
        .and_then(|data| data.get("elicitations"));
    let Some(pages) = pages.and_then(Value::as_array) else {
        return false;
    };
    if error.code.0 != PAGES_REQUIRED || pages.is_empty() || pages.len() > PAGES {
        return false;
    }
    for page in pages {
        let asked = serde_json::from_value(page.clone());
        let Ok(asked @ ElicitRequestParams::UrlElicitationParams { .. }) = asked else {
            return false;
        };
        if answer(asks, asked).await.action != ElicitationAction::Accept {
            return false;
        }
    }
    true
}

/// Answers everything that a call requires. Gives `None` if something other than a question is required.
pub(super) async fn answer_all(
    asks: &OnElicitation,
    required: InputRequests,
) -> Option<InputResponses> {
    let mut answers = InputResponses::new();
    for (name, required) in required {
        let InputRequest::Elicitation(asked) = required else {
            return None;
        };
        let answer = answer(asks, asked.params).await;
        answers.insert(name, serde_json::to_value(answer).ok()?);
    }
    Some(answers)
}
