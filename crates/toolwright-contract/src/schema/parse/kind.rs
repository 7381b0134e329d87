//! The kind of value that a schema describes, with its rules.

use std::sync::Arc;

use regex_lite::Regex;

use super::{
    Json, Parser, all, field,
    literal::{decimal, whole},
};
use crate::schema::{
    Bound, Choice, Field, Held, Integer, Kind, List, Map, Matcher, Number, Object, Pattern, Schema,
    Text, Unknown,
};

impl<'a> Parser<'a> {
    /// The schema without what is said about it, and whether null is a value.
    pub(super) fn kind(&mut self, raw: &'a Json, depth: usize) -> (Schema, bool) {
        let mut names: Vec<&str> = match raw.get("type") {
            Some(Json::Text(name)) => vec![name],
            Some(Json::List(names)) => names.iter().filter_map(Json::text).collect(),
            _ => Vec::new(),
        };
        let null = names.len() > 1 && names.contains(&"null");
        names.retain(|name| *name != "null");
        if names.contains(&"number") {
            names.retain(|name| *name != "integer");
        }
        if let Some((kind, has_null)) = choices(raw) {
            return (Schema::of(kind), has_null && (null || names.is_empty()));
        }
        let mut parts = Vec::new();
        if let Some(reference) = raw.get("$ref").and_then(Json::text) {
            parts.push(self.reference(reference, depth));
        }
        match names.as_slice() {
            [] if raw.get("properties").is_some() => parts.push(self.object(raw, depth)),
            [] if raw.get("items").is_some() || raw.get("prefixItems").is_some() => {
                parts.push(self.array(raw, depth));
            }
            [] => {}
            [name] => parts.push(self.of_type(name, raw, depth)),
            names => {
                let forms = names.iter().map(|name| self.of_type(name, raw, depth));
                let forms = forms.collect();
                parts.push(Self::one_of_forms(forms));
            }
        }
        let members = raw.get("allOf").and_then(Json::list).unwrap_or_default();
        for member in members {
            parts.push(self.node(member, depth + 1));
        }
        // What an object may be beside its own fields is left out.
        let said = parts.iter().any(|part| match &part.kind {
            Kind::Any => false,
            Kind::Map(map) => !matches!(map.values.kind, Kind::Any),
            _ => true,
        });
        let members = raw.get("anyOf").or_else(|| raw.get("oneOf"));
        if let Some(members) = members.and_then(Json::list)
            && !said
        {
            let description = parts.into_iter().find(|part| !part.description.is_empty());
            let mut union = self.union(members, depth);
            if let (true, Some(part)) = (union.description.is_empty(), description) {
                union.description = part.description;
            }
            let union_null = union.nullable;
            return (union, null || union_null);
        }
        let schema = all(parts);
        let own_null = schema.nullable;
        (schema, null || own_null)
    }

    fn of_type(&mut self, name: &str, raw: &'a Json, depth: usize) -> Schema {
        match name {
            "boolean" => Schema::of(Kind::Boolean),
            "integer" => Schema::of(Kind::Integer(integer(raw))),
            "number" => Schema::of(Kind::Number(number(raw))),
            "string" => Schema::of(Kind::Text(text(raw))),
            "array" => self.array(raw, depth),
            "object" => self.object(raw, depth),
            _ => Schema::of(Kind::Any),
        }
    }

