//! The settings of a list of tools, and the tools.

use std::{fmt, sync::Arc, time::Duration};

use callpact::{DynamicTool, Halt, ToolContext, ToolResult, schema::ForeignSchema};
use callpact_tools::engine::{
    address::AddressPolicy,
    fetch::{FetchError, Fetcher, Oversize, Ports, Secrets},
};
use serde_json::Value;
use url::Url;

use crate::{
    document::ApiDocument,
    error::OpenApiError,
    name::UniqueNames,
    operation::{Operation, RequestPlan, read, wanted_name},
    request::{RequestFault, SchemeCredentials, make_request},
    security::has_scheme,
};

/// The most characters of an error answer that a model sees.
const SHOWN: usize = 400;

/// An OpenAPI document, and how its operations are called.
pub struct OpenApi {
    document: ApiDocument,
    server: Option<String>,
    prefix: String,
    keeps: Box<OperationFilter>,
    credentials: SchemeCredentials,
    allow_internal: bool,
    timeout: Duration,
    max_bytes: usize,
}

/// Says which operations become tools.
type OperationFilter = dyn Fn(&Operation) -> bool;

/// The tools of a document.
#[derive(Debug)]
#[non_exhaustive]
pub struct Api {
    /// One tool for each operation, in the order of the document.
    pub tools: Vec<DynamicTool>,
    /// The operations that cannot be tools.
    pub left_out: Vec<LeftOut>,
}

/// An operation that cannot be a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name that its tool would have.
    pub name: String,
    /// Why it is no tool.
    pub reason: String,
}

impl fmt::Debug for OpenApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenApi")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

impl OpenApi {
    /// Reads a document.
    ///
    /// # Errors
    /// If it is not JSON, or not a document of a known version.
    pub fn parse(text: &str) -> Result<Self, OpenApiError> {
        Ok(Self {
            document: ApiDocument::parse(text)?,
            server: None,
            prefix: String::new(),
            keeps: Box::new(|_| true),
            credentials: SchemeCredentials::new(),
            allow_internal: false,
            timeout: Duration::from_secs(30),
            max_bytes: 1 << 20,
        })
    }

    /// Sets the address that the paths of the operations follow, instead of the first one of the document.
    #[must_use]
    pub fn server(mut self, url: impl Into<String>) -> Self {
        self.server = Some(url.into());
        self
    }

    /// Begins the name of every tool with a text, such as `github_`.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Keeps only some operations. A document can have hundreds, and a model chooses badly among so many.
    ///
    /// ```
    /// # let document = r#"{"openapi": "3.0.0", "paths": {}}"#;
    /// use callpact::Permission;
    ///
    /// let api = callpact_openapi::OpenApi::parse(document)?
    ///     .filter(|operation| operation.permission == Permission::ReadOnly && !operation.deprecated);
    /// # Ok::<(), callpact_openapi::OpenApiError>(())
    /// ```
    #[must_use]
    pub fn filter(mut self, keeps: impl Fn(&Operation) -> bool + 'static) -> Self {
        self.keeps = Box::new(keeps);
        self
    }

    /// Sets the credential of a security scheme of the document: a key, a token, or `name:password`. It goes only
    /// into requests of operations that name the scheme, and is removed from what a model reads.
    #[must_use]
    pub fn credential(mut self, scheme: impl Into<String>, value: impl Into<String>) -> Self {
        self.credentials.insert(scheme.into(), value.into());
        self
    }

    /// Lets the server have an internal address. Off by default.
    #[must_use]
    pub fn allow_internal(mut self, allow: bool) -> Self {
        self.allow_internal = allow;
        self
    }

    /// How long a request may take; 30 seconds by default.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The most bytes of an answer, after which it is cut and marked; 1 MiB by default.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Makes the tools. Without a server their calls halt.
    ///
    /// # Errors
    /// If the server cannot be used, or the document has no scheme for a credential.
    pub fn build(self) -> Result<Api, OpenApiError> {
        let missing = self.credentials.keys();
        for name in missing {
            if !has_scheme(&self.document, name) {
                return Err(OpenApiError::Credential(name.clone()));
            }
        }
        let caller = Arc::new(self.caller()?);
        let mut names = UniqueNames::default();
        let (mut tools, mut left_out) = (Vec::new(), Vec::new());
        for entry in self.document.entries() {
            let wanted = format!("{}{}", self.prefix, wanted_name(&entry));
            let name = names.add(&wanted);
            let read = match read(&self.document, &entry, name) {
                Ok(read) if (self.keeps)(&read.operation) => read,
                Ok(_) => continue,
                Err((name, reason)) => {
                    left_out.push(LeftOut { name, reason });
                    continue;
                }
            };
            let name = read.operation.name;
            let (plan, caller) = (Arc::new(read.plan), Arc::clone(&caller));
            let call = move |arguments: Value, _: ToolContext| {
                let (plan, caller) = (Arc::clone(&plan), Arc::clone(&caller));
                async move { caller.call(&plan, &arguments).await }
            };
            let made = ForeignSchema::from_value(read.schema)
                .map_err(|faults| faults.to_string())
                .and_then(|schema| {
                    DynamicTool::with_schema(&name, read.description, Some(schema), call)
                        .map_err(|error| error.to_string())
                });
            match made {
                Ok(tool) => tools.push(tool.with_permission(read.operation.permission)),
                Err(reason) => left_out.push(LeftOut { name, reason }),
            }
        }
        Ok(Api { tools, left_out })
    }

