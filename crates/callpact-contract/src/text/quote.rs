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
    if let Ok(digit @ 0..10) = u8::try_from(value) {
        return out.push(char::from(b'0' + digit));
    }
    if let Some(end) = end_of_type(value) {
        return out.push_str(end);
    }
    let Ok(mut rest) = u64::try_from(value.unsigned_abs()) else {
        return write_args(out, format_args!("{value}"));
    };
    if value < 0 {
        out.push('-');
    }
    if rest < 100 {
        if rest > 9 {
            out.push(char::from(b'0' + (rest / 10 % 10) as u8));
        }
        return out.push(char::from(b'0' + (rest % 10) as u8));
    }
    let mut digits = [b'0'; 20];
    let mut start = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start = place;
        if rest == 0 {
            break;
        }
    }
    let digits = digits.get(start..).unwrap_or_default();
    out.push_str(std::str::from_utf8(digits).unwrap_or_default());
}

/// The long ends of the number types, which most bounds are.
fn end_of_type(value: i128) -> Option<&'static str> {
    const U32: i128 = u32::MAX as i128;
    const U64: i128 = u64::MAX as i128;
    const I32: [i128; 2] = [i32::MIN as i128, i32::MAX as i128];
    const I64: [i128; 2] = [i64::MIN as i128, i64::MAX as i128];
    Some(match value {
        -32_768..=32_767 => return None,
        U32 => "4294967295",
        U64 => "18446744073709551615",
        _ if value == I32[0] => "-2147483648",
        _ if value == I32[1] => "2147483647",
        _ if value == I64[0] => "-9223372036854775808",
        _ if value == I64[1] => "9223372036854775807",
        _ => return None,
    })
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

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_whole_number_is_written_as_formatting_would() {
        let ends = [
            i128::from(i8::MIN),
            i128::from(u8::MAX),
            i128::from(i16::MIN),
            i128::from(u16::MAX),
            i128::from(i32::MIN),
            i128::from(i32::MAX),
            i128::from(u32::MAX),
            i128::from(i64::MIN),
            i128::from(i64::MAX),
            i128::from(u64::MAX),
            0,
            10,
            100,
            1_000,
        ];
        let around = ends.iter().flat_map(|end| [end - 1, *end, end + 1, -end]);
        for value in around.chain([i128::MIN, i128::MAX]) {
            let mut words = String::from("a");
            whole(value, &mut words);
            assert_eq!(words, format!("a{value}"));
        }
    }
}
