//! The types whose schema the macro knows by their name, as JSON with the rules of a field.

use std::fmt::Write;

use syn::{GenericArgument, PathArguments, Type};

use super::rules;
use crate::{
    attrs::values::ValueKind,
    model::{declaration::Field, types},
};

/// The number of a wrapped type is the number of the inner type times this, plus the number of the wrapper.
const WRAPPERS: u64 = 32;

/// A type whose schema is known by its name.
pub(super) struct Known {
    /// Equal to `PLAIN` of the type.
    pub(super) number: u64,
    pub(super) node: Node,
}

pub(super) enum Node {
    Boolean,
    Text,
    Number,
    Integer(Option<i128>, Option<i128>),
    /// With the text of the items.
    List(String),
    /// With the text of the values.
    Map(String),
}

pub(super) fn known(ty: &Type) -> Option<Known> {
    let last = types::last_segment(ty)?;
    let name = last.ident.to_string();
    let (number, node) = match (name.as_str(), &last.arguments) {
        ("Vec", PathArguments::AngleBracketed(args)) if args.args.len() == 1 => {
            let (number, json) = inside(args.args.first()?)?;
            (wrapped(number, 17)?, Node::List(json))
        }
        ("BTreeMap" | "HashMap", PathArguments::AngleBracketed(args)) if args.args.len() == 2 => {
            let GenericArgument::Type(key) = args.args.first()? else {
                return None;
            };
            if types::last_segment(key)?.ident != "String" {
                return None;
            }
            let (number, json) = inside(args.args.last()?)?;
            (wrapped(number, 18)?, Node::Map(json))
        }
        (name, PathArguments::None) => match name {
            "bool" => (2, Node::Boolean),
            "String" => (3, Node::Text),
            "f32" => (4, Node::Number),
            "f64" => (5, Node::Number),
            "i8" => (6, Node::between(i8::MIN, i8::MAX)),
            "i16" => (7, Node::between(i16::MIN, i16::MAX)),
            "i32" => (8, Node::between(i32::MIN, i32::MAX)),
            "i64" => (9, Node::Integer(None, None)),
            "isize" => (10, Node::Integer(None, None)),
            "u8" => (11, Node::between(u8::MIN, u8::MAX)),
            "u16" => (12, Node::between(u16::MIN, u16::MAX)),
            "u32" => (13, Node::between(u32::MIN, u32::MAX)),
            "u64" => (14, Node::Integer(Some(0), None)),
            "usize" => (15, Node::Integer(Some(0), None)),
            _ => return None,
        },
        _ => return None,
    };
    Some(Known { number, node })
}

/// The number and the text of a type inside another one.
fn inside(argument: &GenericArgument) -> Option<(u64, String)> {
    let GenericArgument::Type(ty) = argument else {
        return None;
    };
    let Known { number, node } = known(ty)?;
    Some((number, format!("{}{}}}", node.start(), node.own_rules())))
}

/// The number of a type inside an `Option`, a list or a map.
pub(super) fn wrapped(number: u64, wrapper: u64) -> Option<u64> {
    number.checked_mul(WRAPPERS)?.checked_add(wrapper)
}

impl Node {
    fn between(min: impl Into<i128>, max: impl Into<i128>) -> Self {
        Self::Integer(Some(min.into()), Some(max.into()))
    }

