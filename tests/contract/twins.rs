//! A derived type and its schema as JSON are read alike: verdict, fixes and messages, for every shape of the contract
//! harness, including malformed texts. Each difference has a name.

use std::collections::BTreeMap;

use callpact::{
    __private::is_again,
    Dialect, FixKind, Issue, IssueKind, Policy, Report, Schema,
    input::{Fixes, read_foreign},
    schema::{ForeignSchema, Kind, Unknown},
};
use callpact_tests::{
    exception::{exceptions, loses_digits},
    generate::Generator,
    rng::Rng,
    shapes::{Shape, all},
};
use serde_json::Value;

use crate::{
    agreement::damage,
    schema_and_reader::compile,
    spread::{cases, over},
};

/// The number of values over all shapes, each read under three policies; `CALLPACT_CASES` overrides it.
const CASES: usize = 16_000;

/// The parts of a type that the JSON of its schema does not express, or expresses differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unsaid {
    /// Other names of a field or a variant.
    Alias,
    /// `""` of an optional field is kept.
    KeepEmpty,
    /// `""` of an optional text is absent for a type, and a value for a server.
    EmptyText,
    /// A value must not be shown.
    Secret,
    /// An unknown key is silently dropped, even if it resembles a parameter.
    Silent,
    /// The form of a text that no keyword names.
    Form,
    /// The inside of the place where a type contains itself.
    Recursion,
    /// A map has a closed list of keys: in JSON it is an object.
    ClosedMap,
    /// The arguments are a map, which at run time becomes an object without fields.
    RootMap,
    /// An object without fields means no arguments.
    NoFields,
    /// Null is not a value of an optional field of any JSON.
    OpenNull,
    /// Items are equal after conversion: a type holds both, or one, and a server refuses them.
    EqualAfter,
    /// A key that no parameter takes: a type skips it, however often it is repeated and whatever number it holds.
    SentOn,
    /// A number is an `f32`: the fix of a text shows its digits.
    Single,
    /// Rules in code.
    AuthorRule,
    /// The exceptions that the harness of the contract names as well, such as the ends of 64 bits.
    Value,
}

/// The differences that a shape may have anywhere.
fn unsaid(schema: &Schema, found: &mut Vec<Unsaid>) {
    if schema.secret {
        found.push(Unsaid::Secret);
    }
    if is_again(schema) {
        found.push(Unsaid::Recursion);
    }
    match &schema.kind {
        Kind::Object(rules) => {
            if rules.unknown == Unknown::Ignore {
                found.push(Unsaid::Silent);
            }
            if rules.fields.is_empty() {
                found.push(Unsaid::NoFields);
            }
            for field in rules.fields.iter() {
                if field.keep_empty {
                    found.push(Unsaid::KeepEmpty);
                }
                if !field.aliases.is_empty() {
                    found.push(Unsaid::Alias);
                }
                if !field.required && matches!(field.schema.kind, Kind::Any) {
                    found.push(Unsaid::OpenNull);
                }
            }
        }
        Kind::Union(rules) => {
            if rules.unknown == Unknown::Ignore {
                found.push(Unsaid::Silent);
            }
            if rules.variants.iter().any(|one| !one.aliases.is_empty()) {
                found.push(Unsaid::Alias);
            }
        }
        Kind::Text(rules) if rules.choices.iter().any(|one| !one.aliases.is_empty()) => {
            found.push(Unsaid::Alias);
        }
        Kind::Text(rules) if !rules.form.is_empty() => found.push(Unsaid::Form),
        Kind::Map(rules) if !rules.keys.is_empty() => found.push(Unsaid::ClosedMap),
        _ => {}
    }
    schema.has_part(|part| {
        unsaid(part, found);
        false
    });
}

/// The differences that a shape may have.
fn unsaid_of(shape: &Shape) -> Vec<Unsaid> {
    let mut found = Vec::new();
    unsaid(shape.schema, &mut found);
    if matches!(shape.schema.kind, Kind::Map(_)) {
        found.push(Unsaid::RootMap);
    }
    if ["Converted", "Range"].contains(&shape.name) {
        found.push(Unsaid::AuthorRule);
    }
    found
}