    fn caller(&self) -> Result<RequestSender, OpenApiError> {
        let mut secrets = Secrets::new();
        for value in self.credentials.values() {
            secrets.add(value);
        }
        let given = self.server.clone();
        let is_given = given.is_some();
        let server = match given.or_else(|| self.document.server()) {
            // A document may leave its server to the place that it was loaded from.
            Some(url) if !is_given && !url.contains("://") => None,
            Some(url) => Some(self.open(&url)?),
            None => None,
        };
        Ok(RequestSender {
            server,
            credentials: self.credentials.clone(),
            secrets,
            max_bytes: self.max_bytes,
        })
    }

    /// A client that reaches this server and no other.
    fn open(&self, url: &str) -> Result<(Url, Fetcher), OpenApiError> {
        let fault = |why: &str| OpenApiError::Server(why.to_owned());
        let url = Url::parse(url).map_err(|error| OpenApiError::Server(error.to_string()))?;
        let host = url.host_str().ok_or_else(|| fault("it names no host"))?;
        let port = url
            .port_or_known_default()
            .ok_or_else(|| fault("it has no port"))?;
        let policy = AddressPolicy::public();
        let policy = if self.allow_internal {
            policy.allow_host(host)
        } else {
            policy
        };
        let fetcher = Fetcher::builder()
            .addresses(policy)
            .ports(Ports::Only(vec![port]))
            .timeout(self.timeout)
            .max_bytes(self.max_bytes)
            .on_oversize(Oversize::Truncate)
            .max_redirects(0)
            .build()
            .map_err(|error| OpenApiError::Server(error.to_string()))?;
        Ok((url, fetcher))
    }
}

/// Makes the requests of all tools of a document.
struct RequestSender {
    server: Option<(Url, Fetcher)>,
    credentials: SchemeCredentials,
    secrets: Secrets,
    max_bytes: usize,
}

impl RequestSender {
    async fn call(&self, plan: &RequestPlan, arguments: &Value) -> ToolResult {
        let Some((server, fetcher)) = &self.server else {
            let words = "the document names no server: set one";
            return ToolResult::halt(Halt::misconfigured(words));
        };
        let nothing = serde_json::Map::new();
        let arguments = arguments.as_object().unwrap_or(&nothing);
        let request = match make_request(plan, server, arguments, &self.credentials, &self.secrets)
        {
            Ok(request) => request,
            Err(RequestFault::Arguments(why)) => return ToolResult::failure(why),
            Err(RequestFault::Setup(why)) => return ToolResult::halt(Halt::misconfigured(why)),
        };
        let answer = match fetcher.fetch(request).await {
            Ok(answer) => answer,
            Err(error) => return ToolResult::failure(self.describe(plan, &error)),
        };
        let text = self.secrets.redact(&answer.text());
        if answer.is_success() {
            return match text.trim() {
                "" => ToolResult::success(format!("HTTP {}", answer.status)),
                _ if answer.truncated => {
                    let limit = self.max_bytes;
                    ToolResult::success(format!("{text}\n[response truncated at {limit} bytes]"))
                }
                _ => ToolResult::success(text),
            };
        }
        let shown: String = text.trim().chars().take(SHOWN).collect();
        let between = if shown.is_empty() { "" } else { ": " };
        let status = answer.status;
        ToolResult::failure(format!("HTTP {status}{between}{shown}"))
    }

    /// The words about a failed request. They name the path, since the server is no matter of the model.
    fn describe(&self, plan: &RequestPlan, error: &FetchError) -> String {
        let words = self.secrets.redact(&error.without_host());
        format!("{} {} failed: {words}", plan.method, plan.path)
    }
}
