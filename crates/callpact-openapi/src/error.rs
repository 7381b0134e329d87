//! Why a document cannot be used.

use std::fmt;

/// Why a document cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenApiError {
    /// The text is not JSON.
    Json(String),
    /// The text is not an OpenAPI document of a known version.
    Version,
    /// The address of the server is not usable.
    Server(String),
    /// The document has no security scheme of this name.
    Credential(String),
}

impl fmt::Display for OpenApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "not JSON: {error}"),
            Self::Version => {
                f.write_str("not a document of OpenAPI 3.0 or 3.1 or of Swagger 2.0, with `paths`")
            }
            Self::Server(why) => write!(f, "the server of the document: {why}"),
            Self::Credential(name) => write!(f, "the document has no security scheme `{name}`"),
        }
    }
}

impl std::error::Error for OpenApiError {}
