//! What a reviewer writes in place of what a model wrote.

use toolwright::Halt;
use toolwright::secret::placeholders;

/// The text, unless it names a secret. Those that the call has stand in it already; the name of another
/// would be taken for text, and sent or run as it is.
pub(crate) fn edited(text: String) -> Result<String, Halt> {
    if placeholders(&text).next().is_none() {
        return Ok(text);
    }
    Err(Halt::ReviewFailed(
        "the reviewer's text cannot be used: it names a secret that the call does not have"
            .to_owned(),
    ))
}