/// The fixes or messages of a reading, with two exceptions. A server gets undeclared keys of an open schema, and a
/// typed tool drops them, so if the text breaks inside one, only the server names it. And notes in the tree,
/// besides an author's words, are in the description in JSON.
fn told(read: Result<Fixes, Report>) -> Result<Vec<String>, Vec<String>> {
    match read {
        Ok(fixes) => {
            let told = fixes
                .iter()
                .filter(|fix| fix.kind != FixKind::UnknownDropped);
            Ok(told.map(|fix| format!("{:?} {fix}", fix.kind)).collect())
        }
        Err(report) => {
            let line = |issue: &Issue| {
                let said = match issue.kind {
                    IssueKind::NotJson | IssueKind::CutOff => {
                        format!("{} {} {:?}", issue.expected, issue.found, issue.hint)
                    }
                    IssueKind::Missing => {
                        let said = issue.expected.split(" (").next().unwrap_or_default();
                        format!("{} {said} {:?}", issue.path, issue.hint)
                    }
                    _ => issue.to_string(),
                };
                format!("{:?} {said}", issue.kind)
            };
            Err(report.issues.iter().map(line).collect())
        }
    }
}

/// Whether the two differ because only the JSON of the type reports a repeated key, or a number that does not fit a
/// float. Such a call is refused for it, whatever else is wrong.
fn passes_over(
    typed: &Result<Vec<String>, Vec<String>>,
    by_json: &Result<Vec<String>, Vec<String>>,
) -> bool {
    let is_told = |line: &String| {
        let kinds = ["DuplicateKey", "DuplicateMerged"];
        kinds.iter().any(|kind| line.starts_with(kind)) || line.contains("number out of range")
    };
    let told = |lines: &[String]| lines.iter().filter(|line| is_told(line)).count();
    match (typed, by_json) {
        (Ok(_), Err(lines)) => told(lines) == lines.len(),
        (Ok(one), Ok(other)) => {
            let rest = other.iter().filter(|line| !is_told(line));
            told(one) == 0 && rest.eq(one)
        }
        (Err(one), Err(other)) => told(other) > told(one) || is_before_the_break(one, other),
        // One of several equal values is taken, and may be a wrapper.
        (Err(_), Ok(lines)) => told(lines) > 0,
    }
}

/// Whether the two differ only in texts that a type reads as absent.
fn keeps_empty_text(typed: &[String], by_json: &[String]) -> bool {
    let is_other = |line: &&String| !line.starts_with("EmptyAsAbsent");
    typed
        .iter()
        .filter(is_other)
        .eq(by_json.iter().filter(is_other))
}

/// Whether only the type reports the unknown key at whose value the text breaks.
fn is_before_the_break(typed: &[String], by_json: &[String]) -> bool {
    let is_known = |line: &&String| !line.starts_with("UnknownKey");
    by_json.iter().any(|line| line.starts_with("NotJson"))
        && typed
            .iter()
            .filter(is_known)
            .eq(by_json.iter().filter(is_known))
}

/// Whether the two differ in the digits of numbers that are equal as `f32`, which JSON does not know.
fn are_singles(one: &[String], other: &[String]) -> bool {
    let number = |text: &str| text.parse::<f32>().ok();
    let is_single = |(one, other): (&String, &String)| {
        let (Some((from, to)), Some((from_other, to_other))) =
            (one.split_once(" read as "), other.split_once(" read as "))
        else {
            return one == other;
        };
        from == from_other
            && (to == to_other
                || from.starts_with("NumberFromText") && number(to) == number(to_other))
    };
    one.len() == other.len() && one.iter().zip(other).all(is_single)
}

/// Whether a doubled item is among the faults.
fn names_twice(read: Option<&Result<Vec<String>, Vec<String>>>) -> bool {
    let is_twice = |line: &String| line.starts_with("DuplicateItem");
    read.is_some_and(|read| read.as_ref().is_err_and(|lines| lines.iter().any(is_twice)))
}

