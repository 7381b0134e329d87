//! The trait of a tool whose input is a type.

use super::{IntoToolResult, Permission, ToolContext, ToolHints};
use crate::{input::ToolInput, review::Preview};

/// A tool whose parameters are the fields of a type.
///
/// [`permission`](Self::permission) and [`SECRET_PARAMS`](Self::SECRET_PARAMS) have no default:
/// every tool decides. The names in `SECRET_PARAMS` are checked against the input at compile time.
///
/// A typed tool is an [`AgentTool`](super::AgentTool) too, so with both traits in scope a call such as
/// `tool.name()` is ambiguous. Import `AgentTool` alone and write `impl callpact::TypedAgentTool for …`,
/// or name the trait: `AgentTool::name(&tool)`.
///
/// ```
/// use callpact::{Permission, ToolContext, ToolInput, TypedAgentTool};
///
/// #[derive(ToolInput)]
/// struct AddInput {
///     a: i64,
///     b: i64,
/// }
///
/// struct Add;
///
/// impl TypedAgentTool for Add {
///     type Input = AddInput;
///     type Output = Result<String, &'static str>;
///     const SECRET_PARAMS: &'static [&'static str] = &[];
///
///     fn name(&self) -> &str {
///         "add"
///     }
///     fn description(&self) -> &str {
///         "Adds two numbers."
///     }
///     fn permission(&self) -> Permission {
///         Permission::ReadOnly
///     }
///     async fn execute(&self, input: AddInput, _: &ToolContext) -> Self::Output {
///         input.a.checked_add(input.b).map(|sum| sum.to_string()).ok_or("the sum is too large")
///     }
/// }
/// ```
///
/// # What does not compile
///
/// This compiles:
///
/// ```
/// use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
/// #[derive(ToolInput)]
/// struct Input {
///     env: String,
/// }
/// struct Run;
/// impl TypedAgentTool for Run {
///     type Input = Input;
///     type Output = ();
///     const SECRET_PARAMS: &'static [&'static str] = &["env"];
///     fn name(&self) -> &str {
///         "run"
///     }
///     fn description(&self) -> &str {
///         "Runs."
///     }
///     fn permission(&self) -> Permission {
///         Permission::Write
///     }
///     async fn execute(&self, _: Input, _: &ToolContext) {}
/// }
/// let _ = Toolset::builder().tool(Run);
/// ```
///
/// A secret parameter that the input does not have: "`SECRET_PARAMS`: the input has no text at
/// `environment`".
///
/// ```compile_fail
/// use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
/// #[derive(ToolInput)]
/// struct Input {
///     env: String,
/// }
/// struct Run;
/// impl TypedAgentTool for Run {
///     type Input = Input;
///     type Output = ();
///     const SECRET_PARAMS: &'static [&'static str] = &["environment"];
///     fn name(&self) -> &str {
///         "run"
///     }
///     fn description(&self) -> &str {
///         "Runs."
///     }
///     fn permission(&self) -> Permission {
///         Permission::Write
///     }
///     async fn execute(&self, _: Input, _: &ToolContext) {}
/// }
/// let _ = Toolset::builder().tool(Run);
/// ```
///
/// An input that is not an object: "the input of a tool is an object: use a struct with named
/// fields, or …".
///
/// ```compile_fail
/// use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
/// #[derive(ToolInput)]
/// struct Input {
///     env: String,
/// }
/// struct Run;
/// impl TypedAgentTool for Run {
///     type Input = String;
///     type Output = ();
///     const SECRET_PARAMS: &'static [&'static str] = &[];
///     fn name(&self) -> &str {
///         "run"
///     }
///     fn description(&self) -> &str {
///         "Runs."
///     }
///     fn permission(&self) -> Permission {
///         Permission::Write
///     }
///     async fn execute(&self, _: String, _: &ToolContext) {}
/// }
/// let _ = Toolset::builder().tool(Run);
/// ```
///
/// No decision on secrets: "not all trait items implemented, missing: `SECRET_PARAMS`".
///
/// ```compile_fail,E0046
/// use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
/// #[derive(ToolInput)]
/// struct Input {
///     env: String,
/// }
/// struct Run;
/// impl TypedAgentTool for Run {
///     type Input = Input;
///     type Output = ();
///     fn name(&self) -> &str {
///         "run"
///     }
///     fn description(&self) -> &str {
///         "Runs."
///     }
///     fn permission(&self) -> Permission {
///         Permission::Write
///     }
///     async fn execute(&self, _: Input, _: &ToolContext) {}
/// }
/// let _ = Toolset::builder().tool(Run);
/// ```
///
/// No decision on how far it reaches: "not all trait items implemented, missing: `permission`".
///
/// ```compile_fail,E0046
/// use callpact::{Permission, ToolContext, ToolInput, Toolset, TypedAgentTool};
/// #[derive(ToolInput)]
/// struct Input {
///     env: String,
/// }
/// struct Run;
/// impl TypedAgentTool for Run {
///     type Input = Input;
///     type Output = ();
///     const SECRET_PARAMS: &'static [&'static str] = &["env"];
///     fn name(&self) -> &str {
///         "run"
///     }
///     fn description(&self) -> &str {
///         "Runs."
///     }
///     async fn execute(&self, _: Input, _: &ToolContext) {}
/// }
/// let _ = Toolset::builder().tool(Run);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "a function with `#[tool]` is added as the struct of its name: `add_up` as `AddUp`",
    note = "an object with `#[tools]` is added with `.tools(…)`; any other type implements `TypedAgentTool` or `AgentTool`"
)]
pub trait TypedAgentTool: Send + Sync {
    /// The parameters.
    type Input: ToolInput + Send + 'static;
    /// The type of the result.
    type Output: IntoToolResult;
    /// The paths of the parameters that may hold secrets, such as `env` or `headers[].value`.
    ///
    /// They are checked where the tool is added to a [`Toolset`](crate::Toolset), when the program is
    /// built. [`secret_params!`](crate::secret_params) checks each of them in place, even in `cargo
    /// check` and for a tool in no list.
    const SECRET_PARAMS: &'static [&'static str];

    /// The name that the model calls it by: letters, digits, `_` and `-`, at most 64.
    fn name(&self) -> &str;

    /// Tells the model what the tool does and when to use it.
    fn description(&self) -> &str;

    /// How far it reaches.
    fn permission(&self) -> Permission;

    /// Hints for hosts and their users: a title, and whether the tool is idempotent.
    fn hints(&self) -> ToolHints {
        ToolHints::new()
    }

    /// Whether the tool itself puts every call to a reviewer, in words of its own and with a way to
    /// edit it. Then the list does not ask the same question again.
    fn asks_itself(&self) -> bool {
        false
    }

    /// The tool's own check of an input, before a reviewer is asked. An error is the reply to the model.
    ///
    /// # Errors
    /// The reason, which the model gets.
    fn precheck(&self, input: &Self::Input) -> Result<(), String> {
        let _ = input;
        Ok(())
    }

    /// Says what a call with this input will do, for the reviewer; nothing by default. It must not do it.
    ///
    /// After a yes it is called again, right before the run. If the text differs, the call does not run. So it must
    /// depend only on the effect of the call, not on the time or the order of a `HashMap`. Secrets in the input are
    /// still placeholders.
    fn preview(&self, input: &Self::Input) -> Option<Preview> {
        let _ = input;
        None
    }

    /// Runs the tool.
    fn execute(
        &self,
        input: Self::Input,
        cx: &ToolContext,
    ) -> impl Future<Output = Self::Output> + Send;
}

/// The result of a function that checks the parameters of a call.
pub fn precheck<E: std::fmt::Display>(checked: Result<(), E>) -> Result<(), String> {
    checked.map_err(|reason| reason.to_string())
}
