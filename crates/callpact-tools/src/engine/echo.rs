//! Repeats text from the model in a message to the model.

/// Repeats at most `limit` characters of `text`. Characters that could affect a terminal or the
/// lines of a log are escaped.
pub(crate) fn echo(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == limit {
            out.push('…');
            break;
        }
        if c.is_control() || is_format(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// The invisible characters that reorder or hide text.
fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::echo;

    #[test]
    fn long_and_hidden_text_is_tamed() {
        assert_eq!(echo("abcdef", 3), "abc…");
        assert_eq!(echo("a\u{202e}b\u{1b}", 10), "a\\u{202e}b\\u{1b}");
        assert_eq!(echo("grün/日本", 10), "grün/日本");
    }
}
