//! JSON values in memory: made of the nodes of a document, compared as JSON Schema compares them.

use serde_json::{Number, Value};

use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    policy::MAX_DEPTH,
    schema::{Kind, Schema},
};

pub(crate) const ANY: &Schema = &Schema::of(Kind::Any);

/// The value of a text. Nothing for a text that is not JSON, and for a number that does not fit an `f64`. A key that is
/// given twice has its last value.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let document = JsonDocument::parse(text);
    match document.broken_at() {
        None => value_of(&document, 0, MAX_DEPTH),
        Some(_) => None,
    }
}

/// The value of a node with at most so many levels. `serde_json` would give a meaning to its private keys.
pub(crate) fn value_of(document: &JsonDocument<'_>, node: NodeId, levels: usize) -> Option<Value> {
    let inside = |node| value_of(document, node, levels - 1);
    Some(match document.form(node) {
        NodeForm::Null => Value::Null,
        NodeForm::Boolean(value) => Value::Bool(value),
        NodeForm::Number => {
            let number: Number = serde_json::from_str(document.written(node)).ok()?;
            number.as_f64().filter(|float| float.is_finite())?;
            Value::Number(number)
        }
        NodeForm::Text(_) => Value::String(document.string(node)?.into_owned()),
        NodeForm::List | NodeForm::Object if levels == 0 => return None,
        NodeForm::List => Value::Array(document.items(node).map(inside).collect::<Option<_>>()?),
        NodeForm::Object => {
            let members = document.keys(node);
            let members =
                members.map(|key| Some((document.string(key)?.into_owned(), inside(key + 1)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
    })
}

/// A text that is equal for two values exactly if JSON Schema calls the values equal.
pub(crate) fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (key, value) in entries {
                write(&Value::String(key.clone()), out);
                write(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Number(number) => match whole(number) {
            Some(whole) => out.push_str(&whole.to_string()),
            None => decimal(&number.to_string(), out),
        },
        other => out.push_str(&other.to_string()),
    }
}

/// The most digits of a number of 128 bits.
const DIGITS: i64 = 39;

/// Writes a number as its digits and its power of ten, or a whole number in full if it is not too long: 1, 1.0 and
/// 10e-1 give the same text.
fn decimal(text: &str, out: &mut String) {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => ("-", text),
        None => ("", text),
    };
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{part}");
    let digits = all.trim_end_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        out.push('0');
        return;
    }
    // The length of a text fits 64 bits, but an exponent in it may not.
    let moved =
        i64::try_from(zeros).unwrap_or(i64::MAX) - i64::try_from(part.len()).unwrap_or(i64::MAX);
    let power = power
        .parse::<i64>()
        .ok()
        .and_then(|power| power.checked_add(moved));
    out.push_str(sign);
    out.push_str(digits);
    match power {
        Some(power @ 0..=DIGITS) => {
            (0..power).for_each(|_| out.push('0'));
        }
        Some(power) => {
            out.push('e');
            out.push_str(&power.to_string());
        }
        None => {
            out.push('e');
            out.push_str(text);
        }
    }
}

/// The value of a number that is written as a whole number.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    number.as_i128()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{canonical, parse};

    #[test]
    fn parses_any_value_without_private_keys() {
        let text = r#"[true, false, null, 7, -7, 1.5, "a\n", {"b": [], "c": {}, "b": 2}]"#;
        let value = json!([true, false, null, 7, -7, 1.5, "a\n", {"b": 2, "c": {}}]);
        assert_eq!(parse(text), Some(value));
        for key in ["Number", "RawValue"] {
            let kept = json!({ format!("$serde_json::private::{key}"): "1" });
            assert_eq!(parse(&kept.to_string()), Some(kept));
        }
        for broken in ["", "[1", "1 2", "1e999", r#"["\ud83d"]"#, &"[".repeat(200)] {
            assert_eq!(parse(broken), None, "{broken}");
        }
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(&deep(127)).is_some() && parse(&deep(128)).is_none());
    }

    #[test]
    fn equal_numbers_have_one_text() {
        let text = |number: &str| canonical(&parse(number).expect("a number"));
        for (one, other) in [
            ("1", "1.0"),
            ("10e-1", "1"),
            ("1e2", "100"),
            ("-1.50", "-15e-1"),
            ("0.0", "-0"),
            ("1e40", "10e39"),
            ("123e30", "1.23e32"),
        ] {
            assert_eq!(text(one), text(other));
        }
        for (one, other) in [("1", "-1"), ("1e40", "1e39"), ("1.5", "15"), ("10", "1")] {
            assert_ne!(text(one), text(other));
        }
    }
}
