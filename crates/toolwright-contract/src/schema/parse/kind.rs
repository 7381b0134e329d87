//! The kind of value that a schema describes, with its rules.

use std::sync::Arc;

use regex_lite::Regex;

use super::{
    Json, Parser,
    literal::{decimal, whole},
};
use crate::{
    schema::{
        Bound, Choice, Held, Integer, Kind, List, Matcher, Number, Pattern, Schema, Text,
        foreign::keyword::is_of,
    },
    types::whole_order,
};

impl<'a> Parser<'a> {
    /// The schema without what is said about it.
    pub(super) fn kind(&mut self, raw: &'a Json, depth: usize) -> Schema {
        if UNSAID.iter().any(|key| raw.get(key).is_some()) {
            self.widen();
        }
        let typed = match raw.get("type") {
            Some(Json::Text(name)) => Some(vec![name.as_str()]),
            Some(Json::List(names)) => Some(names.iter().filter_map(Json::text).collect()),
            _ => None,
        };
        if let Some(schema) = self.choices(raw, typed.as_deref()) {
            return schema;
        }
        let mut parts = Vec::new();
        if let Some(reference) = raw.get("$ref").and_then(Json::text) {
            parts.push(self.reference(reference, depth));
        }
        parts.extend(self.own(raw, typed.as_deref(), depth));
        let members = raw.get("allOf").and_then(Json::list).unwrap_or_default();
        for member in members {
            parts.push(self.node(member, depth + 1));
        }
        for (keyword, only) in [("anyOf", false), ("oneOf", true)] {
            let Some(members) = raw.get(keyword).and_then(Json::list) else {
                continue;
            };
            // What an object may be beside its own fields is left out.
            if parts.iter().any(|part| !matches!(part.kind, Kind::Any)) {
                self.widen();
            } else {
                parts.push(self.union(members, only, depth));
            }
        }
        self.all(parts)
    }

    /// What the keywords of the schema itself say.
    fn own(&mut self, raw: &'a Json, typed: Option<&[&str]>, depth: usize) -> Option<Schema> {
        let Some(names) = typed else {
            // Without a type, rules hold for the values that they are about, and others are free.
            let mut implied = IMPLIED
                .iter()
                .filter(|(_, keys)| keys.iter().any(|key| raw.get(key).is_some()));
            let (name, _) = implied.next()?;
            if implied.next().is_some() {
                self.widen();
            }
            let mut schema = self.of_type(name, raw, depth);
            schema.set_loose(true);
            return Some(schema);
        };
        let null = names.contains(&"null");
        let has_number = names.contains(&"number");
        let names = names.iter().filter(|name| **name != "null");
        let mut names: Vec<&str> = names
            .filter(|name| !(has_number && **name == "integer"))
            .copied()
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut schema = if names.is_empty() {
            // The tree has no kind for null alone.
            self.widen();
            return None;
        } else {
            let forms = names.iter().map(|name| self.of_type(name, raw, depth));
            let forms = forms.collect();
            Self::one_of_forms(forms)
        };
        schema.nullable |= null;
        Some(schema)
    }

    fn of_type(&mut self, name: &str, raw: &'a Json, depth: usize) -> Schema {
        match name {
            "boolean" => Schema::of(Kind::Boolean),
            "integer" => Schema::of(Kind::Integer(self.integer(raw))),
            "number" => Schema::of(Kind::Number(self.number(raw))),
            "string" => Schema::of(Kind::Text(text(raw))),
            "array" => self.array(raw, depth),
            "object" => self.object(raw, depth),
            _ => Schema::of(Kind::Any),
        }
    }

