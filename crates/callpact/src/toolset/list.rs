//! A list of tools.

use std::{collections::HashMap, fmt, sync::Arc};

use super::{
    entry::{ApprovalNeed, ToolEntry},
    pages::ResultPages,
};
use crate::{
    adapter::text::KnownTools,
    adapter::{Notes, StrictBudget, StrictPlan, ToolCall, ToolSpec, plan},
    schema::Dialect,
    tool::{Parameters, Permission},
};

/// A list of tools that an agent may call.
///
/// ```
/// use callpact::{AgentTool, ToolCall, ToolContext, ToolResult, Toolset};
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
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Shout).build()?;
/// let call = ToolCall::new("call-1", "shout", r#"{"input": "hello"}"#);
/// let reply = tools.call(&call, &ToolContext::new()).await?;
/// assert_eq!(reply.to_model(), "HELLO");
///
/// let reply = tools.call(&ToolCall::new("call-2", "shuot", ""), &ToolContext::new()).await?;
/// assert_eq!(reply.to_model(), "Error: Unknown tool 'shuot'. Did you mean 'shout'? Available tools: shout");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Toolset(pub(crate) Arc<ListInner>);

pub(crate) struct ListInner {
    pub(crate) entries: Vec<ToolEntry>,
    pub(crate) index: HashMap<Arc<str>, usize>,
    /// The most characters of a reply.
    pub(crate) max_output: usize,
    pub(crate) notes: Notes,
    /// The whole of each cut result, if the list offers the rest.
    pub(crate) pages: Option<Arc<ResultPages>>,
}

impl ListInner {
    pub(super) fn new(
        entries: Vec<ToolEntry>,
        max_output: usize,
        notes: Notes,
        pages: Option<Arc<ResultPages>>,
    ) -> Self {
        let places = entries.iter().enumerate();
        let index = places.map(|(place, entry)| (Arc::clone(&entry.name), place));
        Self {
            index: index.collect(),
            entries,
            max_output,
            notes,
            pages,
        }
    }
}

impl Toolset {
    /// The tool that a call names.
    pub(crate) fn entry(&self, name: &str) -> Option<&ToolEntry> {
        let index = self.0.index.get(name)?;
        self.0.entries.get(*index)
    }

    /// The tool that a call means: in a namespace, the one whose name begins with it, else the only one whose name
    /// ends like that of the call.
    #[inline]
    pub(crate) fn called_entry(&self, call: &ToolCall) -> Option<&ToolEntry> {
        match &call.origin.namespace {
            None => self.entry(&call.name),
            Some(namespace) => self.entry_in(namespace, &call.name),
        }
    }

    fn entry_in(&self, namespace: &str, name: &str) -> Option<&ToolEntry> {
        let end = format!("_{name}");
        self.entry(&format!("{namespace}{end}")).or_else(|| {
            let is_shared = self.names().any(|name| name.ends_with(&end));
            self.entry(name).filter(|_| !is_shared)
        })
    }

    /// The names, in the order of the list.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.entries.iter().map(|entry| &*entry.name)
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }

    /// Whether the list is empty; then an agent has only its thoughts.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// Whether there is a tool of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.index.contains_key(name)
    }

    /// The tool's own name, if the list gave it another.
    pub fn original_name(&self, name: &str) -> Option<&str> {
        self.entry(name).map(|entry| entry.tool.name())
    }

    /// The parameters of a tool.
    pub fn parameters(&self, name: &str) -> Option<Parameters<'_>> {
        self.entry(name).map(|entry| entry.tool.parameters())
    }

    /// The tools with their schemas, for reading calls in the text of a model.
    pub fn known_tools(&self) -> KnownTools<'_> {
        let entries = self.0.entries.iter();
        entries
            .map(|entry| (&*entry.name, entry.tool.parameters().tree()))
            .collect()
    }

    /// How far a tool reaches.
    pub fn permission(&self, name: &str) -> Option<Permission> {
        self.entry(name).map(|entry| entry.tool.permission())
    }

    /// The paths of the parameters of a tool in which references to secrets are resolved, such as
    /// `headers[].value`.
    pub fn secret_params(&self, name: &str) -> &'static [&'static str] {
        self.entry(name)
            .map_or(&[], |entry| entry.tool.secret_params())
    }

    /// Whether a person decides about every call of a tool, whatever the mode: because the list demands
    /// it, or because the tool asks by itself.
    pub fn requires_approval(&self, name: &str) -> bool {
        self.entry(name)
            .is_some_and(|entry| entry.approval != ApprovalNeed::ByMode || entry.tool.asks_itself())
    }

    /// Whether a tool asks about its calls [by itself](crate::AgentTool::asks_itself).
    pub fn asks_itself(&self, name: &str) -> bool {
        self.entry(name)
            .is_some_and(|entry| entry.tool.asks_itself())
    }

    /// The role for which that person must act, if the list demands one.
    pub fn required_role(&self, name: &str) -> Option<&str> {
        match &self.entry(name)?.approval {
            ApprovalNeed::Required { role } => role.as_deref(),
            ApprovalNeed::ByMode => None,
        }
    }

    /// The specification of one tool for a model.
    pub fn spec(&self, name: &str, dialect: Dialect) -> Option<ToolSpec> {
        self.entry(name)
            .map(|entry| entry.listed().spec_alone(dialect))
    }

    /// The specifications of all tools for a model, in the order of the list.
    ///
    /// In a strict dialect, the provider takes all of them: a tool that cannot be strict, or that
    /// exceeds the budget of one request, is written in the [fallback](Dialect::fallback), and its
    /// [lint](ToolSpec::lint) says why.
    pub fn spec_list(&self, dialect: Dialect) -> Vec<ToolSpec> {
        if dialect.fallback().is_some() {
            return self.plan_strict(dialect, &StrictBudget::of(dialect)).specs;
        }
        let tools = self.0.entries.iter().map(ToolEntry::listed);
        tools.map(|tool| tool.spec(dialect)).collect()
    }

    /// The tool list of a request to a provider, as JSON text. The same list always gives the same
    /// bytes, so that a provider's prompt cache holds. Each tool is lowered once for each dialect; after that,
    /// a list costs a copy.
    pub fn specs(&self, dialect: Dialect) -> String {
        let list = ToolSpec::list(&self.spec_list(dialect), dialect);
        tracing::trace!(target: "callpact", %dialect, specs = %list, "tool specifications");
        list
    }

    /// Like [`spec_list`](Self::spec_list), within your own budget; the plan says why a tool is not
    /// strict.
    pub fn plan_strict(&self, dialect: Dialect, budget: &StrictBudget) -> StrictPlan {
        plan(
            self.0.entries.iter().map(ToolEntry::listed),
            dialect,
            budget,
        )
    }
}

impl fmt::Debug for Toolset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Toolset")
            .field(&self.names().collect::<Vec<_>>())
            .finish()
    }
}
