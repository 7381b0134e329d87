//! The trait of a tool that takes text.

use std::{any::Any, borrow::Cow};

use serde_json::value::RawValue;

use super::{Parameters, Permission, ToolContext, ToolHints, ToolResult};
use crate::{
    ToolInput,
    input::{Fix, Policy, Report, read_str, repair::cut_off_call},
    raw_object::RawObject,
    review::Preview,
};

/// A tool that an agent can call.
///
/// By default it takes one string named `input`. A tool with parameters of its own is a
/// [`TypedAgentTool`](super::TypedAgentTool), which is an `AgentTool` too: both kinds live in one
/// list.
///
/// ```
/// use callpact::{AgentTool, ToolContext, ToolResult};
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
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "a function with `#[tool]` is added as the struct of its name: `add_up` as `AddUp`",
    note = "an object with `#[tools]` is added with `.tools(…)`; any other type implements `TypedAgentTool` or `AgentTool`"
)]
pub trait AgentTool: Send + Sync {
    /// The name that the model calls it by: letters, digits, `_` and `-`, at most 64.
    fn name(&self) -> &str;

    /// Tells the model what the tool does and when to use it.
    fn description(&self) -> &str;

    /// The parameters; one string named `input` unless the tool says otherwise.
    fn parameters(&self) -> Parameters<'_> {
        Parameters::Input
    }

    /// How far it reaches; a tool that does not say is asked about.
    fn permission(&self) -> Permission {
        Permission::Write
    }

    /// Hints for hosts and their users: a title, and whether the tool is idempotent.
    fn hints(&self) -> ToolHints {
        ToolHints::new()
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

    /// The parameters whose placeholders the tool passes on, where it runs elsewhere and secrets are resolved
    /// there.
    #[doc(hidden)]
    fn passed_secrets(&self) -> Option<&crate::secret::SecretPaths> {
        None
    }

    /// The tool's own check of an input, before a reviewer is asked. An error is the reply to the model.
    ///
    /// # Errors
    /// The reason, which the model gets.
    fn precheck_text(&self, input: &str) -> Result<(), String> {
        let _ = input;
        Ok(())
    }

    /// Says what a call with this input will do, for the reviewer; nothing by default. It must not do it, and it must
    /// say the same right before the run, or the call does not run.
    fn preview_text(&self, input: &str) -> Option<Preview> {
        let _ = input;
        None
    }

    /// Runs the tool: with the text of its input, or with the whole arguments if it has its own
    /// parameters.
    ///
    /// Calling this method runs the bare tool: nobody is asked, nothing is counted, no secret is looked up,
    /// and a panic is not caught. A list does all of that; [`Toolset::single`](crate::Toolset::single)
    /// makes a list of one tool.
    fn execute(&self, input: &str, cx: &ToolContext) -> impl Future<Output = ToolResult> + Send
    where
        Self: Sized;

    /// The schema of the structured output, where the tool has one.
    fn output_schema(&self) -> Option<&'static crate::Schema> {
        None
    }

    /// The schema of the structured output of a tool that is made at run time.
    #[doc(hidden)]
    fn foreign_output(&self) -> Option<&crate::schema::ForeignSchema> {
        None
    }

    /// Reads the arguments of a call.
    #[doc(hidden)]
    fn prepare(&self, arguments: &str, policy: &Policy) -> Result<ParsedInput, Report> {
        match self.parameters() {
            Parameters::Input => prepare_input(arguments, policy),
            // The tool knows its own parameters.
            _ => Ok(ParsedInput::new(arguments.to_owned(), Vec::new())),
        }
    }

    /// The tool's own check of the arguments that were read.
    #[doc(hidden)]
    fn check(&self, prepared: &ParsedInput) -> Result<(), String> {
        prepared
            .get::<String>()
            .map_or(Ok(()), |input| self.precheck_text(input))
    }

    /// Says what a call with the prepared input will do.
    #[doc(hidden)]
    fn preview(&self, prepared: &ParsedInput) -> Option<Preview> {
        self.preview_text(prepared.get::<String>()?)
    }

    /// Runs the tool on the prepared input.
    #[doc(hidden)]
    fn run(
        &self,
        prepared: ParsedInput,
        cx: &ToolContext,
    ) -> impl Future<Output = ToolResult> + Send
    where
        Self: Sized,
    {
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
pub struct ParsedInput {
    input: Box<dyn Any + Send>,
    /// All changes from the text to the value.
    pub(crate) changes: Vec<Fix>,
}

impl ParsedInput {
    pub(crate) fn new<T: Send + 'static>(input: T, changes: Vec<Fix>) -> Self {
        Self {
            input: Box::new(input),
            changes,
        }
    }

    /// Takes the changes to report: the conversions, and the unknown parameters that were dropped. A dialect's form
    /// that was turned back is not reported.
    #[inline]
    pub(crate) fn take_fixes(&mut self) -> Vec<Fix> {
        let mut fixes = std::mem::take(&mut self.changes);
        fixes.retain(|fix| !fix.kind.is_form_of_dialect());
        fixes
    }

    /// Whether the tool gets a text, not a value read from it.
    pub(crate) fn is_text(&self) -> bool {
        self.input.is::<String>()
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.input.downcast_ref()
    }

    pub(crate) fn take<T: 'static>(self) -> Option<T> {
        self.input.downcast().ok().map(|input| *input)
    }
}

