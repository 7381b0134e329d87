//! Secrets that the model names but never sees.
//!
//! The model writes a placeholder, `<secret_ref:NAME>`, where a tool takes a secret. Reviewers, hooks, logs
//! and traces see the placeholder too. A call passes through this module like this:
//!
//! 1. [`SecretPaths::check`] (or [`check_text`](SecretPaths::check_text)) refuses placeholders anywhere but
//!    in the declared parameters and gives the names that are used;
//! 2. after approval, [`ResolvedSecrets::resolve`] asks a [`SecretResolver`] for all of them or fails;
//! 3. [`ResolvedSecrets::substitute`] puts the values into the argument text;
//! 4. [`ResolvedSecrets::redactor`] takes them out of everything that comes back.
//!
//! ```
//! use serde_json::json;
//! use callpact::secret::{MemorySecrets, ResolvedSecrets, SecretPaths};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let paths = SecretPaths::new(["headers[].value"])?;
//! let arguments = r#"{"headers": [{"name": "Authorization", "value": "Bearer <secret_ref:token>"}]}"#;
//!
//! let names = paths.check_text(arguments)?;
//! let store = MemorySecrets::new().with("token", "hunter2-hunter2");
//! let secrets = ResolvedSecrets::resolve(&store, names).await?;
//!
//! let real = secrets.substitute(arguments, &paths)?;
//! assert!(real.expose().contains("Bearer hunter2-hunter2"));
//!
//! let redactor = secrets.redactor();
//! assert_eq!(redactor.redact("sent hunter2-hunter2"), "sent <secret_ref:token>");
//! assert_eq!(redactor.redact_value(&json!("aHVudGVyMi1odW50ZXIy")), json!("<secret_ref:token>"));
//!
//! let error = paths.check_text(r#"{"url": "https://<secret_ref:token>/"}"#).unwrap_err();
//! assert!(error.to_string().starts_with("secret placeholder appears in `url`, which does not take secrets"));
//! # Ok(())
//! # }
//! ```

mod error;
mod location;
mod path;
mod placeholder;
mod redact;
mod resolve;
mod scan;
mod substitute;
mod text;
mod value;

pub use error::{PlaceholderFault, SecretError, SecretPathError};
pub use path::SecretPaths;
pub use placeholder::{MAX_NAME, Placeholder, SecretRef, placeholders};
pub use redact::{RedactStream, Redactor};
pub use resolve::{EnvSecrets, MemorySecrets, ResolveError, ResolvedSecrets, SecretResolver};
pub use scan::{Found, scan_text, scan_value};
pub use value::SecretValue;

pub use crate::crash::BoxFuture;

/// The longest secret in bytes.
pub const MAX_SECRET_BYTES: usize = 64 << 10;

/// The most secrets in one call.
pub const MAX_SECRETS: usize = 128;

/// The most bytes of all secrets in one call together.
pub const MAX_TOTAL_BYTES: usize = 1 << 20;

/// The shortest secret, in characters.
///
/// A shorter one is part of ordinary words and numbers: redacting it would tear holes into every text, and
/// not redacting it would show it to the model. So it is refused.
pub const MIN_SECRET_CHARS: usize = 6;

#[cfg(test)]
mod tests;
