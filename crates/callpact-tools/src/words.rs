//! The words of a question to the reviewer of a call.

/// The most characters of a text in the one-line description of the question. The whole text is the
/// action of the request.
const SHOWN: usize = 200;

/// The start of a text, for the one-line description of the question.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
