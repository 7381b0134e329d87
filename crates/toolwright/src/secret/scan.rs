//! Finding placeholders in arguments.

use serde_json::Value;

use super::path::{Step, show};
use super::placeholder::placeholders;
use super::text::visit_strings;
use super::{SecretError, SecretRef};

/// How deep arguments are looked into: deeper than `serde_json` reads into a `Value`.
pub(super) const MAX_DEPTH: usize = 256;

/// Whether a string is a key or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Key,
    Value,
}

/// A placeholder in arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub(super) place: Place,
    pub(super) path: String,
    pub(super) steps: Vec<Step>,
    pub(super) secret: Option<SecretRef>,
}

impl Found {
    /// The exact path, such as `headers[0].value`. For a placeholder in a key, that of the object.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether it stands in the key of an object.
    pub fn is_key(&self) -> bool {
        self.place == Place::Key
    }

    /// Whether it can be the key of a map that is written as a list of pairs.
    pub(crate) fn is_key_of_pair(&self) -> bool {
        match self.steps.as_slice() {
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
/// use toolwright::secret::scan_value;
///
/// let found = scan_value(&json!({"a": ["x", "<secret_ref:key>"]}))?;
/// assert_eq!(found[0].path(), "a[1]");
/// # Ok::<(), toolwright::secret::SecretError>(())
/// ```
///
/// # Errors
/// When the value is nested more deeply than JSON is read.
pub fn scan_value(value: &Value) -> Result<Vec<Found>, SecretError> {
    let mut found = Vec::new();
    walk(value, &mut Vec::new(), &mut found)?;
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
        note(literal.place, literal.content, literal.steps, &mut found);
        Ok(())
    })?;
    Ok(found)
}

fn walk(value: &Value, steps: &mut Vec<Step>, found: &mut Vec<Found>) -> Result<(), SecretError> {
    if steps.len() > MAX_DEPTH {
        return Err(SecretError::TooDeep);
    }
    match value {
        Value::String(text) => note(Place::Value, text, steps, found),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                steps.push(Step::Index(index));
                walk(item, steps, found)?;
                steps.pop();
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                note(Place::Key, key, steps, found);
                steps.push(Step::Key(key.clone()));
                walk(field, steps, found)?;
                steps.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn note(place: Place, text: &str, steps: &[Step], found: &mut Vec<Found>) {
    found.extend(placeholders(text).map(|one| Found {
        place,
        path: show(steps),
        steps: steps.to_vec(),
        secret: one.secret,
    }));
}
