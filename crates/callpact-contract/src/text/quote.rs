//! Texts in reports: in quotes, cut, with invisible characters made visible; whole numbers.

use std::fmt::Write;

/// Replaces a text or a key that must not be shown.
pub(crate) const NOT_SHOWN: &str = "(not shown)";

/// How many characters of one text are shown.
pub(crate) const SHOWN: usize = 60;

fn write_args(words: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = words.write_fmt(more);
}

/// Appends a whole number, at a fraction of the cost of formatting.
pub(crate) fn whole(value: i128, out: &mut String) {
    let mut digits = itoa::Buffer::new();
    out.push_str(match i64::try_from(value) {
        Ok(short) => digits.format(short),
        Err(_) => digits.format(value),
    });
}

/// A text in quotes, cut and with invisible characters made visible.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(SHOWN) + 2);
    quote(text, &mut out);
    out
}

/// Appends to a text instead of making a new one.
pub(crate) fn quote(text: &str, out: &mut String) {
    quote_most(text, SHOWN, out);
}

/// Appends a text of the schema, which is never cut.
pub(crate) fn quote_whole(text: &str, out: &mut String) {
    quote_most(text, usize::MAX, out);
}

fn quote_most(text: &str, most: usize, out: &mut String) {
    out.push('"');
    let quotable = |byte: u8| QUOTABLE.get(usize::from(byte)) == Some(&true);
    if text.len() <= most && text.bytes().all(quotable) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for (n, c) in text.chars().enumerate() {
        if n == most {
            write_args(
                out,
                format_args!("…\" ({} characters)", text.chars().count()),
            );
            return;
        }
        put_in_quotes(c, out);
    }
    out.push('"');
}

/// A character in its quoted form.
fn put_in_quotes(c: char, out: &mut String) {
    match c {
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        c if invisible(c) => write_args(out, format_args!("{}", c.escape_unicode())),
        c => out.push(c),
    }
}

/// The most characters of a name that is shown whole.
const NAME: usize = 128;

/// A name that the schema declares, between backticks; in quotes, cut and with invisible characters made visible, if a
/// reader could mistake it for the words around it. The schema of a server may declare any name.
pub(crate) fn ticked(name: &str) -> String {
    let is_shown = |c: char| c != '`' && !invisible(c);
    if name.len() <= NAME && !name.is_empty() && name.chars().all(is_shown) {
        format!("`{name}`")
    } else {
        quoted(name)
    }
}

/// A key in quotes, with at most this many characters.
pub(crate) fn put_key(key: &str, most: usize, out: &mut String) {
    out.push('"');
    let mut characters = key.chars();
    characters
        .by_ref()
        .take(most)
        .for_each(|c| put_in_quotes(c, out));
    if characters.next().is_some() {
        out.push('…');
    }
    out.push('"');
}

/// At most this many characters of a text, with invisible ones made visible.
pub fn cut(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    put_cut(text, most, &mut out);
    out
}

/// Appends to a text instead of making a new one.
pub(crate) fn put_cut(text: &str, most: usize, out: &mut String) {
    // The loop has no early exit, so the compiler can vectorize it.
    if text.len() <= most && text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return out.push_str(text);
    }
    for (n, c) in text.chars().enumerate() {
        if n == most {
            out.push('…');
            break;
        }
        if invisible(c) {
            write_args(out, format_args!("{}", c.escape_unicode()));
        } else {
            out.push(c);
        }
    }
}

/// The bytes that need no change in quotes.
static QUOTABLE: [bool; 256] = {
    let mut quotable = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        quotable[byte as usize] = plain(byte) && !matches!(byte, b'"' | b'\\');
        byte += 1;
    }
    quotable
};

/// A visible ASCII character.
const fn plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// Control, bidirectional and zero-width characters.
fn invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Writes a text as JSON.
pub(crate) fn put_json_text(text: &str, out: &mut String) {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}
