//! One struct with two derives: the exact policy reads exactly what serde reads and the rules
//! allow, as the same value. Intended differences are listed in `parts`.

use std::collections::BTreeMap;

use callpact::{IssueKind, Policy, Report, ToolInput, read_str};
use serde::Deserialize;
use serde_json::{Number, Value};

use super::text_of;

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
struct Twin {
    #[tool_param(min_length = 1, max_length = 8)]
    name: String,
    #[tool_param(min = -5, max = 60_000)]
    count: i32,
    ratio: Option<f64>,
    #[serde(default)]
    flag: bool,
    big: Option<u64>,
    kind: Kind,
    #[serde(default)]
    #[tool_param(max_items = 3)]
    list: Vec<Option<i8>>,
    pair: Option<(u8, String)>,
    map: Option<BTreeMap<String, Vec<bool>>>,
    nested: Option<Box<Inner>>,
    form: Option<Form>,
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Inner {
    #[serde(rename = "type")]
    id: u16,
    note: Option<char>,
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Short,
    VeryLong,
}

#[derive(Debug, PartialEq, Deserialize, ToolInput)]
#[serde(tag = "as")]
enum Form {
    Round { radius: f64 },
    Square { side: u8, tilt: Option<bool> },
}

impl Twin {
    /// The rules that serde does not know.
    fn fits(&self) -> bool {
        (1..=8).contains(&self.name.chars().count())
            && (-5..=60_000).contains(&self.count)
            && self.list.len() <= 3
    }
}

/// Reads a text in both ways and compares.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    let theirs = serde_json::from_str::<Twin>(text);
    let ours = read_str::<Twin>(text, &Policy::exact());
    match (theirs, ours) {
        (Ok(theirs), Ok(ours)) => {
            assert!(theirs.fits(), "a rule was not kept: {theirs:?}");
            assert_eq!(theirs, ours.value);
        }
        (Ok(theirs), Err(report)) => {
            assert!(
                !theirs.fits() || parts(text, &report),
                "serde reads it and we do not: {report}"
            );
        }
        (Err(why), Ok(ours)) => {
            // `5.0` is an integer in JSON Schema, and serde wants it without the fraction. A number
            // that does not fit a float may stand under a key that both skip; then there is no
            // value to compare.
            let Ok(value) = serde_json::from_str::<Value>(text) else {
                return;
            };
            let theirs = serde_json::from_value::<Twin>(whole(value))
                .unwrap_or_else(|_| panic!("we read it and serde does not: {why}"));
            assert!(theirs.fits());
            assert_eq!(theirs, ours.value);
        }
        (Err(_), Err(_)) => {}
    }
}

/// Texts that serde accepts beyond the schema: null for an optional field, a struct as an array, a
/// bare name as `{"name": null}`, a repeated key.
fn parts(text: &str, report: &Report) -> bool {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.is_array()
        || report.issues.iter().all(|issue| {
            issue.kind == IssueKind::DuplicateKey
                || ["null", "an array", "an object"].contains(&&*issue.found)
        })
}

/// Rewrites whole numbers with a fraction or an exponent as digits.
fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(digits(&number).unwrap_or(number)),
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, item)| (key, whole(item)))
            .collect(),
        other => other,
    }
}

fn digits(number: &Number) -> Option<Number> {
    let value = number.as_f64().filter(|_| number.is_f64())?;
    // Up to 2^53, where floats distinguish whole numbers.
    let exact = value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0;
    #[allow(clippy::cast_possible_truncation)] // checked above
    exact.then(|| Number::from(value as i64))
}
