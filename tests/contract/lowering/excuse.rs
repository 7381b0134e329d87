//! Reasons why the reader may refuse a value that a lowered schema admits: the description states
//! the rule, or the exception has a name.

use callpact::{
    Dialect, Issue, IssueKind, Report, Schema,
    input::Step,
    schema::{Kind, Tagging},
};
use callpact_tests::{
    exception::{NamedException, exceptions},
    shapes::Shape,
};
use serde_json::Value;

use super::{Lowered, Named};

/// Why a generated value is not a value of the type.
pub(super) fn of_sample(shape: &Shape, value: &Value) -> Option<Named> {
    exceptions(shape, Dialect::Mcp20260728, value, &|_| false)
        .into_iter()
        .find_map(|named| match named {
            NamedException::Recursion => Some(Named::Recursion),
            NamedException::AuthorRule => Some(Named::AuthorRule),
            NamedException::OtherForm => Some(Named::OtherForm),
            _ => None,
        })
}

/// A bare variant name where the arguments must be an object.
pub(super) fn unit_at_root(schema: &Schema, value: &Value) -> bool {
    matches!(&schema.kind, Kind::Union(rules) if rules.tagging == Tagging::External)
        && value.is_string()
}

fn of_two_forms(shape: &Shape, value: &Value) -> bool {
    exceptions(shape, Dialect::Mcp20260728, value, &|_| false).contains(&NamedException::OtherForm)
}

fn root_union(schema: &Schema) -> bool {
    matches!(schema.kind, Kind::Union(_))
}

/// An unknown key that another variant declares.
pub(super) fn flat_root_key(shape: &Shape, lowered: &Lowered, value: &Value) -> bool {
    let named = exceptions(shape, Dialect::Portable, value, &|_| false);
    named.contains(&NamedException::FlatRootKey) && lowered.schema.get("anyOf").is_none()
}

/// The exceptions that explain a whole report, or the issue that nothing explains.
pub(super) fn of_report(
    shape: &Shape,
    lowered: &Lowered,
    value: &Value,
    report: &Report,
) -> Result<Option<Named>, String> {
    let mut found = None;
    for issue in &report.issues {
        let named = of_issue(shape, lowered, value, issue)
            .ok_or_else(|| format!("{issue} ({:?})", issue.kind))?;
        found = found.or(named);
    }
    Ok(found)
}

/// `None` if nothing explains it, `Some(None)` if the words do.
fn of_issue(
    shape: &Shape,
    lowered: &Lowered,
    value: &Value,
    issue: &Issue,
) -> Option<Option<Named>> {
    let way = walk(&lowered.schema, issue.path.steps());
    if in_words(&way, issue) {
        return Some(None);
    }
    let named = if way
        .said
        .iter()
        .any(|said| said.contains("the same form again"))
    {
        Named::Recursion
    } else if issue.kind == IssueKind::Invalid && (shape.refuses)(value) {
        Named::AuthorRule
    } else if way.said.iter().any(|said| {
        said.contains("whose values are all") || said.contains("the values of all other")
    }) {
        Named::MapInWords
    } else if issue.kind == IssueKind::UnknownKey && proposes_a_name(issue) {
        Named::Misspelt
    } else if issue.kind == IssueKind::DuplicateKey {
        Named::PairTwice
    } else if issue.kind == IssueKind::OutOfRange && far(issue)
        || issue.expected.contains("a name is an integer of 64 bits")
    {
        Named::FarEnd
    } else if of_two_forms(shape, value) {
        Named::OtherForm
    } else if root_union(shape.schema) {
        let flat = lowered.schema.get("anyOf").is_none();
        let unit = value.is_string();
        return (flat || unit).then_some(Some(Named::FlatRoot));
    } else {
        return None;
    };
    Some(Some(named))
}

/// Whether a value has a whole number that llama.cpp's grammars cannot bound.
pub(super) fn has_far_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().map_or(number.is_u64(), |number| {
            number == i64::MAX || number <= -i64::MAX
        }),
        Value::Array(items) => items.iter().any(has_far_number),
        Value::Object(map) => map.values().any(has_far_number),
        _ => false,
    }
}

