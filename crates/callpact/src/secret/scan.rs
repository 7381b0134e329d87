//! Finding placeholders in arguments.

use serde_json::Value;

use super::location::{MAX_DEPTH, StringRole, write_path};
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
    let mut found = Vec::new();
    scan_node(value, &mut Vec::new(), &mut found)?;
    Ok(found)
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
        add_placeholders(literal.role, literal.content, literal.parts, &mut found);
        Ok(())
    })?;
    Ok(found)
}

fn scan_node(
    value: &Value,
    parts: &mut Vec<Step>,
    found: &mut Vec<Found>,
) -> Result<(), SecretError> {
    if parts.len() > MAX_DEPTH {
        return Err(SecretError::TooDeep);
    }
    match value {
        Value::String(text) => add_placeholders(StringRole::Value, text, parts, found),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                parts.push(Step::Index(index));
                scan_node(item, parts, found)?;
                parts.pop();
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                add_placeholders(StringRole::Key, key, parts, found);
                parts.push(Step::Key(key.clone()));
                scan_node(field, parts, found)?;
                parts.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn add_placeholders(role: StringRole, text: &str, parts: &[Step], found: &mut Vec<Found>) {
    found.extend(placeholders(text).map(|one| Found {
        role,
        path: write_path(parts),
        parts: parts.to_vec(),
        secret: one.secret,
    }));
}