/// Reads the arguments of a tool that takes one string.
pub(crate) fn prepare_input(arguments: &str, policy: &Policy) -> Result<ParsedInput, Report> {
    if let Some(report) = cut_off_call(arguments, "input") {
        return Err(report);
    }
    let (input, has_more) = input_of(arguments);
    let changes = if has_more {
        read_str::<WholeInput>(arguments, policy)?.fixes.into()
    } else {
        Vec::new()
    };
    Ok(ParsedInput::new(input, changes))
}

/// The object around the input, which counts the keys beside it.
#[derive(ToolInput)]
struct WholeInput {
    #[allow(dead_code)] // only its presence matters
    input: serde_json::Value,
}

/// The value of `input`, and whether there are other keys beside it. A text that is not such an object is passed on
/// unchanged, and so is one that has `input` twice, since either could be meant.
fn input_of(arguments: &str) -> (String, bool) {
    find_input(arguments).unwrap_or_else(|| (arguments.to_owned(), false))
}

fn find_input(arguments: &str) -> Option<(String, bool)> {
    let RawObject(members) = serde_json::from_str(arguments).ok()?;
    let is_input = |member: &&(Cow<'_, str>, &RawValue)| member.0 == "input";
    let inputs = members.iter().filter(is_input);
    let mut given = inputs
        .map(|(_, value)| value.get())
        .filter(|json| *json != "null");
    let (Some(json), None) = (given.next(), given.next()) else {
        return None;
    };
    let text = if json.starts_with('"') {
        serde_json::from_str(json).ok()?
    } else {
        // As written: a number keeps all its digits.
        compact(json)
    };
    let has_more = members.iter().any(|member| !is_input(&member));
    Some((text, has_more))
}

/// JSON without the blanks between its parts.
pub(crate) fn compact(json: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let keep = |c: &char| {
        if escaped {
            escaped = false;
        } else if inside && *c == '\\' {
            escaped = true;
        } else if *c == '"' {
            inside = !inside;
        }
        inside || !c.is_ascii_whitespace()
    };
    json.chars().filter(keep).collect()
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
            (
                r#"{"\u0069nput": [1, "a \" b", true ]}"#,
                r#"[1,"a \" b",true]"#,
            ),
            (
                r#"{"input": 123456789012345678901234567890}"#,
                "123456789012345678901234567890",
            ),
            (
                r#"{"input": "a", "input": "b"}"#,
                r#"{"input": "a", "input": "b"}"#,
            ),
            (r#"{"input": "a"} and more"#, r#"{"input": "a"} and more"#),
            (r#"{"input": null}"#, r#"{"input": null}"#),
            (r#"{"other": "x"}"#, r#"{"other": "x"}"#),
            ("not json", "not json"),
            ("", ""),
            ("[1]", "[1]"),
        ] {
            assert_eq!(
                input_of(arguments),
                (input.to_owned(), false),
                "{arguments}"
            );
        }
    }
}
