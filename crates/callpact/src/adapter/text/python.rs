//! Calls and values in the syntax of Python.

use super::cursor::{BodyStep, CutText, TextCursor, is_name, quote, read_parts};
use crate::adapter::ToolCall;

/// The deepest nesting.
const DEPTH: usize = 100;
const NO_VALUE: CutText = CutText::Fault("a value is no literal of Python");
const NO_CALL: CutText = CutText::Fault("expected a call such as `name(key=value)`");

/// Reads calls: in brackets with commas between them, or each in a line of its own.
pub(super) fn read_body(cursor: &mut TextCursor<'_>) -> BodyStep<Vec<ToolCall>> {
    let mut calls = Vec::new();
    cursor.skip_space();
    let is_list = cursor.take("[")?;
    loop {
        cursor.skip_space();
        match cursor.peek() {
            None if is_list || calls.is_empty() => return Err(CutText::More),
            Some(letter) if is_name(letter) => calls.push(read_call(cursor)?),
            Some(']') if is_list => {
                cursor.at += 1;
                break;
            }
            _ if is_list || calls.is_empty() => return Err(NO_CALL),
            _ => break,
        }
        cursor.skip_space();
        if is_list {
            match cursor.peek().ok_or(CutText::More)? {
                ',' => cursor.at += 1,
                ']' => {}
                _ => return Err(NO_CALL),
            }
        } else if matches!(cursor.peek(), Some(';' | ',')) {
            cursor.at += 1;
        }
    }
    if calls.is_empty() {
        return Err(NO_CALL);
    }
    Ok(calls)
}

/// Whether a call begins here: a name before `(`, perhaps in brackets.
pub(super) fn begins(mut cursor: TextCursor<'_>) -> BodyStep<bool> {
    let is_list = cursor.take("[")?;
    if is_list {
        cursor.skip_space();
    }
    let name = cursor.take_while(is_name)?;
    cursor.skip_space();
    Ok(!name.is_empty() && cursor.is_at("(")?)
}

fn read_call(cursor: &mut TextCursor<'_>) -> BodyStep<ToolCall> {
    let name = cursor.take_while(is_name)?.to_owned();
    cursor.skip_space();
    if !cursor.take("(")? {
        return Err(NO_CALL);
    }
    let mut keys: Vec<&str> = Vec::new();
    let (parts, _) = read_parts(cursor, ')', &NO_VALUE, |cursor| {
        let key = cursor.take_while(is_name)?;
        cursor.skip_space();
        let is_keyword = !key.is_empty() && cursor.take("=")?;
        if !is_keyword {
            return Err(CutText::Fault("an argument has no name"));
        }
        if keys.contains(&key) {
            return Err(CutText::Fault("an argument comes twice"));
        }
        if keys.len() == 256 {
            return Err(CutText::Fault("it has too many arguments"));
        }
        keys.push(key);
        Ok(format!("{}:{}", quote(key), read_value(cursor, 0)?))
    })?;
    Ok(ToolCall::new("", name, format!("{{{}}}", parts.join(","))))
}

/// Reads a literal and writes it as JSON.
pub(super) fn read_value(cursor: &mut TextCursor<'_>, depth: usize) -> BodyStep<String> {
    if depth > DEPTH {
        return Err(CutText::Fault("its values are nested too deeply"));
    }
    cursor.skip_space();
    match cursor.peek().ok_or(CutText::More)? {
        '[' => read_items(cursor, ']', depth),
        '(' => read_items(cursor, ')', depth),
        '{' => read_braces(cursor, depth),
        '"' | '\'' => read_strings(cursor),
        letter if letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.') => {
            let word = cursor.take_while(|it| is_name(it) || it == '+')?;
            number(word).ok_or(NO_VALUE)
        }
        _ => {
            let start = *cursor;
            let word = cursor.take_while(is_name)?;
            match word {
                "True" | "true" => Ok("true".to_owned()),
                "False" | "false" => Ok("false".to_owned()),
                "None" | "null" => Ok("null".to_owned()),
                _ if matches!(cursor.peek(), Some('"' | '\'')) => {
                    *cursor = start;
                    read_strings(cursor)
                }
                _ => Err(NO_VALUE),
            }
        }
    }
}

fn read_items(cursor: &mut TextCursor<'_>, close: char, depth: usize) -> BodyStep<String> {
    cursor.next()?;
    let read = |cursor: &mut TextCursor<'_>| read_value(cursor, depth + 1);
    let (mut items, is_open) = read_parts(cursor, close, &NO_VALUE, read)?;
    // One value in parentheses is that value.
    if close == ')' && items.len() == 1 && !is_open {
        return Ok(items.remove(0));
    }
    Ok(format!("[{}]", items.join(",")))
}

/// A dictionary or a set.
fn read_braces(cursor: &mut TextCursor<'_>, depth: usize) -> BodyStep<String> {
    cursor.next()?;
    let mut is_set = None;
    let mut keys = std::collections::HashSet::new();
    let (parts, _) = read_parts(cursor, '}', &NO_VALUE, |cursor| {
        let first = read_value(cursor, depth + 1)?;
        cursor.skip_space();
        let has_value = cursor.peek().ok_or(CutText::More)? == ':';
        if *is_set.get_or_insert(!has_value) == has_value {
            return Err(NO_VALUE);
        }
        if !has_value {
            return Ok(first);
        }
        cursor.at += 1;
        let key = match first.chars().next() {
            Some('"') => first,
            Some('-' | '0'..='9') => quote(&first),
            _ => return Err(NO_VALUE),
        };
        let part = format!("{key}:{}", read_value(cursor, depth + 1)?);
        if !keys.insert(key) {
            return Err(CutText::Fault("a key comes twice"));
        }
        Ok(part)
    })?;
    let parts = parts.join(",");
    Ok(if is_set == Some(true) {
        format!("[{parts}]")
    } else {
        format!("{{{parts}}}")
    })
}

