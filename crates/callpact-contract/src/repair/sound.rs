//! The faults that `serde_json` overlooks in a value that it ignores: depth, numbers that no float holds,
//! half characters. This does not decode strings, since that needs memory for the longest one.

use crate::{policy::MAX_DEPTH, text::TextCursor};

/// Whether a text that follows JSON's grammar is a value that can be read.
pub(super) fn sound(text: &str) -> bool {
    let mut scan = TextCursor::new(text);
    let mut depth = 0usize;
    while let Some(byte) = scan.peek() {
        match byte {
            b'"' => {
                scan.pos += 1;
                if !string(&mut scan) {
                    return false;
                }
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'-' | b'0'..=b'9' => {
                let start = scan.pos;
                scan.skip(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
                if !scan.since(start).parse().is_ok_and(f64::is_finite) {
                    return false;
                }
                continue;
            }
            _ => {}
        }
        if depth > MAX_DEPTH {
            return false;
        }
        scan.pos += 1;
    }
    true
}

/// Skips the rest of a string. Returns whether its escapes are whole characters.
fn string(scan: &mut TextCursor<'_>) -> bool {
    loop {
        scan.skip(|b| b != b'"' && b != b'\\');
        match (scan.peek(), scan.second()) {
            (Some(b'"'), _) => {
                scan.pos += 1;
                return true;
            }
            (Some(_), Some(b'u')) => match unit(scan) {
                Some(0xd800..=0xdbff) if matches!(unit(scan), Some(0xdc00..=0xdfff)) => {}
                None | Some(0xd800..=0xdfff) => return false,
                Some(_) => {}
            },
            (Some(_), Some(_)) => scan.pos += 2,
            _ => return false,
        }
    }
}

/// The number of a `\uXXXX` at this place.
fn unit(scan: &mut TextCursor<'_>) -> Option<u32> {
    let digits = scan.rest().strip_prefix("\\u")?.get(..4)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    scan.pos += 6;
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::super::envelope::is_json;
    use serde_json::Value;

    /// This holds even with `arbitrary_precision` of `serde_json`, which has other numbers than
    /// floats.
    fn readable(text: &str) -> bool {
        let finite = |value: &Value| match value {
            Value::Number(number) => number.as_f64().is_some(),
            _ => true,
        };
        serde_json::from_str::<Value>(text).is_ok_and(|value| finite(&value))
    }

    /// The result agrees with reading the value, unless it is too deep.
    #[test]
    fn what_is_sound_can_be_read() {
        for text in [
            "1e999",
            "-1e999",
            "[1e308, -0, 5e-324]",
            r#""\ud83d\ude42""#,
            r#""\ud83d""#,
            r#""\ud83dx""#,
            r#""\ud83d\ud83d""#,
            r#""\ude42""#,
            r#""\u00e9\\\"\u0000""#,
            r#"{"a\ud83d": 1}"#,
            r#"{"1e999": "1e999"}"#,
            r#""\u12""#,
            "[1,]",
            "01",
            "tru",
            "",
            " null ",
        ] {
            assert_eq!(is_json(text), readable(text), "{text}");
        }
        // Many values side by side are not deep.
        for empty in ["[]", "{}"] {
            let text = format!("[{}{empty}]", format!("{empty},").repeat(200));
            assert!(is_json(&text), "{empty}");
        }
        for levels in [1, 126, 127, 128, 200] {
            let text = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
            assert_eq!(
                is_json(&text),
                serde_json::from_str::<Value>(&text).is_ok(),
                "{levels}"
            );
        }
    }
}
