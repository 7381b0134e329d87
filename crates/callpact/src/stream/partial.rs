//! The value of arguments that are still arriving.

use serde_json::Value;

use crate::input::stream::GrowingDocument;

/// The value of arguments so far, for showing them while the model writes: strings and lists grow, and a number, a
/// boolean and a key are there once they are complete. `None` before the first value, and for a text that is not JSON.
///
/// It reads the whole text. [`TurnAssembler::partial`](super::TurnAssembler::partial) and
/// [`GrowingDocument`] read each byte once. Nothing should run on a partial value: a text that ends early is never one
/// that the model meant.
///
/// ```
/// use serde_json::json;
/// use callpact::stream::partial_value;
///
/// let so_far = r#"{"to": ["Ada", "B"#;
/// assert_eq!(partial_value(so_far), Some(json!({"to": ["Ada", "B"]})));
/// assert_eq!(partial_value(r#"{"to": ["Ada"], "amount": 1"#), Some(json!({"to": ["Ada"]})));
/// assert_eq!(partial_value("no JSON"), None);
/// ```
pub fn partial_value(text: &str) -> Option<Value> {
    let mut document = GrowingDocument::new();
    document.push(text);
    document.value().filter(|_| !document.is_broken())
}
