//! A configured web address as a tool.

use std::fmt;
use std::time::Duration;

use callpact::review::{Preview, RequestPreview};
use callpact::{AgentTool, Permission, ToolContext, ToolResult};

use crate::ToolConfigError;
use crate::configured::{CallQuestion, ToolSettings};
use crate::engine::fetch::{Method, Resolver};
use crate::engine::http_call::{HttpCall, HttpCallBuilder, HttpCallError};
use crate::runtime::needs_time;

/// Sends its input to one address that the program chose, and returns the answer.
///
/// With `GET` the input goes into the URL as `?input=…`. Otherwise it is the body, as JSON if it is
/// JSON and as plain text if not. Redirects are not followed.
///
/// ```
/// use std::time::Duration;
/// use callpact_tools::HttpAgentTool;
///
/// let tool = HttpAgentTool::builder()
///     .name("sentiment")
///     .description("Says how a text feels. Input: the text.")
///     .url("https://sentiment.example/v1/score")
///     .secret_header("Authorization", "Bearer s3cret")
///     .timeout(Duration::from_secs(10))
///     .build()?;
/// assert_eq!(callpact::AgentTool::name(&tool), "sentiment");
///
/// let error = HttpAgentTool::get("ping", "Pings it.", " ").map(|_| ()).unwrap_err();
/// assert_eq!(error.to_string(), "url must be set and non-blank");
/// # Ok::<(), callpact_tools::ToolConfigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HttpAgentTool {
    settings: ToolSettings,
    call: HttpCall,
    permission: Permission,
}

impl HttpAgentTool {
    /// Starts the configuration.
    pub fn builder() -> HttpAgentToolBuilder {
        HttpAgentToolBuilder {
            settings: ToolSettings::new(),
            call: HttpCall::builder(),
            method: Method::Post,
            permission: None,
        }
    }

    /// A tool that gets an address, with the defaults for everything else.
    ///
    /// # Errors
    /// Like [`HttpAgentToolBuilder::build`].
    pub fn get(
        name: impl Into<String>,
        description: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Self, ToolConfigError> {
        let builder = Self::builder().name(name).description(description);
        builder.url(url).method(Method::Get).build()
    }

    /// A tool that posts to an address, with the defaults for everything else.
    ///
    /// # Errors
    /// Like [`HttpAgentToolBuilder::build`].
    pub fn post(
        name: impl Into<String>,
        description: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Self, ToolConfigError> {
        let builder = Self::builder().name(name).description(description);
        builder.url(url).method(Method::Post).build()
    }

    fn target(&self) -> String {
        format!("{} {}", self.call.method(), self.call.shown_url())
    }
}

/// Configures an [`HttpAgentTool`].
pub struct HttpAgentToolBuilder {
    settings: ToolSettings,
    call: HttpCallBuilder,
    method: Method,
    permission: Option<Permission>,
}

impl fmt::Debug for HttpAgentToolBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpAgentToolBuilder")
            .field("name", &self.settings.name)
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

impl HttpAgentToolBuilder {
    /// The name that the model calls it by.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// The description for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.settings.description = description.into();
        self
    }

    /// The address of the call.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.call = self.call.url(url);
        self
    }

    /// The method; `POST` by default.
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self.call = self.call.method(method);
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.call = self.call.header(name, value);
        self
    }

    /// Adds a header whose value appears in no text that a model or a reviewer sees.
    #[must_use]
    pub fn secret_header(mut self, name: &str, value: &str) -> Self {
        self.call = self.call.secret_header(name, value);
        self
    }

    /// Names a secret inside the URL, such as a key in its query.
    #[must_use]
    pub fn secret(mut self, value: &str) -> Self {
        self.call = self.call.secret(value);
        self
    }

    /// How long the whole call may take; 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.call = self.call.timeout(timeout);
        self
    }

    /// The most decoded bytes of an answer, after which it is cut and marked; 1 MiB by default.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.call = self.call.max_response_bytes(bytes);
        self
    }

    /// The most bytes of input; 1 MiB by default.
    #[must_use]
    pub fn max_input_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_input = bytes;
        self
    }

    /// Lets the configured host, and only it, have an internal address. Off by default.
    #[must_use]
    pub fn allow_internal(mut self, allow: bool) -> Self {
        self.call = self.call.allow_internal(allow);
        self
    }

    /// Replaces the system's resolver. Its answers are still checked.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolver + 'static) -> Self {
        self.call = self.call.resolver(resolver);
        self
    }

    /// Sends every call to the reviewer; then a call without a reviewer halts. Off by default.
    #[must_use]
    pub fn require_approval(mut self, require: bool) -> Self {
        self.settings.require_approval = require;
        self
    }

    /// How far the tool reaches. The default depends on the method.
    #[must_use]
    pub fn permission(mut self, permission: Permission) -> Self {
        self.permission = Some(permission);
        self
    }

    /// The tool.
    ///
    /// # Errors
    /// [`ToolConfigError`], for the first setting that is missing or wrong.
    pub fn build(self) -> Result<HttpAgentTool, ToolConfigError> {
        self.settings.check()?;
        let call = self.call.build().map_err(|error| match error {
            HttpCallError::UrlMissing => ToolConfigError::Setting("url must be set and non-blank"),
            HttpCallError::Timeout => ToolConfigError::Setting("timeout must be positive"),
            HttpCallError::MaxResponseBytes => {
                ToolConfigError::Setting("maxResponseBytes must be positive")
            }
            other => ToolConfigError::Client(other.to_string()),
        })?;
        let by_method = match self.method {
            Method::Get | Method::Head | Method::Options => Permission::ReadOnly,
            Method::Delete => Permission::Destructive,
            Method::Post | Method::Put | Method::Patch => Permission::Write,
        };
        Ok(HttpAgentTool {
            settings: self.settings,
            call,
            permission: self.permission.unwrap_or(by_method),
        })
    }
}

impl AgentTool for HttpAgentTool {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn description(&self) -> &str {
        &self.settings.description
    }

    fn permission(&self) -> Permission {
        self.permission
    }

    fn asks_itself(&self) -> bool {
        self.settings.require_approval
    }

    /// Secrets of the address are configured; a model cannot send one.
    fn secret_params(&self) -> &'static [&'static str] {
        &[]
    }

    fn precheck_text(&self, input: &str) -> Result<(), String> {
        self.settings.check_input(input)
    }

    /// The request without its headers, which the program chose and which may be secret.
    fn preview_text(&self, input: &str) -> Option<Preview> {
        let (method, url) = (self.call.method(), self.call.shown_url());
        let name = method.as_str();
        Some(Preview::request(match method {
            Method::Get => {
                let mark = if url.contains('?') { '&' } else { '?' };
                RequestPreview::new(name, format!("{url}{mark}input={input}"))
            }
            _ => RequestPreview::new(name, url).body(input),
        }))
    }

    async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
        if let Err(why) = self.precheck_text(input) {
            return ToolResult::failure(why);
        }
        if let Err(halt) = needs_time(&self.settings.name) {
            return ToolResult::halt(halt);
        }
        let question = CallQuestion {
            act: "HTTP ",
            target: &self.target(),
            input: "Body",
            what: "HTTP request",
            for_model: &format!("{} {}", self.call.method(), self.call.shown_path()),
        };
        let input = match self.settings.approve(input, question, cx).await {
            Ok(input) => input,
            Err(error) => return error.into(),
        };
        match self.call.call(&input).await {
            Ok(answer) => ToolResult::success(answer),
            Err(why) => ToolResult::failure(why),
        }
    }
}