/// A text as models spoil it.
pub(crate) fn spoil(text: &str, rng: &mut Rng) -> String {
    let cut = rng.below(text.len() + 1);
    match rng.below(24) {
        0 => text.chars().take(cut).collect(),
        1 => text.replace('"', "'"),
        2 => text.replace('}', ",}"),
        3 => format!("{text} and so on"),
        4 => format!("```json\n{text}\n```"),
        5 => text.replace("true", "True").replace("null", "None"),
        6 => text.replacen('{', "{\"mode\": 1, ", 1),
        7 => text.replace('"', "\u{201c}"),
        8 => text
            .replacen('"', "\u{201c}", 1)
            .replacen('"', "\u{201d}", 1),
        9 => text.replacen(',', ", // so\n", 1),
        10 => text.replacen(':', ": /* so */", 2),
        11 => text.replacen('{', "{# so\n", 1),
        12 => text.replace(char::is_numeric, "NaN"),
        13 => text.replacen(char::is_numeric, "1e999", 1),
        14 => text.replacen(char::is_numeric, "+1", 1),
        15 => text.replacen(char::is_numeric, ".5", 1),
        16 => text.replacen(char::is_numeric, "0x1F", 1),
        17 => text.replacen(char::is_numeric, "1_000", 1),
        18 => format!("\u{feff}{text}"),
        19 => text.replacen('"', "\"\\ud800", 2),
        20 => text.replacen(',', " ", 1),
        21 => text.replacen('[', "[[[", 1).replacen(']', "]]]", 1),
        22 => twice(text, rng),
        _ => text.replacen("\":", "\n\":", 1).replacen("\",", "\t\",", 1),
    }
}

/// A text in which one of the entries is repeated, with an equal or another value.
fn twice(text: &str, rng: &mut Rng) -> String {
    let Ok(Value::Object(map)) = serde_json::from_str(text) else {
        return text.to_owned();
    };
    let at = rng.below(map.len().max(1));
    let Some((key, value)) = map.iter().nth(at) else {
        return text.to_owned();
    };
    let value = if rng.one_in(2) {
        value.to_string()
    } else {
        "1".to_owned()
    };
    let key = Value::from(key.as_str()).to_string();
    match rng.below(3) {
        0 => text.replacen('{', &format!("{{{key}: {value}, "), 1),
        1 => text.replacen('{', &format!("{{{}: {value}, ", key.to_uppercase()), 1),
        _ => {
            let end = text.trim_end_matches('}').len();
            format!("{}, {key}: {value}{}", &text[..end], &text[end..])
        }
    }
}

/// Whether a number, or a text with one, exceeds the precision of floats, if the type reports more.
fn is_far(value: &Value) -> bool {
    match value {
        Value::Number(_) => loses_digits(value),
        Value::String(text) => serde_json::from_str(text).is_ok_and(|inner| is_far(&inner)),
        Value::Array(items) => items.iter().any(is_far),
        Value::Object(map) => map.values().any(is_far),
        _ => false,
    }
}

#[derive(Default)]
struct Tally {
    read: usize,
    refused: usize,
    named: BTreeMap<Unsaid, usize>,
    failures: Vec<String>,
}

