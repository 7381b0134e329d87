//! The document: its version, its references, its server.

use serde_json::{Map, Value};

use crate::error::OpenApiError;

/// How many references to references are followed.
const DEPTH: usize = 32;

/// The keys of a path whose values are operations.
const METHODS: [&str; 7] = ["get", "head", "options", "post", "put", "patch", "delete"];

/// A document of a known version.
#[derive(Clone, Debug)]
pub(crate) struct ApiDocument {
    root: Value,
    pub(crate) is_swagger: bool,
}

/// An operation as it stands in the document.
pub(crate) struct OperationEntry<'a> {
    pub(crate) path: &'a str,
    pub(crate) method: &'static str,
    /// What the operation shares with the others of its path.
    pub(crate) item: &'a Value,
    pub(crate) operation: &'a Value,
}

impl ApiDocument {
    pub(crate) fn parse(text: &str) -> Result<Self, OpenApiError> {
        let root: Value =
            serde_json::from_str(text).map_err(|error| OpenApiError::Json(error.to_string()))?;
        let version = |key: &str| root.get(key).and_then(Value::as_str).unwrap_or_default();
        let is_swagger = version("swagger").starts_with("2.");
        let is_known = is_swagger || version("openapi").starts_with("3.");
        if !is_known || !root.get("paths").is_some_and(Value::is_object) {
            return Err(OpenApiError::Version);
        }
        Ok(Self { root, is_swagger })
    }

    /// The operations in the order of their paths.
    pub(crate) fn entries(&self) -> impl Iterator<Item = OperationEntry<'_>> {
        let paths = self.root.get("paths").and_then(Value::as_object);
        paths.into_iter().flatten().flat_map(|(path, item)| {
            let item = self.resolve(item);
            METHODS.into_iter().filter_map(move |method| {
                let operation = item.get(method).filter(|operation| operation.is_object())?;
                Some(OperationEntry {
                    path,
                    method,
                    item,
                    operation,
                })
            })
        })
    }

    /// The value that a reference leads to, or the value itself. Null if the reference leads nowhere.
    pub(crate) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        let mut value = value;
        for _ in 0..DEPTH {
            let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
                return value;
            };
            value = self.find(reference).unwrap_or(&Value::Null);
        }
        &Value::Null
    }

    /// The value at a reference inside this document.
    pub(crate) fn find(&self, reference: &str) -> Option<&Value> {
        let pointer = reference.strip_prefix('#')?;
        // Some documents write `{` and a space in a reference as in a URL.
        self.root
            .pointer(pointer)
            .or_else(|| self.root.pointer(&percent_decoded(pointer)))
    }

    /// A table of the document.
    pub(crate) fn table(&self, pointer: &str) -> Option<&Map<String, Value>> {
        self.root.pointer(pointer).and_then(Value::as_object)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.root.get(key)
    }

    /// The address that the document names first, with the defaults of its variables.
    pub(crate) fn server(&self) -> Option<String> {
        if self.is_swagger {
            let host = self.root.get("host")?.as_str()?;
            let schemes = self.root.get("schemes").and_then(Value::as_array);
            let has_http = schemes.is_some_and(|schemes| !schemes.iter().any(|one| one == "https"));
            let scheme = if has_http { "http" } else { "https" };
            let base = self.root.get("basePath").and_then(Value::as_str);
            return Some(format!("{scheme}://{host}{}", base.unwrap_or_default()));
        }
        let server = self.root.pointer("/servers/0")?;
        let mut url = server.get("url")?.as_str()?.to_owned();
        let variables = server.get("variables").and_then(Value::as_object);
        for (name, variable) in variables.into_iter().flatten() {
            let default = variable.get("default").and_then(Value::as_str);
            url = url.replace(&format!("{{{name}}}"), default.unwrap_or_default());
        }
        Some(url)
    }
}

fn percent_decoded(text: &str) -> String {
    let encoded = text.replace('+', "%2B").replace('&', "%26");
    let decoded = url::form_urlencoded::parse(encoded.as_bytes()).next();
    decoded.map_or_else(String::new, |(name, value)| {
        if value.is_empty() {
            name.into_owned()
        } else {
            format!("{name}={value}")
        }
    })
}
