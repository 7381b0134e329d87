//! Questions of a server to the user of this program.

use std::sync::Arc;

use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests,
    InputResponses,
};
use serde_json::Value;
use toolwright::toolset::BoxFuture;

use super::error::cut;

/// The most characters of a question.
const MESSAGE: usize = 20_000;

/// A question of a server. Its text comes from the server, so it can be wrong, and it can lie.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Elicitation {
    /// What the server asks.
    pub message: String,
    /// The JSON schema of the answer: an object whose properties are texts, numbers, booleans and choices.
    pub schema: Value,
}

/// The answer of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Elicited {
    /// The user filled in the form; the value fits the schema.
    Accept(Value),
    /// The user says no.
    Decline,
    /// The user closed the form without an answer.
    Cancel,
}

pub(super) type OnElicitation =
    Arc<dyn Fn(Elicitation) -> BoxFuture<'static, Elicited> + Send + Sync>;

/// Asks the program. A question of another kind than a form is declined.
pub(super) async fn answer(asks: &OnElicitation, asked: ElicitRequestParams) -> ElicitResult {
    let ElicitRequestParams::FormElicitationParams {
        message,
        requested_schema,
        ..
    } = asked
    else {
        return ElicitResult::new(ElicitationAction::Decline);
    };
    let question = Elicitation {
        message: cut(&message, MESSAGE),
        // A schema that was read can be written.
        schema: serde_json::to_value(requested_schema).unwrap_or_default(),
    };
    match asks(question).await {
        Elicited::Accept(content) => {
            ElicitResult::new(ElicitationAction::Accept).with_content(content)
        }
        Elicited::Decline => ElicitResult::new(ElicitationAction::Decline),
        Elicited::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
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
