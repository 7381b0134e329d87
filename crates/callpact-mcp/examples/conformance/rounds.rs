//! The tools with more than one round in the newer revision: the server asks, and the client calls again
//! with the answers.

use std::hash::BuildHasher;

use rmcp::{
    ErrorData, RoleServer,
    model::{CallToolRequestParams, CallToolResponse, InputRequiredResult, JsonObject},
    service::RequestContext,
};
use serde_json::{Value, json};

use crate::{Answer, Fixture, made, said};

/// A question to the user, for one string or boolean.
pub(crate) fn question(message: &str, name: &str, kind: &str) -> Value {
    json!({ "method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": { name: { "type": kind } },
            "required": [name],
        },
    } })
}

pub(crate) fn sampling(prompt: &str) -> Value {
    json!({ "method": "sampling/createMessage", "params": {
        "messages": [{ "role": "user", "content": { "type": "text", "text": prompt } }],
        "maxTokens": 100,
    } })
}

fn roots() -> Value {
    json!({ "method": "roots/list" })
}

pub(crate) fn required(requests: Value, state: Option<String>) -> Answer<InputRequiredResult> {
    Ok(InputRequiredResult::new(Some(made(requests)?), state))
}

impl Fixture {
    /// Makes a state that only this server can write.
    fn sealed(&self, state: &str) -> String {
        format!("{state}.{:016x}", self.key.hash_one(state))
    }

    fn unsealed<'a>(&self, sealed: &'a str) -> Answer<&'a str> {
        let state = sealed.rsplit_once('.').map(|(state, _)| state);
        state
            .filter(|state| self.sealed(state) == sealed)
            .ok_or_else(|| {
                ErrorData::invalid_params("the request state is not one of this server", None)
            })
    }

    /// Calls a tool with more than one round in the newer revision.
    pub(crate) fn round(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let answers = request.input_responses.clone().unwrap_or_default();
        let state = request
            .request_state
            .as_deref()
            .map(|sealed| self.unsealed(sealed))
            .transpose()?;
        let text = |key: &str, path: &str| {
            answers
                .get(key)
                .and_then(|answer| answer.pointer(path))
                .and_then(Value::as_str)
        };
        let name = || question("What is your name?", "name", "string");
        let next = match &*request.name {
            "test_input_required_result_elicitation" => match text("user_name", "/content/name") {
                Some(name) => return Ok(said(format!("Hello, {name}!"))),
                None => required(json!({ "user_name": name() }), None),
            },
            "test_input_required_result_sampling" => {
                if let Some(answer) = text("capital_question", "/content/text") {
                    return Ok(said(answer));
                }
                let ask = sampling("What is the capital of France?");
                required(json!({ "capital_question": ask }), None)
            }
            "test_input_required_result_list_roots" => {
                match answers
                    .get("client_roots")
                    .and_then(|answer| answer.get("roots"))
                {
                    Some(roots) => return Ok(said(format!("The roots are {roots}."))),
                    None => required(json!({ "client_roots": roots() }), None),
                }
            }
            "test_input_required_result_request_state"
            | "test_input_required_result_tampered_state" => {
                if state == Some("asked") && answers.contains_key("confirm") {
                    return Ok(said("state-ok"));
                }
                let ask = question("Please confirm", "ok", "boolean");
                required(json!({ "confirm": ask }), Some(self.sealed("asked")))
            }
            "test_input_required_result_multiple_inputs" => {
                let all = ["user_name", "greeting", "client_roots"];
                if state == Some("asked") && all.iter().all(|key| answers.contains_key(*key)) {
                    return Ok(said("All three were given."));
                }
                let asks = json!({
                    "user_name": name(),
                    "greeting": sampling("Generate a greeting"),
                    "client_roots": roots(),
                });
                required(asks, Some(self.sealed("asked")))
            }
            "test_input_required_result_multi_round" => {
                let (one, two) = (
                    text("step1", "/content/name"),
                    text("step2", "/content/color"),
                );
                match (state.and_then(|state| state.split_once(':')), one, two) {
                    (Some(("two", name)), _, Some(color)) => {
                        return Ok(said(format!("{name} likes {color}.")));
                    }
                    (Some(("one", _)), Some(name), _) => {
                        let ask =
                            question("Step 2: What is your favorite color?", "color", "string");
                        required(
                            json!({ "step2": ask }),
                            Some(self.sealed(&format!("two:{name}"))),
                        )
                    }
                    _ => {
                        let ask = question("Step 1: What is your name?", "name", "string");
                        required(json!({ "step1": ask }), Some(self.sealed("one:")))
                    }
                }
            }
            "test_input_required_result_capabilities" => {
                let can = context.client_capabilities().unwrap_or_default();
                let mut asks = JsonObject::new();
                if can.elicitation.is_some() {
                    asks.insert("user_name".to_owned(), name());
                }
                if can.sampling.is_some() {
                    asks.insert("greeting".to_owned(), sampling("Generate a greeting"));
                }
                if can.roots.is_some() {
                    asks.insert("client_roots".to_owned(), roots());
                }
                if asks.is_empty() || asks.keys().all(|key| answers.contains_key(key)) {
                    return Ok(said("Nothing more is needed."));
                }
                required(Value::Object(asks), None)
            }
            _ if answers.is_empty() => required(json!({ "user_name": name() }), None),
            _ => return Ok(said("Thank you.")),
        };
        Ok(next?.into())
    }
}
