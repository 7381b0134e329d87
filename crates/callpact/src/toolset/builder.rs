//! Builds a list, and reports every conflict.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use super::{
    CallLayer, Conflict, ToolProvider, Toolset, ToolsetError,
    entry::{ApprovalNeed, ToolEntry},
    list::ListInner,
    pages::{ResultPage, ResultPages},
};
use crate::{
    adapter::Notes,
    names::{is_provider_name, provider_name},
    secret::SecretPaths,
    tool::AgentTool,
};

/// The most characters of a reply by default.
const MAX_OUTPUT: usize = 100_000;

/// Collects tools for a [`Toolset`].
///
/// ```
/// use callpact::{Notes, ToolCall, ToolContext, Toolset, tool};
///
/// /// Adds two numbers
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a.saturating_add(b)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Add).max_output(1_000).notes(Notes::All).build()?;
/// let call = ToolCall::new("call-1", "add", r#"{"a": 40, "b": "2"}"#);
/// let reply = tools.call(&call, &ToolContext::new()).await?;
/// assert_eq!(
///     reply.to_model(),
///     "42\n\nNote: the arguments were read with these changes:\n- b: \"2\" read as 2",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct ToolsetBuilder {
    entries: Vec<ToolEntry>,
    missing: Vec<Conflict>,
    max_output: Option<usize>,
    notes: Notes,
    pages: bool,
    safe_names: bool,
    layers: Vec<Arc<dyn CallLayer>>,
}

impl Toolset {
    /// Starts a list.
    pub fn builder() -> ToolsetBuilder {
        ToolsetBuilder::default()
    }

    /// A list of one tool.
    ///
    /// A call through it has everything that [`AgentTool::execute`] alone lacks: the gate,
    /// time-outs, secrets, counts, and a reply if the tool crashes.
    ///
    /// # Errors
    /// Like [`ToolsetBuilder::build`].
    pub fn single(tool: impl AgentTool + 'static) -> Result<Self, ToolsetError> {
        Self::builder().tool(tool).build()
    }
}

impl ToolsetBuilder {
    /// Adds a tool: a text tool, a typed or a dynamic one, or a pipeline.
    #[must_use]
    pub fn tool(mut self, tool: impl AgentTool + 'static) -> Self {
        self.entries.push(ToolEntry::new(Arc::new(tool)));
        self
    }

    /// Adds a tool that other lists share.
    #[must_use]
    pub fn shared(mut self, tool: Arc<impl AgentTool + 'static>) -> Self {
        self.entries.push(ToolEntry::new(tool));
        self
    }

    /// Adds everything that a provider brings, another [`Toolset`] included.
    #[must_use]
    pub fn tools(mut self, provider: impl ToolProvider) -> Self {
        self.entries.extend(provider.tools().0);
        self
    }

    /// The most characters of a reply that a model gets. The default is 100,000, about 25,000 tokens. A longer
    /// text is cut to its head and tail, with a mark between them (only the head below 64 characters); longer
    /// structured output is left out. The reply itself keeps the whole.
    #[must_use]
    pub fn max_output(mut self, characters: usize) -> Self {
        self.max_output = Some(characters);
        self
    }