fn proposes_a_name(issue: &Issue) -> bool {
    let hint = issue.hint.as_deref().unwrap_or_default();
    let is_misplaced =
        hint.ends_with(" out of it") || hint.ends_with("move it there, or leave it out");
    hint.starts_with("did you mean `") || hint.starts_with("it resembles `") || is_misplaced
}

/// The descriptions on the way to a place, and the nodes at its end.
struct Way<'a> {
    said: Vec<&'a str>,
    nodes: Vec<&'a Value>,
}

fn walk<'a>(schema: &'a Value, steps: &[Step]) -> Way<'a> {
    let mut way = Way {
        said: Vec::new(),
        nodes: vec![schema],
    };
    way.open();
    for step in steps {
        let mut next = Vec::new();
        for node in &way.nodes {
            match step {
                Step::Key(key) => {
                    let extra = node.get("additionalProperties");
                    next.extend(node["properties"].get(key).or(extra));
                    // The entry of a map, named by its key.
                    next.extend(node["items"]["properties"].get("value"));
                }
                Step::Index(index) => {
                    next.extend(node["prefixItems"].get(index).or(node.get("items")));
                }
            }
        }
        way.nodes = next;
        way.open();
    }
    way
}

impl Way<'_> {
    /// Steps into alternatives, and notes the words.
    fn open(&mut self) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at).copied() {
            self.said.extend(node["description"].as_str());
            self.nodes
                .extend(node["anyOf"].as_array().into_iter().flatten());
            at += 1;
        }
    }
}

/// Whether a description on the way to the issue states its rule.
fn in_words(way: &Way<'_>, issue: &Issue) -> bool {
    let says = |words: &str| way.said.iter().any(|said| said.contains(words));
    match issue.kind {
        IssueKind::OutOfRange => {
            numbers(&issue.expected).all(|number| {
                let kept = way
                    .nodes
                    .iter()
                    .any(|node| node.to_string().contains(&number));
                kept || says(&number)
            }) && numbers(&issue.expected).next().is_some()
                || issue.expected.contains("zero") && says("not zero")
        }
        IssueKind::Length => says("length: "),
        IssueKind::Pattern => {
            let form = issue.expected.trim_end_matches(", or null");
            says("pattern: ") || says(form)
        }
        IssueKind::ItemCount => says(" items"),
        IssueKind::DuplicateItem => says("no item twice"),
        IssueKind::NotAChoice => says("one of: "),
        IssueKind::UnknownKey => says("no other keys") || says("an object of the keys "),
        IssueKind::NoVariant => says("no other keys"),
        IssueKind::Invalid if issue.expected.contains("a name is an integer") => {
            let (_, key) = issue.expected.split_once("a name is ").unwrap_or_default();
            says(&format!("each key: {key}"))
        }
        IssueKind::WrongType | IssueKind::Invalid => {
            // Pairs, and positions of a tuple.
            issue.expected == "an object of one `key` and one `value`" && says("as key/value pairs")
                || says("in this order: ")
        }
        _ => false,
    }
}

fn numbers(words: &str) -> impl Iterator<Item = String> {
    words
        .split(|c: char| !(c.is_ascii_digit() || "-.".contains(c)))
        .map(|part| part.trim_matches('.').to_owned())
        .filter(|part| part.contains(|c: char| c.is_ascii_digit()))
}

/// Whether the rule is a bound that comes from a type of 32 or 64 bits.
fn far(issue: &Issue) -> bool {
    let ends = [
        i128::from(i32::MIN),
        i128::from(i32::MAX),
        i128::from(u32::MAX),
        i128::from(i64::MIN),
        i128::from(i64::MAX),
        i128::from(u64::MAX),
    ];
    numbers(&issue.expected).any(|number| {
        number
            .parse()
            .is_ok_and(|number: i128| ends.contains(&number))
    }) || issue.expected == "an integer"
}
