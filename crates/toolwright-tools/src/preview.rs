//! The start of a text, for the line that says what a reviewer is asked about. The whole text is the
//! action of the request.

/// How many characters a preview has.
const SHOWN: usize = 200;

pub(crate) fn preview(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
