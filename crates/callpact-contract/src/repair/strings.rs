//! Strings of a broken text, rewritten as JSON.

use super::{notes::SeenChanges, room::make_room};
use crate::{report::FixKind, text::TextCursor};

/// Why a string could not be read.
#[derive(Debug)]
pub(super) enum StringFault {
    CutOff,
    Syntax,
    TooLarge,
}

/// Copies the string that starts here, including its quotes, and notes the changes. Its content
/// changes only if it has no other meaning. The output may have `most` bytes.
pub(super) fn copy(
    scan: &mut TextCursor<'_>,
    out: &mut String,
    seen: &mut SeenChanges,
    most: usize,
) -> Result<(), StringFault> {
    let quote = scan.peek().ok_or(StringFault::CutOff)?;
    if !quote.is_ascii() {
        return copy_curly(scan, out, seen, most);
    }
    if quote == b'\'' {
        seen.add(FixKind::QuoteStyle);
    }
    scan.pos += 1;
    out.push('"');
    loop {
        let start = scan.pos;
        scan.skip(|b| b >= b' ' && b != b'"' && b != b'\\' && b != b'\'');
        let run = scan.since(start);
        if out.len() + run.len() > most {
            return Err(StringFault::TooLarge);
        }
        // The escape after the run needs at most twelve bytes: a pair of surrogates.
        make_room(out, run.len() + 12, most);
        out.push_str(run);
        let Some(byte) = scan.peek() else {
            return Err(StringFault::CutOff);
        };
        match byte {
            b if b == quote => {
                scan.pos += 1;
                out.push('"');
                return Ok(());
            }
            b'\'' => {
                scan.pos += 1;
                out.push('\'');
            }
            b'"' => {
                scan.pos += 1;
                out.push_str("\\\"");
            }
            b'\\' => escape(scan, out, quote, seen)?,
            control => {
                scan.pos += 1;
                seen.add(FixKind::ControlCharacter);
                match control {
                    b'\n' => out.push_str("\\n"),
                    b'\r' => out.push_str("\\r"),
                    b'\t' => out.push_str("\\t"),
                    // Other terminal characters are useless in arguments, and may be the rest of
                    // something that was lost.
                    _ => return Err(StringFault::Syntax),
                }
            }
        }
    }
}

/// Copies a string between typographic quotes, if no other quote inside could end it.
fn copy_curly(
    scan: &mut TextCursor<'_>,
    out: &mut String,
    seen: &mut SeenChanges,
    most: usize,
) -> Result<(), StringFault> {
    let rest = scan.rest();
    let (inside, close) = if let Some(inside) = rest.strip_prefix('“') {
        (inside, '”')
    } else if let Some(inside) = rest.strip_prefix('‘') {
        (inside, '’')
    } else {
        return Err(StringFault::Syntax);
    };
    let (inside, _) = inside.split_once(close).ok_or(StringFault::CutOff)?;
    let may_end = |c: char| {
        matches!(c, '"' | '\\' | '“') || c.is_control() || close == '’' && matches!(c, '\'' | '‘')
    };
    if inside.contains(may_end) {
        return Err(StringFault::Syntax);
    }
    if out.len() + inside.len() > most {
        return Err(StringFault::TooLarge);
    }
    make_room(out, inside.len() + 2, most);
    out.push('"');
    out.push_str(inside);
    out.push('"');
    // Each of the two quotes has three bytes.
    scan.pos += inside.len() + 6;
    seen.add(FixKind::QuoteStyle);
    Ok(())
}

fn escape(
    scan: &mut TextCursor<'_>,
    out: &mut String,
    quote: u8,
    seen: &mut SeenChanges,
) -> Result<(), StringFault> {
    let start = scan.pos;
    let next = scan.second().ok_or(StringFault::CutOff)?;
    match next {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
            scan.pos += 2;
            out.push_str(scan.since(start));
            Ok(())
        }
        b'\'' => {
            scan.pos += 2;
            out.push('\'');
            if quote == b'"' {
                seen.add(FixKind::InvalidEscape);
            }
            Ok(())
        }
        b'u' => unicode(scan, out, seen),
        // `\d` may be a pattern or a mistake; the model must say which.
        _ => Err(StringFault::Syntax),
    }
}

fn unicode(
    scan: &mut TextCursor<'_>,
    out: &mut String,
    seen: &mut SeenChanges,
) -> Result<(), StringFault> {
    let start = scan.pos;
    let first = hex(scan)?;
    let whole = match first {
        0xd800..=0xdbff if scan.rest().starts_with("\\u") => {
            let behind = scan.pos;
            let second = hex(scan)?;
            let pair = matches!(second, 0xdc00..=0xdfff);
            if !pair {
                scan.pos = behind;
            }
            pair
        }
        0xd800..=0xdfff => false,
        _ => true,
    };
    if whole {
        out.push_str(scan.since(start));
    } else {
        seen.add(FixKind::LoneSurrogate);
        out.push_str("\\ufffd");
    }
    Ok(())
}

/// The number of a `\uXXXX` that starts here.
fn hex(scan: &mut TextCursor<'_>) -> Result<u32, StringFault> {
    let mut digits = scan.rest().chars().skip(2);
    let mut number = 0;
    for _ in 0..4 {
        let digit = digits.next().ok_or(StringFault::CutOff)?;
        number = number * 16 + digit.to_digit(16).ok_or(StringFault::Syntax)?;
    }
    scan.pos += 6;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_string_stays_within_byte_limit() {
        let copied = |most| {
            let (mut out, mut seen) = (String::new(), SeenChanges::default());
            let read = copy(&mut TextCursor::new("'abcdef'"), &mut out, &mut seen, most);
            (read.is_ok(), out)
        };
        let (fits, out) = copied(7);
        assert!(fits);
        assert_eq!(out, "\"abcdef\"");
        // The quote, the text, and the longest part that may follow it.
        assert!(out.capacity() <= 1 + 6 + 12, "{}", out.capacity());
        assert!(!copied(6).0);
    }
}
