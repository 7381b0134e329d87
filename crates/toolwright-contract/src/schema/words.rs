//! A schema in words, for the side of an issue that says what was expected.

use std::fmt::Write;

use super::{
    Integer, Kind, Number, Schema, Tagging, Text, Union,
    again::{AGAIN_WORDS, is_again},
};

/// How many values of a list are named before the rest is counted.
const NAMED: usize = 12;
/// How many characters of one text are shown.
const SHOWN: usize = 60;
/// How many of the author's words.
const DESCRIBED: usize = 120;

/// What a value of this schema is, in a few words.
pub(crate) fn expected(schema: &Schema) -> String {
    let mut words = roomy();
    expect(schema, &mut words);
    words
}

/// The same with what the value is for.
pub(crate) fn described(schema: &Schema) -> String {
    let mut words = String::with_capacity(48 + schema.description.len().min(DESCRIBED));
    expect(schema, &mut words);
    let said = match schema.description {
        "" if is_again(schema) => AGAIN_WORDS,
        said => said,
    };
    if !said.is_empty() {
        words.push_str(" (");
        put_cut(said, DESCRIBED, &mut words);
        words.push(')');
    }
    words
}

fn expect(schema: &Schema, words: &mut String) {
    match &schema.kind {
        Kind::Any => words.push_str("any value"),
        Kind::Boolean => words.push_str("true or false"),
        Kind::Integer(rules) => integer(rules, words),
        Kind::Number(rules) => number(rules, words),
        Kind::Text(rules) => text(rules, words),
        Kind::List(rules) => {
            words.push_str("an array");
            put_range(rules.min_items, rules.max_items, "item", words);
            if rules.unique {
                words.push_str(", none twice");
            }
        }
        Kind::Tuple(items) => {
            words.push_str("an array of exactly ");
            whole(items.len() as i128, words);
            words.push_str(" items");
        }
        Kind::Map(_) | Kind::Object(_) => words.push_str("an object"),
        Kind::Union(rules) => union(rules, words),
    }
    if schema.nullable {
        words.push_str(", or null");
    }
}

fn integer(rules: &Integer, words: &mut String) {
    if !rules.choices.is_empty() {
        return put_one_of(
            rules.choices.iter(),
            |value, words| whole(*value, words),
            words,
        );
    }
    words.push_str("an integer");
    match (rules.min, rules.max) {
        (Some(min), Some(max)) => {
            words.push_str(" from ");
            whole(min, words);
            words.push_str(" to ");
            whole(max, words);
        }
        (Some(min), None) => {
            words.push_str(" of at least ");
            whole(min, words);
        }
        (None, Some(max)) => {
            words.push_str(" of at most ");
            whole(max, words);
        }
        (None, None) => {}
    }
    if rules.nonzero {
        words.push_str(", not zero");
    }
    if let Some(step) = rules.multiple_of {
        words.push_str(", a multiple of ");
        whole(step, words);
    }
}

fn number(rules: &Number, words: &mut String) {
    words.push_str("a number");
    let mut join = " ";
    if let Some(bound) = rules.min {
        let word = if bound.exclusive {
            "above"
        } else {
            "of at least"
        };
        put(words, format_args!("{join}{word} {}", bound.at.value));
        join = " and ";
    }
    if let Some(bound) = rules.max {
        let word = if bound.exclusive {
            "below"
        } else {
            "of at most"
        };
        put(words, format_args!("{join}{word} {}", bound.at.value));
    }
    if let Some(step) = rules.multiple_of {
        put(words, format_args!(", a multiple of {}", step.value));
    }
}

fn text(rules: &Text, words: &mut String) {
    if !rules.choices.is_empty() {
        let names = rules.choices.iter().map(|choice| choice.name);
        return put_one_of(names, quote, words);
    }
    words.push_str("a string");
    if !rules.form.is_empty() {
        words.push_str(": ");
        words.push_str(rules.form);
        return;
    }
    put_range(rules.min_length, rules.max_length, "character", words);
    if let Some(pattern) = rules.pattern {
        words.push_str(" matching ");
        put_cut(pattern.text, SHOWN, words);
    }
}

fn union(rules: &Union, words: &mut String) {
    let names = |words: &mut String| {
        put_one_of(
            rules.variants.iter().map(|variant| variant.name),
            quote,
            words,
        );
    };
    match rules.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            words.push_str("an object whose `");
            words.push_str(tag);
            words.push_str("` is ");
            names(words);
        }
        Tagging::External
            if rules
                .variants
                .iter()
                .all(|variant| variant.content.is_some()) =>
        {
            words.push_str("an object with a single key, ");
            names(words);
        }
        Tagging::External => {
            names(words);
            words.push_str(", those with content as an object's single key");
        }
        Tagging::None => {
            let forms = rules.variants.iter().filter_map(|variant| variant.content);
            words.push_str(&join_or(forms.map(expected)));
        }
    }
}

