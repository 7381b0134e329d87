//! The check of tools that take one text.

/// Refuses an object in place of the text that a tool takes, such as `{"expression": "2 + 3"}`.
pub(crate) fn check_is_text(input: &str, example: &str) -> Result<(), String> {
    if input.trim_start().starts_with('{') {
        return Err(format!(
            "This tool takes one text: send it as `input`, such as {{\"input\": \"{example}\"}}"
        ));
    }
    Ok(())
}
