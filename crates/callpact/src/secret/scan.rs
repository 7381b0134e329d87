//! Finding placeholders in arguments.

use serde_json::Value;

use super::location::{StringRole, write_path};
use super::placeholder::placeholders;
use super::text::visit_strings;
use super::{SecretError, SecretRef};
use crate::input::Step;

/// A placeholder in arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub(super) role: StringRole,
    pub(super) path: String,
    pub(super) parts: Vec<Step>,
    pub(super) secret: Option<SecretRef>,
}

impl Found {
    /// The exact path, such as `headers[0].value`. For a placeholder in a key, that of the object.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether it stands in the key of an object.
    pub fn is_key(&self) -> bool {
        self.role == StringRole::Key
    }

    /// Whether it can be the key of a map that is written as a list of pairs.
    pub(crate) fn is_key_of_pair(&self) -> bool {
        match self.parts.as_slice() {
            [.., Step::Index(_), Step::Key(key)] => key == "key",
            [.., Step::Index(_), Step::Index(0)] => true,
            _ => false,
        }
    }

    /// The secret; `None` if the placeholder is malformed.
    pub fn secret(&self) -> Option<&SecretRef> {
        self.secret.as_ref()
    }
}

/// Finds every placeholder in a value, well formed or not, keys included.
///
/// ```
/// use serde_json::json;
/// use callpact::secret::scan_value;
///
/// let found = scan_value(&json!({"a": ["x", "<secret_ref:key>"]}))?;
/// assert_eq!(found[0].path(), "a[1]");
/// # Ok::<(), callpact::secret::SecretError>(())
/// ```
///
/// # Errors
/// When the value is nested too deeply.
pub fn scan_value(value: &Value) -> Result<Vec<Found>, SecretError> {
    scan_text(&value.to_string())
}

/// Finds every placeholder in a JSON text, well formed or not, keys and repeated keys included.
///
/// Placeholders that are written with JSON escapes are found as well.
///
/// # Errors
/// When the text is not JSON, or nested too deeply.
pub fn scan_text(text: &str) -> Result<Vec<Found>, SecretError> {
    let mut found = Vec::new();
    visit_strings(text, |literal| {
        found.extend(placeholders(literal.content).map(|one| Found {
            role: literal.role,
            path: write_path(literal.parts),
            parts: literal.parts.to_vec(),
            secret: one.secret,
        }));
        Ok(())
    })?;
    Ok(found)
}