pub(super) fn range(min: Option<u64>, max: Option<u64>, unit: &str) -> String {
    let mut words = String::new();
    put_range(min, max, unit, &mut words);
    words
}

fn put_range(min: Option<u64>, max: Option<u64>, unit: &str, words: &mut String) {
    let (word, first, second) = match (min, max) {
        (Some(min), Some(max)) if min == max => (" of exactly ", min, None),
        (Some(min), Some(max)) => (" of ", min, Some(max)),
        (Some(min), None) => (" of at least ", min, None),
        (None, Some(max)) => (" of at most ", max, None),
        (None, None) => return,
    };
    words.push_str(word);
    whole(first.into(), words);
    if let Some(second) = second {
        words.push_str(" to ");
        whole(second.into(), words);
    }
    words.push(' ');
    words.push_str(unit);
    if second.is_some() || first != 1 {
        words.push('s');
    }
}

/// `one of a, b, c and 9 more`; a single value stands alone.
pub(super) fn one_of<T>(
    values: impl ExactSizeIterator<Item = T>,
    write: impl Fn(T, &mut String),
) -> String {
    let mut words = roomy();
    put_one_of(values, write, &mut words);
    words
}

fn put_one_of<T>(
    values: impl ExactSizeIterator<Item = T>,
    write: impl Fn(T, &mut String),
    words: &mut String,
) {
    let total = values.len();
    if total != 1 {
        words.push_str("one of ");
    }
    for (i, value) in values.take(NAMED).enumerate() {
        if i > 0 {
            words.push_str(", ");
        }
        write(value, words);
    }
    if total > NAMED {
        words.push_str(" and ");
        whole((total - NAMED) as i128, words);
        words.push_str(" more");
    }
}

pub(super) fn join_or(forms: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for form in forms {
        if !seen.contains(&form) {
            seen.push(form);
        }
    }
    seen.truncate(NAMED);
    seen.join(" or ")
}

/// Room for what most schemas are in words.
fn roomy() -> String {
    String::with_capacity(48)
}

fn put(words: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = words.write_fmt(more);
}

/// A whole number behind what is there, at a fraction of what formatting costs.
pub(crate) fn whole(value: i128, out: &mut String) {
    if let Some(end) = end_of_type(value) {
        return out.push_str(end);
    }
    let Ok(mut rest) = u64::try_from(value.unsigned_abs()) else {
        return put(out, format_args!("{value}"));
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

/// The long ends of types, which are what most bounds are.
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

/// A text in quotes, cut and with everything invisible made visible.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(SHOWN) + 2);
    quote(text, &mut out);
    out
}

/// The same behind what is there.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    let quotable = |byte: u8| QUOTABLE.get(usize::from(byte)) == Some(&true);
    if text.len() <= SHOWN && text.bytes().all(quotable) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for (n, c) in text.chars().enumerate() {
        if n == SHOWN {
            put(
                out,
                format_args!("…\" ({} characters)", text.chars().count()),
            );
            return;
        }
        put_in_quotes(c, out);
    }
    out.push('"');
}

/// A character as it stands in quotes.
fn put_in_quotes(c: char, out: &mut String) {
    match c {
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        c if invisible(c) => put(out, format_args!("{}", c.escape_unicode())),
        c => out.push(c),
    }
}

/// A key in quotes, at most so many characters of it.
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

/// At most so many characters of a text, invisible ones made visible.
pub fn cut(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most));
    put_cut(text, most, &mut out);
    out
}

/// The same behind what is there.
fn put_cut(text: &str, most: usize, out: &mut String) {
    // Without a way out of the loop, which the compiler then does many bytes at a time.
    if text.len() <= most && text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return out.push_str(text);
    }
    for (n, c) in text.chars().enumerate() {
        if n == most {
            out.push('…');
            break;
        }
        if invisible(c) {
            put(out, format_args!("{}", c.escape_unicode()));
        } else {
            out.push(c);
        }
    }
}

/// The bytes that stand in quotes as they are.
static QUOTABLE: [bool; 256] = {
    let mut quotable = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        quotable[byte as usize] = plain(byte) && !matches!(byte, b'"' | b'\\');
        byte += 1;
    }
    quotable
};

/// A character of ASCII that shows.
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