fn compare(shape: &Shape, seed: u64, cases: usize) -> Tally {
    let foreign = ForeignSchema::parse(shape.whole).unwrap_or_else(|faults| panic!("{faults}"));
    let validator = compile(shape.whole);
    let mut generator = Generator::new(seed);
    let mut tally = Tally::default();
    let shape_wide = unsaid_of(shape);
    for _ in 0..cases {
        let mut value = generator.case(shape.schema).value;
        for _ in 0..generator.rng.below(3) {
            damage(&mut value, &mut generator.rng);
        }
        let mut text = value.to_string();
        if generator.rng.one_in(4) {
            text = spoil(&text, &mut generator.rng);
        }
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            // A typed tool also counts the keys that it drops.
            let policy = policy.with_max_issues(1_000);
            let typed = told((shape.read_text)(&text, &policy));
            let by_json = told(read_foreign(&text, &foreign, &policy).map(|read| read.fixes));
            *(if typed.is_ok() {
                &mut tally.read
            } else {
                &mut tally.refused
            }) += 1;
            if typed == by_json {
                continue;
            }
            let named = || {
                let valid = |value: &Value| validator.is_valid(value);
                is_far(&value)
                    || !exceptions(shape, Dialect::Mcp20260728, &value, &valid).is_empty()
            };
            // Arguments in a wrapper or a list are only searched, so faults in them are not reported.
            let inner = value.get("arguments").or_else(|| value.get(0));
            let inner = inner.map(Value::to_string);
            let inner =
                inner.map(|text| told(read_foreign(&text, &foreign, &policy).map(|it| it.fixes)));
            let equal_after = policy.converts()
                && [Some(&by_json), inner.as_ref()]
                    .into_iter()
                    .any(names_twice);
            match shape_wide.first() {
                _ if passes_over(&typed, &by_json) => {
                    *tally.named.entry(Unsaid::SentOn).or_default() += 1;
                }
                _ if matches!((&typed, &by_json), (Ok(one), Ok(other)) if are_singles(one, other)) =>
                {
                    *tally.named.entry(Unsaid::Single).or_default() += 1;
                }
                _ if matches!((&typed, &by_json), (Ok(one), Ok(other)) if keeps_empty_text(one, other)) =>
                {
                    *tally.named.entry(Unsaid::EmptyText).or_default() += 1;
                }
                _ if equal_after => *tally.named.entry(Unsaid::EqualAfter).or_default() += 1,
                Some(unsaid) => *tally.named.entry(*unsaid).or_default() += 1,
                None if named() => *tally.named.entry(Unsaid::Value).or_default() += 1,
                None if tally.failures.len() < 3 => tally.failures.push(format!(
                    "{} {policy:?}\n{text}\ntyped {typed:#?}\njson {by_json:#?}\n{}",
                    shape.name, shape.whole
                )),
                None => {}
            }
        }
    }
    tally
}

#[test]
fn every_shape_and_its_json_are_read_alike() {
    let shapes = all();
    let each = cases(CASES) / shapes.len();
    let mut total = Tally::default();
    for tally in over(&shapes, |i, shape| compare(shape, 0x71 + i as u64, each)) {
        total.read += tally.read;
        total.refused += tally.refused;
        total.failures.extend(tally.failures);
        for (name, count) in tally.named {
            *total.named.entry(name).or_default() += count;
        }
    }
    println!(
        "{} read, {} refused, {:?}",
        total.read, total.refused, total.named
    );
    let failures = total.failures.len();
    assert!(
        failures == 0,
        "{failures} differences:\n{}",
        total.failures.join("\n")
    );
    assert!(total.read > each * 20 && total.refused > each * 20);
}

/// A reply ends with the form of a nested parameter. It is the same for a type and for its JSON, unless the shape has a
/// text form, or a recursive place, which stays open in JSON.
#[test]
fn excerpts_of_types_and_json_are_equal() {
    let shapes = all();
    let each = cases(16_000) / shapes.len();
    let counts = over(&shapes, |i, shape| {
        let foreign = ForeignSchema::parse(shape.whole).unwrap_or_else(|faults| panic!("{faults}"));
        let mut generator = Generator::new(0x73 + i as u64);
        let named = unsaid_of(shape);
        let is_named = named.contains(&Unsaid::Form) || named.contains(&Unsaid::Recursion);
        let mut compared = 0;
        for _ in 0..each {
            let mut value = generator.case(shape.schema).value;
            damage(&mut value, &mut generator.rng);
            damage(&mut value, &mut generator.rng);
            let text = value.to_string();
            let typed = (shape.read_text)(&text, &Policy::lax());
            let by_json = read_foreign(&text, &foreign, &Policy::lax());
            let (Err(typed), Err(by_json)) = (typed, by_json) else {
                continue;
            };
            // Their lines are compared by another test.
            if typed.to_string() != by_json.to_string() {
                continue;
            }
            compared += 1;
            let of_type = typed.with_excerpt(shape.schema);
            let of_json = by_json.with_excerpt(foreign.tree());
            assert!(
                of_type == of_json || is_named,
                "{} {text}\n{of_type}\n{of_json}",
                shape.name
            );
        }
        compared
    });
    let compared: usize = counts.into_iter().sum();
    assert!(compared > each * 20, "{compared}");
}