    /// The beginning, up to the name of the type.
    pub(super) fn start(&self) -> &'static str {
        match self {
            Self::Boolean => "{\"type\":\"boolean\"",
            Self::Text => "{\"type\":\"string\"",
            Self::Number => "{\"type\":\"number\"",
            Self::Integer(..) => "{\"type\":\"integer\"",
            Self::List(_) => "{\"type\":\"array\"",
            Self::Map(_) => "{\"type\":\"object\"",
        }
    }

    /// The keywords after the description, for a field without rules.
    fn own_rules(&self) -> String {
        match self {
            Self::Boolean | Self::Text | Self::Number => String::new(),
            Self::Integer(min, max) => bounds(*min, *max),
            Self::List(items) => format!(",\"items\":{items}"),
            Self::Map(values) => format!(",\"additionalProperties\":{values}"),
        }
    }

    /// The keywords after the description; `None` if a rule does not fit the type or is not written here.
    pub(super) fn rules(&self, field: &Field) -> Option<String> {
        let attrs = &field.attrs;
        let lengths = [
            attrs.min_length.map(|count| count.value),
            attrs.max_length.map(|count| count.value),
        ];
        let items = [
            attrs.min_items.map(|count| count.value),
            attrs.max_items.map(|count| count.value),
        ];
        let ends_given = [attrs.min.is_some(), attrs.max.is_some()];
        let written = lengths.iter().chain(&items).flatten().count()
            + ends_given.iter().filter(|given| **given).count()
            + usize::from(attrs.pattern.is_some());
        let is_number = matches!(self, Self::Number | Self::Integer(..));
        let misplaced = !matches!(self, Self::Text)
            && (lengths != [None; 2] || attrs.pattern.is_some())
            || !matches!(self, Self::List(_)) && items != [None; 2]
            || !is_number && ends_given != [false; 2];
        // A misplaced rule is an error of the author. A rule that is not known here is written from the tree.
        if misplaced || written != rules::count(field) {
            return None;
        }
        Some(match self {
            Self::Integer(min, max) => {
                let whole = |value: &ValueKind| match value {
                    ValueKind::Integer(value) => Some(*value),
                    _ => None,
                };
                let [low, high] = ends(field, whole)?;
                // The narrower of two ends counts.
                bounds((*min).max(low), max.iter().copied().chain(high).min())
            }
            Self::Number => pair("minimum", "maximum", ends(field, literal)?),
            Self::Text => {
                let pattern = attrs.pattern.as_ref().map(|text| quoted(&text.value));
                let pattern = pattern.map(|text| format!(",\"pattern\":{text}"));
                pair("minLength", "maxLength", lengths) + &pattern.unwrap_or_default()
            }
            Self::List(_) => self.own_rules() + &pair("minItems", "maxItems", items),
            Self::Boolean | Self::Map(_) => self.own_rules(),
        })
    }
}

/// The ends of a range; `None` if `read` refuses one of them.
fn ends<T>(field: &Field, read: impl Fn(&ValueKind) -> Option<T>) -> Option<[Option<T>; 2]> {
    let mut out = [None, None];
    let ends = [&field.attrs.min, &field.attrs.max];
    for (end, place) in ends.into_iter().zip(&mut out) {
        if let Some(end) = end {
            *place = Some(read(&end.0.kind)?);
        }
    }
    Some(out)
}

fn bounds(min: Option<i128>, max: Option<i128>) -> String {
    pair("minimum", "maximum", [min, max])
}

fn pair<T: std::fmt::Display>(low: &str, high: &str, [min, max]: [Option<T>; 2]) -> String {
    let mut out = String::new();
    for (key, value) in [(low, min), (high, max)] {
        if let Some(value) = value {
            // Writing to a String does not fail.
            let _ = write!(out, ",\"{key}\":{value}");
        }
    }
    out
}

/// A literal as the tree writes it; `None` for a list or a large integer, which are rare.
pub(super) fn literal(value: &ValueKind) -> Option<String> {
    /// A float holds every whole number up to here.
    const EXACT: i128 = 1 << 53;
    match value {
        ValueKind::Boolean(value) => Some(value.to_string()),
        ValueKind::Integer(value) if (-EXACT..=EXACT).contains(value) => Some(value.to_string()),
        ValueKind::Number(value) => Some(format!("{value:?}")),
        ValueKind::Text(value) => Some(quoted(value)),
        ValueKind::Integer(_) | ValueKind::List(_) => None,
    }
}

/// The start of a node, with its description if there is one.
pub(super) fn described(start: &str, words: &str) -> String {
    if words.is_empty() {
        start.to_owned()
    } else {
        format!("{start},\"description\":{}", quoted(words))
    }
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Text inside a JSON string.
pub(super) fn escaped(text: &str) -> String {
    let is_special = |c: char| c < ' ' || c == '"' || c == '\\';
    if !text.contains(is_special) {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