    fn array(&mut self, raw: &'a Json, depth: usize) -> Schema {
        let (min_items, max_items) = (count(raw, "minItems"), count(raw, "maxItems"));
        let unique = raw.get("uniqueItems") == Some(&Json::Boolean(true));
        let (firsts, rest) = match (raw.get("prefixItems"), raw.get("items")) {
            (Some(Json::List(firsts)), rest) => (firsts.as_slice(), rest),
            // Older drafts say it like this.
            (_, Some(Json::List(firsts))) => (firsts.as_slice(), raw.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        let length = firsts.len() as u64;
        let closed =
            rest == Some(&Json::Boolean(false)) || max_items.is_some_and(|max| max <= length);
        let list = |items: Schema, max_items| {
            Schema::of(Kind::List(List {
                items: items.into(),
                min_items,
                max_items,
                unique,
            }))
        };
        if firsts.is_empty() {
            let items =
                rest.map_or_else(|| Schema::of(Kind::Any), |rest| self.node(rest, depth + 1));
            return list(items, max_items);
        }
        let items = firsts.iter().map(|item| self.node(item, depth + 1));
        let items: Vec<Schema> = items.collect();
        if closed && min_items == Some(length) && max_items.is_none_or(|max| max == length) {
            if unique {
                self.widen();
            }
            let items: Vec<Held<Schema>> = items.into_iter().map(Held::from).collect();
            return Schema::of(Kind::Tuple(items.into()));
        }
        self.widen();
        if !closed {
            return list(Schema::of(Kind::Any), max_items);
        }
        // Fewer items may be given, so each is one of these.
        let items = Self::one_of_forms(items);
        list(items, Some(max_items.map_or(length, |max| max.min(length))))
    }

    /// One of a closed list of values.
    fn choices(&mut self, raw: &'a Json, typed: Option<&[&str]>) -> Option<Schema> {
        let constant = raw.get("const").map(std::slice::from_ref);
        let values = constant.or_else(|| raw.get("enum").and_then(Json::list))?;
        if !raw.entries()?.iter().all(|(key, _)| is_plain(key))
            || constant.is_some() == raw.get("enum").is_some()
        {
            self.widen();
        }
        let of_type = |value: &&Json| {
            let value = value.to_value();
            typed.is_none_or(|names| names.iter().any(|name| is_of(&value, name)))
        };
        let values: Vec<&Json> = values.iter().filter(of_type).collect();
        let null = values.contains(&&Json::Null);
        let values: Vec<&Json> = values
            .into_iter()
            .filter(|one| **one != Json::Null)
            .collect();
        let texts = values.iter().map(|value| value.text().map(choice));
        let texts: Option<Vec<Choice>> = texts.collect();
        let numbers = values.iter().map(|value| match value {
            Json::Number(number) => whole(number),
            _ => None,
        });
        let numbers: Option<Vec<i128>> = numbers.collect();
        let is_boolean = |value: &&Json| matches!(value, Json::Boolean(_));
        let kind = match (texts, numbers) {
            _ if values.is_empty() => None,
            (Some(choices), _) => Some(Kind::Text(Text {
                choices: choices.into(),
                ..Text::ANY
            })),
            (_, Some(choices)) => Some(Kind::Integer(Integer {
                choices: choices.into(),
                ..Integer::ANY
            })),
            _ if values.iter().all(is_boolean) => {
                if !(values.contains(&&Json::Boolean(true))
                    && values.contains(&&Json::Boolean(false)))
                {
                    self.widen();
                }
                Some(Kind::Boolean)
            }
            _ => None,
        };
        if kind.is_none() {
            self.widen();
        }
        Some(Schema {
            nullable: null && kind.is_some(),
            ..Schema::of(kind.unwrap_or(Kind::Any))
        })
    }

    fn integer(&mut self, raw: &Json) -> Integer {
        let mut end = |key: &str| {
            let end = raw.get(key).and_then(whole_end);
            if end.is_none() && raw.get(key).is_some() {
                self.widen();
            }
            end
        };
        let (low, high) = (end("minimum"), end("maximum"));
        let above = end("exclusiveMinimum").and_then(|end| end.0.checked_add(1));
        let below = end("exclusiveMaximum").and_then(|end| end.1.checked_sub(1));
        let low = low.map(|end| end.1);
        let high = high.map(|end| end.0);
        let multiple_of = raw.get("multipleOf").and_then(|step| match step {
            Json::Number(step) => whole(step).filter(|step| *step > 0),
            _ => None,
        });
        if multiple_of.is_none() && raw.get("multipleOf").is_some() {
            self.widen();
        }
        Integer {
            min: low.into_iter().chain(above).max(),
            max: high.into_iter().chain(below).min(),
            multiple_of,
            nonzero: false,
            choices: Held::Static(&[]),
        }
    }

    fn number(&mut self, raw: &Json) -> Number {
        let mut end = |key: &str, exclusive: bool| match raw.get(key) {
            Some(Json::Number(at)) => {
                let is_exact = fits_float(at);
                if !is_exact {
                    self.widen();
                }
                let at = decimal(at).filter(|_| is_exact)?;
                Some(Bound { at, exclusive })
            }
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
        let min = tighter(end("minimum", false), end("exclusiveMinimum", true), true);
        let max = tighter(end("maximum", false), end("exclusiveMaximum", true), false);
        let multiple_of = match raw.get("multipleOf") {
            Some(Json::Number(step)) => {
                if !fits_float(step) {
                    self.widen();
                }
                decimal(step).filter(|at| at.value > 0.0 && fits_float(step))
            }
            _ => None,
        };
        Number {
            min,
            max,
            multiple_of,
        }
    }
}

/// Keywords that the tree has no place for.
const UNSAID: [&str; 7] = [
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "contains",
    "not",
    "if",
];

/// The type that values have which a keyword is about.
const IMPLIED: [(&str, &[&str]); 4] = [
    (
        "object",
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
        ],
    ),
    (
        "array",
        &[
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
        ],
    ),
    ("string", &["minLength", "maxLength", "pattern"]),
    (
        "number",
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
];

/// Whether a keyword says nothing more of a value from a list.
fn is_plain(keyword: &str) -> bool {
    matches!(keyword, "type" | "enum" | "const") || is_note(keyword)
}

/// Whether a keyword says nothing of which values there are.
pub(super) fn is_note(keyword: &str) -> bool {
    const TELLING: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];
    let implied = IMPLIED.iter().any(|(_, keys)| keys.contains(&keyword));
    !implied
        && !UNSAID.contains(&keyword)
        && !TELLING.contains(&keyword)
        && !matches!(keyword, "type" | "enum" | "const")
}

/// Whether a float holds all digits of a whole number.
fn fits_float(number: &serde_json::Number) -> bool {
    number.as_f64().is_some_and(f64::is_finite)
        && number
            .as_i128()
            .is_none_or(|whole| whole_order(whole, number.as_f64().unwrap_or_default()).is_eq())
}

/// One value of a closed list.
pub(super) fn choice(name: &str) -> Choice {
    Choice {
        name: name.to_owned().into(),
        aliases: &[],
        description: Held::Static(""),
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