/// Strings beside each other are one.
fn read_strings(cursor: &mut TextCursor<'_>) -> BodyStep<String> {
    let mut text = String::new();
    loop {
        read_string(cursor, &mut text)?;
        let mut ahead = *cursor;
        ahead.skip_space();
        match ahead.peek() {
            Some('"' | '\'') if ahead.at > cursor.at => *cursor = ahead,
            // Without white space this is a quote that was not escaped.
            Some('"' | '\'') => return Err(CutText::Fault("a quote in a string is not escaped")),
            _ => return Ok(quote(&text)),
        }
    }
}

fn read_string(cursor: &mut TextCursor<'_>, text: &mut String) -> BodyStep<()> {
    let prefix = cursor.take_while(char::is_alphabetic)?.to_ascii_lowercase();
    let (is_raw, is_format) = match prefix.as_str() {
        "" | "u" => (false, false),
        "r" => (true, false),
        "f" => (false, true),
        _ => return Err(NO_VALUE),
    };
    let quote = cursor.next()?;
    let three: String = std::iter::repeat_n(quote, 3).collect();
    let two: String = std::iter::repeat_n(quote, 2).collect();
    let rest = cursor.rest();
    let is_long = if rest.starts_with(&two[..1]) {
        // An empty string, or three quotes.
        let behind = rest
            .chars()
            .nth(1)
            .map_or(!cursor.is_whole, |it| it == quote);
        if rest.len() == 1 && !cursor.is_whole {
            return Err(CutText::More);
        }
        behind
    } else {
        false
    };
    if is_long {
        cursor.at += 2;
    }
    loop {
        if is_long {
            if cursor.take(&three)? {
                return Ok(());
            }
        } else if cursor.peek() == Some(quote) {
            cursor.at += 1;
            return Ok(());
        }
        match cursor.next()? {
            '\\' if is_raw => {
                text.push('\\');
                text.push(cursor.next()?);
            }
            '\\' => read_escape(cursor, text)?,
            '{' | '}' if is_format => return Err(CutText::Fault("a string has places to fill in")),
            letter => text.push(letter),
        }
    }
}

fn read_escape(cursor: &mut TextCursor<'_>, text: &mut String) -> BodyStep<()> {
    let letter = cursor.next()?;
    let code = match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '\\' | '\'' | '"' => letter,
        '\n' => return Ok(()),
        'x' => read_code(cursor, 2)?,
        'u' => {
            let high = read_hex(cursor, 4)?;
            // JSON's way of writing a large character occurs too.
            if (0xD800..0xDC00).contains(&high) && cursor.take("\\u")? {
                let low = read_hex(cursor, 4)?;
                let code = 0x10000 + ((high - 0xD800) << 10) + low.wrapping_sub(0xDC00);
                char::from_u32(code).ok_or(NO_VALUE)?
            } else {
                char::from_u32(high).ok_or(NO_VALUE)?
            }
        }
        'U' => read_code(cursor, 8)?,
        '0'..='7' => {
            let mut code = letter.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(digit) = cursor.peek().and_then(|it| it.to_digit(8)) else {
                    break;
                };
                cursor.at += 1;
                code = code * 8 + digit;
            }
            char::from_u32(code).ok_or(NO_VALUE)?
        }
        other => {
            text.push('\\');
            other
        }
    };
    text.push(code);
    Ok(())
}

fn read_hex(cursor: &mut TextCursor<'_>, digits: usize) -> BodyStep<u32> {
    let mut code: u32 = 0;
    for _ in 0..digits {
        let digit = cursor.next()?.to_digit(16).ok_or(NO_VALUE)?;
        code = code.wrapping_mul(16).wrapping_add(digit);
    }
    Ok(code)
}

fn read_code(cursor: &mut TextCursor<'_>, digits: usize) -> BodyStep<char> {
    char::from_u32(read_hex(cursor, digits)?).ok_or(NO_VALUE)
}

/// A number of Python as one of JSON.
pub(super) fn number(word: &str) -> Option<String> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = digits.to_ascii_lowercase().strip_prefix(prefix) {
            let value = u64::from_str_radix(&digits.replace('_', ""), radix).ok()?;
            return Some(format!("{sign}{value}"));
        }
    }
    let is_plain = |it: &str| !it.is_empty() && !it.starts_with('_') && !it.ends_with('_');
    if !is_plain(digits) {
        return None;
    }
    let digits = digits.replace('_', "");
    if digits.bytes().all(|it| it.is_ascii_digit()) {
        let digits = digits.trim_start_matches('0');
        return Some(format!(
            "{sign}{}",
            if digits.is_empty() { "0" } else { digits }
        ));
    }
    // `nan` and `inf` are no literals.
    let is_number = digits
        .bytes()
        .all(|it| it.is_ascii_digit() || matches!(it, b'.' | b'e' | b'E' | b'+' | b'-'));
    let value: f64 = digits
        .parse()
        .ok()
        .filter(|it: &f64| is_number && it.is_finite())?;
    let text = format!("{sign}{digits}");
    if serde_json::from_str::<serde_json::Number>(&text).is_ok() {
        return Some(text);
    }
    let number = serde_json::Number::from_f64(value)?;
    Some(format!("{sign}{number}"))
}
