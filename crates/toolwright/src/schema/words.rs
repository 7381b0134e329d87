//! A schema in words, for the side of an issue that says what was expected.

use std::fmt::Write;

use super::{Choice, Integer, Kind, Number, Schema, Tagging, Text, Union};

/// How many values of a list are named before the rest is counted.
const NAMED: usize = 12;
/// How many characters of one text are shown.
const SHOWN: usize = 60;

/// What a value of this schema is, in a few words.
pub(crate) fn expected(schema: &Schema) -> String {
    let mut words = match schema.kind {
        Kind::Any => "any value".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Integer(rules) => integer(&rules),
        Kind::Number(rules) => number(&rules),
        Kind::Text(rules) => text(&rules),
        Kind::List(rules) => {
            let mut words = format!(
                "an array{}",
                range(rules.min_items, rules.max_items, "item")
            );
            if rules.unique {
                words.push_str(", none twice");
            }
            words
        }
        Kind::Tuple(items) => format!("an array of exactly {} items", items.len()),
        Kind::Map(_) | Kind::Object(_) => "an object".to_owned(),
        Kind::Union(rules) => union(&rules),
    };
    if schema.nullable {
        words.push_str(", or null");
    }
    words
}

fn integer(rules: &Integer) -> String {
    if !rules.choices.is_empty() {
        return one_of(rules.choices.iter(), |value, words| whole(*value, words));
    }
    let mut words = roomy("an integer");
    match (rules.min, rules.max) {
        (Some(min), Some(max)) => {
            words.push_str(" from ");
            whole(min, &mut words);
            words.push_str(" to ");
            whole(max, &mut words);
        }
        (Some(min), None) => {
            words.push_str(" of at least ");
            whole(min, &mut words);
        }
        (None, Some(max)) => {
            words.push_str(" of at most ");
            whole(max, &mut words);
        }
        (None, None) => {}
    }
    if rules.nonzero {
        words.push_str(", not zero");
    }
    if let Some(step) = rules.multiple_of {
        put(&mut words, format_args!(", a multiple of {step}"));
    }
    words
}

fn number(rules: &Number) -> String {
    let mut words = roomy("a number");
    let mut join = " ";
    if let Some(bound) = rules.min {
        let word = if bound.exclusive {
            "above"
        } else {
            "of at least"
        };
        put(&mut words, format_args!("{join}{word} {}", bound.at.value));
        join = " and ";
    }
    if let Some(bound) = rules.max {
        let word = if bound.exclusive {
            "below"
        } else {
            "of at most"
        };
        put(&mut words, format_args!("{join}{word} {}", bound.at.value));
    }
    if let Some(step) = rules.multiple_of {
        put(&mut words, format_args!(", a multiple of {}", step.value));
    }
    words
}

fn text(rules: &Text) -> String {
    if !rules.choices.is_empty() {
        return names(rules.choices);
    }
    if !rules.form.is_empty() {
        return format!("a string: {}", rules.form);
    }
    let mut words = roomy("a string");
    words.push_str(&range(rules.min_length, rules.max_length, "character"));
    if let Some(pattern) = rules.pattern {
        put(
            &mut words,
            format_args!(" matching {}", cut(pattern.text, SHOWN)),
        );
    }
    words
}

pub(crate) fn names(choices: &[Choice]) -> String {
    one_of(choices.iter().map(|choice| choice.name), quote)
}

fn union(rules: &Union) -> String {
    let names = || one_of(rules.variants.iter().map(|variant| variant.name), quote);
    match rules.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            format!("an object whose `{tag}` is {}", names())
        }
        Tagging::External
            if rules
                .variants
                .iter()
                .all(|variant| variant.content.is_some()) =>
        {
            format!("an object with a single key, {}", names())
        }
        Tagging::External => format!("{}, those with content as an object's single key", names()),
        Tagging::None => {
            let forms = rules.variants.iter().filter_map(|variant| variant.content);
            join_or(forms.map(expected))
        }
    }
}

pub(super) fn range(min: Option<u64>, max: Option<u64>, unit: &str) -> String {
    let s = |n: u64| if n == 1 { "" } else { "s" };
    match (min, max) {
        (Some(min), Some(max)) if min == max => format!(" of exactly {min} {unit}{}", s(min)),
        (Some(min), Some(max)) => format!(" of {min} to {max} {unit}s"),
        (Some(min), None) => format!(" of at least {min} {unit}{}", s(min)),
        (None, Some(max)) => format!(" of at most {max} {unit}{}", s(max)),
        (None, None) => String::new(),
    }
}

/// `one of a, b, c and 9 more`; a single value stands alone.
pub(super) fn one_of<T>(
    values: impl ExactSizeIterator<Item = T>,
    write: impl Fn(T, &mut String),
) -> String {
    let total = values.len();
    let mut words = roomy(if total == 1 { "" } else { "one of " });
    for (i, value) in values.take(NAMED).enumerate() {
        if i > 0 {
            words.push_str(", ");
        }
        write(value, &mut words);
    }
    if total > NAMED {
        put(&mut words, format_args!(" and {} more", total - NAMED));
    }
    words
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

/// The first words of a line that mostly goes on.
fn roomy(words: &str) -> String {
    let mut out = String::with_capacity(48);
    out.push_str(words);
    out
}

fn put(words: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = words.write_fmt(more);
}

/// A whole number behind what is there, at a fraction of what formatting costs.
pub(crate) fn whole(value: i128, out: &mut String) {
    let Ok(mut rest) = u64::try_from(value.unsigned_abs()) else {
        return put(out, format_args!("{value}"));
    };
    if value < 0 {
        out.push('-');
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

/// A text in quotes, cut and with everything invisible made visible.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(SHOWN) + 2);
    quote(text, &mut out);
    out
}

/// The same behind what is there.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    if text.len() <= SHOWN
        && text
            .bytes()
            .all(|byte| plain(byte) && !matches!(byte, b'"' | b'\\'))
    {
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
    out.push('"');
}

/// At most so many characters of a text, invisible ones made visible.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most && text.bytes().all(plain) {
        return text.to_owned();
    }
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == most {
            out.push('…');
            break;
        }
        if invisible(c) {
            put(&mut out, format_args!("{}", c.escape_unicode()));
        } else {
            out.push(c);
        }
    }
    out
}

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
