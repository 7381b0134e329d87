//! The trait of a tool that takes text.

use std::any::Any;

use serde_json::Value;

use super::{Parameters, Permission, ToolContext, ToolResult};
use crate::input::{Fix, Policy, Report};

/// A tool that an agent can call.
///
/// By default it takes one string named `input`. A tool with parameters of its own is a
/// [`TypedAgentTool`](super::TypedAgentTool), which is an `AgentTool` too: both kinds live in one
/// list.
///
/// ```
/// use toolwright::{AgentTool, ToolContext, ToolResult};
///
/// struct Shout;
///
/// impl AgentTool for Shout {
///     fn name(&self) -> &str {
///         "shout"
///     }
///     fn description(&self) -> &str {
///         "Says it louder. Input: what to say."
///     }
///     async fn execute(&self, input: &str, _: &ToolContext) -> ToolResult {
///         ToolResult::success(input.to_uppercase())
///     }
/// }
/// ```
pub trait AgentTool: Send + Sync {
    /// The name that the model calls it by: letters, digits, `_` and `-`, at most 64.
    fn name(&self) -> &str;

    /// What it does and when to use it, for the model.
    fn description(&self) -> &str;

    /// What it takes; one string named `input` unless the tool says otherwise.
    fn parameters(&self) -> Parameters<'_> {
        Parameters::Input
    }

    /// How far it reaches; a tool that does not say is asked about.
    fn permission(&self) -> Permission {
        Permission::Write
    }

    /// Whether the tool itself puts every call to a reviewer, in words of its own and with a way to
    /// edit it. Then the list does not ask the same question again.
    fn asks_itself(&self) -> bool {
        false
    }

    /// The paths of the parameters that may hold secrets; for the single string, `input`.
    fn secret_params(&self) -> &'static [&'static str] {
        &[]
    }

    /// What the tool itself has against an input, before anybody is asked about it.
    ///
    /// # Errors
    /// The reason, which the model gets.
    fn precheck_text(&self, input: &str) -> Result<(), String> {
        let _ = input;
        Ok(())
    }

    /// Runs the tool: with the text of its input, or with the whole arguments where it has
    /// parameters of its own.
    fn execute(&self, input: &str, cx: &ToolContext) -> impl Future<Output = ToolResult> + Send;

    /// The schema of the structured output, where the tool has one.
    fn output_schema(&self) -> Option<&'static crate::Schema> {
        None
    }

    /// Reads the arguments of a call.
    #[doc(hidden)]
    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<Prepared, Report> {
        let _ = policy;
        Ok(Prepared::new(input_of(arguments), Vec::new()))
    }

    /// The tool's own say on what was read.
    #[doc(hidden)]
    fn check(&self, prepared: &Prepared) -> Result<(), String> {
        prepared
            .get::<String>()
            .map_or(Ok(()), |input| self.precheck_text(input))
    }

    /// Runs the tool on what was read.
    #[doc(hidden)]
    fn run(&self, prepared: Prepared, cx: &ToolContext) -> impl Future<Output = ToolResult> + Send {
        async move {
            match prepared.take::<String>() {
                Some(input) => self.execute(&input, cx).await,
                None => ToolResult::failure(()),
            }
        }
    }
}

/// Arguments that were read and wait to be run.
#[doc(hidden)]
pub struct Prepared {
    input: Box<dyn Any + Send>,
    pub(crate) fixes: Vec<Fix>,
}

impl Prepared {
    pub(crate) fn new<T: Send + 'static>(input: T, fixes: Vec<Fix>) -> Self {
        Self {
            input: Box::new(input),
            fixes,
        }
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.input.downcast_ref()
    }

    pub(crate) fn take<T: 'static>(self) -> Option<T> {
        self.input.downcast().ok().map(|input| *input)
    }
}

/// The value of `input`; a text that is no such object is passed as it is.
pub(crate) fn input_of(arguments: &str) -> String {
    let Ok(Value::Object(mut map)) = serde_json::from_str::<Value>(arguments) else {
        return arguments.to_owned();
    };
    match map.remove("input") {
        Some(Value::String(text)) => text,
        None | Some(Value::Null) => arguments.to_owned(),
        // What is not a string goes on as JSON.
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::input_of;

    #[test]
    fn the_input_of_a_string_tool() {
        for (arguments, input) in [
            (r#"{"input": "2 + 3"}"#, "2 + 3"),
            (r#"{"input": ""}"#, ""),
            (r#"{"input": {"a": 1}}"#, r#"{"a":1}"#),
            (r#"{"input": 5}"#, "5"),
            (r#"{"input": null}"#, r#"{"input": null}"#),
            (r#"{"other": "x"}"#, r#"{"other": "x"}"#),
            ("not json", "not json"),
            ("", ""),
            ("[1]", "[1]"),
        ] {
            assert_eq!(input_of(arguments), input, "{arguments}");
        }
    }
}
