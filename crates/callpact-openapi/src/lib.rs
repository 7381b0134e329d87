//! The operations of an OpenAPI document as tools: OpenAPI 3.0 and 3.1 and Swagger 2.0, in JSON.
//!
//! ```
//! use callpact::{Permission, Toolset};
//! use callpact_openapi::OpenApi;
//!
//! let document = r#"{"openapi": "3.1.0", "servers": [{"url": "https://pets.example/v1"}], "paths": {
//!     "/pets/{id}": {"delete": {"operationId": "deletePet", "summary": "Removes a pet", "parameters": [
//!         {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]}}}}"#;
//! let api = OpenApi::parse(document)?.build()?;
//! assert!(api.left_out.is_empty());
//! let tools = Toolset::builder().tools(api.tools).build()?;
//! // How far an operation reaches follows from its method.
//! assert_eq!(tools.permission("deletePet"), Some(Permission::Destructive));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The parameters of an operation are the parameters of its tool, and its body is the parameter `body`. Calls go to
//! the server of the document and to no other; redirects are not followed, and an internal address needs
//! [`allow_internal`](OpenApi::allow_internal). A model sees neither the server nor a credential.
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason

mod api;
mod body;
mod document;
mod error;
mod name;
mod operation;
mod request;
mod schema;
mod security;

pub use api::{Api, LeftOut, OpenApi};
pub use error::OpenApiError;
pub use operation::Operation;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/openapi.md")]
mod guide {}
