//! A tool's hints about itself for hosts and their users.

use std::borrow::Cow;

use serde_json::Value;

use crate::review::ToolServer;

/// A tool's hints about itself for hosts and their users, beside its [`Permission`](super::Permission). Over
/// MCP these are annotations of the tool. Models do not read them, and only [`idempotent`](Self::idempotent)
/// changes how calls run: such a tool runs again if nobody knows whether it ran.
///
/// ```
/// use callpact::tool::ToolHints;
///
/// let hints = ToolHints::new().with_title("Delete a report").idempotent(true);
/// assert_eq!(hints.title.as_deref(), Some("Delete a report"));
/// assert_eq!((hints.idempotent, hints.open_world), (Some(true), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolHints {
    /// A name for people, such as "Delete a report".
    pub title: Option<Cow<'static, str>>,
    /// Whether a call that is repeated with the same arguments changes nothing more. With a
    /// [store](crate::ToolContext::with_store), a call that started and has no result runs again only if
    /// this is `Some(true)`.
    pub idempotent: Option<bool>,
    /// Whether the tool reaches beyond the program, as a web search does.
    pub open_world: Option<bool>,
    /// Words by which a program or a host sorts its tools.
    pub tags: Vec<Cow<'static, str>>,
    /// Further facts for hosts, by name: `_meta` of the tool over MCP.
    pub meta: Vec<(Cow<'static, str>, Value)>,
    /// The server that the tool comes from, if it is not one of the program.
    pub server: Option<ToolServer>,
    /// The form of the input, if the tool takes free text. Its one parameter is a string named `input`. OpenAI gets a
    /// custom tool, whose input the model writes without JSON around it; everybody else gets the parameter.
    pub text: Option<TextInput>,
}

/// The form of the input of a tool that takes free text.
///
/// ```
/// use callpact::{Dialect, Toolset, tool};
///
/// /// Answers a query
/// #[tool(read_only, text, regex = "SELECT .+")]
/// fn query(sql: String) -> String {
///     format!("no rows for {sql}")
/// }
///
/// # fn main() -> Result<(), callpact::ToolsetError> {
/// let tools = Toolset::builder().tool(Query).build()?;
/// assert_eq!(
///     tools.specs(Dialect::OpenAiResponses),
///     r#"[{"type":"custom","name":"query","description":"Answers a query","format":{"type":"grammar","syntax":"regex","definition":"SELECT .+"}}]"#,
/// );
/// assert_eq!(
///     tools.specs(Dialect::Anthropic),
///     r#"[{"name":"query","description":"Answers a query","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}]"#,
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextInput {
    /// Any text.
    Any,
    /// A text of a grammar in Lark's form, which OpenAI enforces.
    Lark(Cow<'static, str>),
    /// A text that fits a regular expression, which OpenAI enforces.
    Regex(Cow<'static, str>),
}

impl ToolHints {
    /// No hints.
    pub const fn new() -> Self {
        Self {
            title: None,
            idempotent: None,
            open_world: None,
            tags: Vec::new(),
            meta: Vec::new(),
            text: None,
            server: None,
        }
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets whether a repeated call changes nothing more.
    #[must_use]
    pub const fn idempotent(mut self, idempotent: bool) -> Self {
        self.idempotent = Some(idempotent);
        self
    }

    /// Sets that the tool takes free text.
    #[must_use]
    pub fn with_text(mut self, text: TextInput) -> Self {
        self.text = Some(text);
        self
    }

    /// Names the server that the tool comes from.
    #[must_use]
    pub fn with_server(mut self, server: ToolServer) -> Self {
        self.server = Some(server);
        self
    }

    /// Sets whether the tool reaches beyond the program.
    #[must_use]
    pub const fn open_world(mut self, open_world: bool) -> Self {
        self.open_world = Some(open_world);
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<Cow<'static, str>>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Adds a fact for hosts. MCP wants a name of its own with a prefix, such as `example.com/team`.
    #[must_use]
    pub fn with_meta(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Value>,
    ) -> Self {
        self.meta.push((name.into(), value.into()));
        self
    }
}