    fn array(&mut self, raw: &'a Json, depth: usize) -> Schema {
        let max_items = count(raw, "maxItems");
        let (firsts, rest) = match (raw.get("prefixItems"), raw.get("items")) {
            (Some(Json::List(firsts)), rest) => (firsts.as_slice(), rest),
            // Older drafts say it like this.
            (_, Some(Json::List(firsts))) => (firsts.as_slice(), raw.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        let length = firsts.len() as u64;
        let closed = rest == Some(&Json::Boolean(false)) || max_items == Some(length);
        if !firsts.is_empty() && closed {
            let items = firsts.iter().map(|item| self.node(item, depth + 1).into());
            let items: Vec<Held<Schema>> = items.collect();
            return Schema::of(Kind::Tuple(items.into()));
        }
        let items = match rest {
            Some(rest) if firsts.is_empty() => self.node(rest, depth + 1),
            _ => Schema::of(Kind::Any),
        };
        Schema::of(Kind::List(List {
            items: items.into(),
            min_items: count(raw, "minItems"),
            max_items,
            unique: raw.get("uniqueItems") == Some(&Json::Boolean(true)),
        }))
    }

    fn object(&mut self, raw: &'a Json, depth: usize) -> Schema {
        let properties = raw
            .get("properties")
            .and_then(Json::entries)
            .unwrap_or_default();
        let rest = raw
            .get("additionalProperties")
            .or_else(|| raw.get("unevaluatedProperties"));
        let required: Vec<&str> = raw
            .get("required")
            .and_then(Json::list)
            .unwrap_or_default()
            .iter()
            .filter_map(Json::text)
            .collect();
        let mut fields: Vec<Field> = Vec::new();
        for (name, schema) in properties {
            let schema = self.node(schema, depth + 1);
            fields.push(field(name, schema, required.contains(&name.as_str())));
        }
        for name in required {
            if !fields.iter().any(|field| field.name == name) {
                fields.push(field(name, Schema::of(Kind::Any), true));
            }
        }
        let closed = rest == Some(&Json::Boolean(false));
        let patterns = raw.get("patternProperties").and_then(Json::entries);
        let values = match (rest, patterns) {
            (Some(rest @ Json::Object(_)), _) => Some(self.node(rest, depth + 1)),
            (_, Some([(_, only)])) => Some(self.node(only, depth + 1)),
            _ => None,
        };
        if fields.is_empty() && (!closed || patterns.is_some()) {
            let names = raw.get("propertyNames").and_then(|names| names.get("enum"));
            let names = names.and_then(Json::list).unwrap_or_default();
            let keys: Vec<Choice> = names.iter().filter_map(Json::text).map(choice).collect();
            return Schema::of(Kind::Map(Map {
                values: values.unwrap_or_else(|| Schema::of(Kind::Any)).into(),
                keys: keys.into(),
            }));
        }
        Schema::of(Kind::Object(Object {
            fields: fields.into(),
            unknown: if closed && patterns.is_none() {
                Unknown::Deny
            } else {
                Unknown::Report
            },
            extra: values.map(Held::from),
        }))
    }
}

/// One value of a closed list.
pub(super) fn choice(name: &str) -> Choice {
    Choice {
        name: name.to_owned().into(),
        aliases: &[],
        description: Held::Static(""),
    }
}

/// The kind of a closed list of values, and whether null is one of them.
fn choices(raw: &Json) -> Option<(Kind, bool)> {
    let constant = raw.get("const").map(std::slice::from_ref);
    let values = constant.or_else(|| raw.get("enum").and_then(Json::list))?;
    let null = values.contains(&Json::Null);
    let values: Vec<&Json> = values
        .iter()
        .filter(|value| **value != Json::Null)
        .collect();
    let texts: Option<Vec<Choice>> = values
        .iter()
        .map(|value| value.text().map(choice))
        .collect();
    let numbers: Option<Vec<i128>> = values
        .iter()
        .map(|value| match value {
            Json::Number(number) => whole(number),
            _ => None,
        })
        .collect();
    let kind = match (texts, numbers) {
        _ if values.is_empty() => Kind::Any,
        (Some(choices), _) => Kind::Text(Text {
            choices: choices.into(),
            ..Text::ANY
        }),
        (_, Some(choices)) => Kind::Integer(Integer {
            choices: choices.into(),
            ..Integer::ANY
        }),
        _ if values.iter().all(|value| matches!(value, Json::Boolean(_))) => Kind::Boolean,
        _ => Kind::Any,
    };
    Some((kind, null))
}

fn integer(raw: &Json) -> Integer {
    let end = |key: &str| raw.get(key).and_then(whole_end);
    let above = end("exclusiveMinimum").and_then(|end| end.0.checked_add(1));
    let below = end("exclusiveMaximum").and_then(|end| end.1.checked_sub(1));
    let low = end("minimum").map(|end| end.1);
    let high = end("maximum").map(|end| end.0);
    Integer {
        min: low.into_iter().chain(above).max(),
        max: high.into_iter().chain(below).min(),
        multiple_of: raw.get("multipleOf").and_then(|step| match step {
            Json::Number(step) => whole(step).filter(|step| *step > 0),
            _ => None,
        }),
        nonzero: false,
        choices: Held::Static(&[]),
    }
}

/// The whole numbers at or around a number: at most, and at least.
fn whole_end(value: &Json) -> Option<(i128, i128)> {
    let Json::Number(number) = value else {
        return None;
    };
    if let Some(whole) = whole(number) {
        return Some((whole, whole));
    }
    let float = number.as_f64()?;
    #[allow(clippy::cast_possible_truncation)] // a bound beyond all integers is no bound
    let at = |float: f64| (float.abs() < 1e30).then_some(float as i128);
    Some((at(float.floor())?, at(float.ceil())?))
}

fn number(raw: &Json) -> Number {
    let end = |key: &str, exclusive: bool| match raw.get(key) {
        Some(Json::Number(at)) => decimal(at).map(|at| Bound { at, exclusive }),
        _ => None,
    };
    let tighter = |a: Option<Bound>, b: Option<Bound>, lower: bool| match (a, b) {
        (Some(a), Some(b)) => {
            let keeps = if lower {
                a.at.value > b.at.value
            } else {
                a.at.value < b.at.value
            };
            Some(if keeps { a } else { b })
        }
        (a, b) => a.or(b),
    };
    Number {
        min: tighter(end("minimum", false), end("exclusiveMinimum", true), true),
        max: tighter(end("maximum", false), end("exclusiveMaximum", true), false),
        multiple_of: match raw.get("multipleOf") {
            Some(Json::Number(step)) => decimal(step).filter(|step| step.value > 0.0),
            _ => None,
        },
    }
}

fn text(raw: &Json) -> Text {
    Text {
        min_length: count(raw, "minLength"),
        max_length: count(raw, "maxLength"),
        pattern: raw.get("pattern").and_then(Json::text).map(|text| Pattern {
            text: text.to_owned().into(),
            matcher: match Regex::new(text) {
                Ok(regex) => Matcher::Compiled(Arc::new(regex)),
                // An expression of another flavour is shown and not checked.
                Err(_) => Matcher::Function(|_| true),
            },
        }),
        choices: Held::Static(&[]),
        form: raw.get("format").and_then(Json::text).map_or("", form),
    }
}

/// A format in words.
fn form(format: &str) -> &'static str {
    match format {
        "date-time" => "a date and time such as 2026-01-31T09:30:00Z",
        "date" => "a date such as 2026-01-31",
        "time" => "a time such as 09:30:00Z",
        "duration" => "an ISO 8601 duration such as PT90S",
        "email" | "idn-email" => "an e-mail address",
        "hostname" | "idn-hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" | "url" | "iri" => "a URL",
        "uri-reference" | "iri-reference" => "a URL or a part of one",
        "uuid" => "a UUID",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer",
        "byte" | "base64" => "base64 text",
        _ => "",
    }
}

fn count(raw: &Json, key: &str) -> Option<u64> {
    match raw.get(key) {
        Some(Json::Number(number)) => u64::try_from(whole(number)?).ok(),
        _ => None,
    }
}