    /// Adds the tool `result_page`, with which a model reads the rest of a reply that was cut. The last 16
    /// such results are kept whole in memory, at most 32 MiB of them.
    ///
    /// ```
    /// use callpact::{ToolCall, ToolContext, Toolset, tool};
    ///
    /// /// Counts
    /// #[tool(read_only)]
    /// fn count() -> String {
    ///     (1..100).map(|n| format!("{n} ")).collect()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::builder().tool(Count).max_output(80).result_pages().build()?;
    /// let cx = ToolContext::new();
    /// let reply = tools.call(&ToolCall::new("1", "count", "{}"), &cx).await?;
    /// let text = reply.to_model();
    /// assert!(text.starts_with("1 2 3 ") && text.ends_with("97 98 99 "), "{text}");
    /// assert!(text.contains("208 of 288 characters are left out here; to read them, call result_page"));
    ///
    /// let arguments = text.split_once("result_page ").unwrap().1.split_once("] ...").unwrap().0;
    /// let page = tools.call(&ToolCall::new("2", "result_page", arguments), &cx).await?;
    /// assert!(page.result.output().contains("]\n24 25 26 "), "{}", page.result.output());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn result_pages(mut self) -> Self {
        self.pages = true;
        self
    }

    /// Which changes of the arguments a reply tells the model. By default it tells what was dropped or taken
    /// as absent.
    #[must_use]
    pub fn notes(mut self, notes: Notes) -> Self {
        self.notes = notes;
        self
    }

    /// How long a tool of this list may take.
    #[must_use]
    pub fn timeout(mut self, tool: &str, timeout: Duration) -> Self {
        self.change(tool, |entry| entry.timeout = Some(timeout));
        self
    }

    /// Demands a decision on every call of a tool of this list, whatever its permission.
    #[must_use]
    pub fn require_approval(mut self, tool: &str) -> Self {
        self.change(tool, |entry| {
            entry.approval = ApprovalNeed::Required { role: None }
        });
        self
    }

    /// Like `resume`, with a decision by somebody who acts for a role.
    #[must_use]
    pub fn require_approval_by(mut self, tool: &str, role: impl Into<String>) -> Self {
        let role = Some(role.into());
        self.change(tool, |entry| {
            entry.approval = ApprovalNeed::Required { role }
        });
        self
    }

    /// Gives each tool whose name providers do not take the nearest name that they take, such as
    /// `admin_tools_list` for `admin.tools.list`. [`Toolset::original_name`] gives the name back.
    #[must_use]
    pub fn safe_names(mut self) -> Self {
        self.safe_names = true;
        self
    }

    /// Runs code around every call of this list. The first layer is the innermost; layers of a list that
    /// was added with [`tools`](Self::tools) stay inside of these.
    #[must_use]
    pub fn around(mut self, layer: impl CallLayer + 'static) -> Self {
        self.layers.push(Arc::new(layer));
        self
    }

    fn change(&mut self, tool: &str, change: impl FnOnce(&mut ToolEntry)) {
        match self.entries.iter_mut().find(|entry| &*entry.name == tool) {
            Some(entry) => change(entry),
            None => self.missing.push(Conflict::NoSuchTool {
                name: tool.to_owned(),
            }),
        }
    }

    /// The list.
    ///
    /// # Errors
    /// With all conflicts at once: duplicate names, names that providers do not take, empty
    /// descriptions.
    pub fn build(mut self) -> Result<Toolset, ToolsetError> {
        let max_output = self.max_output.unwrap_or(MAX_OUTPUT);
        let pages = self.pages.then(Arc::<ResultPages>::default);
        if let Some(pages) = &pages {
            let page = ResultPage {
                pages: Arc::clone(pages),
                size: max_output.max(1),
            };
            self.entries.extend(page.tools().0);
        }
        let mut conflicts = Vec::new();
        let mut seen: HashSet<Arc<str>> = HashSet::new();
        for entry in &self.entries {
            if !seen.insert(Arc::clone(&entry.name)) {
                let name = entry.name.to_string();
                conflicts.push(Conflict::DuplicateName { name });
            }
            // A blank name has no safe name.
            let blank = entry.name.trim().is_empty();
            if blank || (!self.safe_names && !is_provider_name(&entry.name)) {
                conflicts.push(Conflict::InvalidName {
                    name: entry.name.to_string(),
                });
            }
            if entry.tool.description().trim().is_empty() {
                conflicts.push(Conflict::EmptyDescription {
                    name: entry.name.to_string(),
                });
            }
            for path in entry.tool.secret_params() {
                if SecretPaths::new([path]).is_err() {
                    let name = entry.name.to_string();
                    conflicts.push(Conflict::InvalidSecretPath {
                        name,
                        path: (*path).to_owned(),
                    });
                }
            }
        }
        conflicts.append(&mut self.missing);
        if self.safe_names {
            make_safe(&mut self.entries, &mut conflicts);
        }
        if !conflicts.is_empty() {
            return Err(ToolsetError { conflicts });
        }
        for entry in &mut self.entries {
            entry.layers.extend(self.layers.iter().cloned());
        }
        let list = ListInner::new(self.entries, max_output, self.notes, pages);
        Ok(Toolset(Arc::new(list)))
    }
}

fn make_safe(entries: &mut [ToolEntry], conflicts: &mut Vec<Conflict>) {
    let mut taken: HashMap<String, Arc<str>> = HashMap::new();
    for entry in entries {
        let safe = provider_name(&entry.name);
        match taken.get(&safe) {
            // Two equal names are a separate conflict.
            Some(first) if *first != entry.name => conflicts.push(Conflict::SameSafeName {
                first: first.to_string(),
                second: entry.name.to_string(),
                safe: safe.clone(),
            }),
            _ => {}
        }
        taken
            .entry(safe.clone())
            .or_insert_with(|| Arc::clone(&entry.name));
        if *entry.name != *safe {
            *entry = entry.named(&safe);
        }
    }
}
