//! Sources of several tools.

use std::{fmt, sync::Arc};

use super::{
    Toolset,
    entry::{ApprovalNeed, ToolEntry},
};
use crate::tool::AgentTool;

/// A source of several tools, such as an object whose methods are tools.
///
/// A type that is neither a tool nor a provider does not compile: "`Nothing` brings no tools".
///
/// ```compile_fail,E0277
/// struct Nothing;
/// let tools = callpact::Toolset::builder().tools(Nothing);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` brings no tools",
    note = "annotate its `impl` block with `#[tools]`, or add a single tool with `.tool(…)`"
)]
pub trait ToolProvider {
    /// The tools.
    fn tools(self) -> Tools;
}

/// An object whose methods are tools. [`#[tools]`](macro@crate::tools) implements it.
///
/// An `Arc` of such an object is a [`ToolProvider`] too, so that the program can keep it.
///
/// ```
/// use std::sync::Arc;
/// use callpact::{Toolset, tools};
///
/// struct Account {
///     owner: String,
/// }
///
/// #[tools]
/// impl Account {
///     /// Who owns the account
///     #[tool(read_only)]
///     fn owner(&self) -> String {
///         self.owner.clone()
///     }
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let account = Arc::new(Account { owner: "Ada".to_owned() });
/// let tools = Toolset::builder().tools(Arc::clone(&account)).build()?;
/// assert!(tools.names().eq(["owner"]));
/// assert_eq!(account.owner, "Ada");
/// # Ok(())
/// # }
/// ```
pub trait ToolMethods: Send + Sync + 'static {
    /// The tools, which share the object.
    fn method_tools(self: Arc<Self>) -> Tools;
}

impl<T: ToolMethods> ToolProvider for Arc<T> {
    fn tools(self) -> Tools {
        self.method_tools()
    }
}

/// Tools that will be added to a list.
#[derive(Default)]
pub struct Tools(pub(super) Vec<ToolEntry>);

impl Tools {
    /// No tools yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    #[must_use]
    pub fn with(mut self, tool: impl AgentTool + 'static) -> Self {
        self.push(tool);
        self
    }

    /// Adds a tool.
    pub fn push(&mut self, tool: impl AgentTool + 'static) {
        self.0.push(ToolEntry::new(Arc::new(tool)));
    }

    /// How many tools these are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no tool.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// These tools, with a decision required for each tool whose name passes.
    #[must_use]
    pub fn require_approval(mut self, needs: impl Fn(&str) -> bool) -> Self {
        for entry in self.0.iter_mut().filter(|entry| needs(&entry.name)) {
            entry.require_approval();
        }
        self
    }

    /// These tools, with a decision required for each tool that `role` names a role for, by somebody who acts
    /// for that role.
    #[must_use]
    pub fn require_approval_by(mut self, role: impl Fn(&str) -> Option<String>) -> Self {
        for entry in &mut self.0 {
            if let Some(role) = role(&entry.name) {
                entry.approval = ApprovalNeed::Required { role: Some(role) };
            }
        }
        self
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|entry| &entry.name))
            .finish()
    }
}

impl ToolProvider for Tools {
    fn tools(self) -> Tools {
        self
    }
}

impl ToolProvider for Toolset {
    fn tools(self) -> Tools {
        Tools(self.0.entries.clone())
    }
}

impl<T: AgentTool + 'static> ToolProvider for Vec<T> {
    fn tools(self) -> Tools {
        self.into_iter().fold(Tools::new(), Tools::with)
    }
}

impl<T: AgentTool + 'static> FromIterator<T> for Tools {
    fn from_iter<I: IntoIterator<Item = T>>(tools: I) -> Self {
        tools.into_iter().fold(Self::new(), Self::with)
    }
}
