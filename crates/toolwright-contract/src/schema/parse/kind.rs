//! The kind of value that a schema describes, with its rules.

use super::{Parser, merge::is_any_object};
use crate::schema::{
    Choice, Held, Integer, Kind, List, Number, Schema, Text,
    foreign::keyword::is_of,
    json::{Json, count, whole},
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
        parts.extend(self.own_keywords(raw, typed.as_deref(), depth));
        let members = raw.get("allOf").and_then(Json::list).unwrap_or_default();
        for member in members {
            parts.push(self.node(member, depth + 1));
        }
        for (keyword, only) in [("anyOf", false), ("oneOf", true)] {
            let Some(members) = raw.get(keyword).and_then(Json::list) else {
                continue;
            };
            // The tree has no union beside an object's own fields.
            let says_more = |part: &Schema| !matches!(part.kind, Kind::Any) && !is_any_object(part);
            if parts.iter().any(says_more) {
                self.widen();
            } else {
                parts.push(self.union(members, only, depth));
            }
        }
        self.all(parts)
    }

    /// The schema by its own keywords.
    fn own_keywords(
        &mut self,
        raw: &'a Json,
        typed: Option<&[&str]>,
        depth: usize,
    ) -> Option<Schema> {
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
            "integer" => {
                let (rules, is_whole) = Integer::from_json(raw);
                self.is_wider |= !is_whole;
                Schema::of(Kind::Integer(rules))
            }
            "number" => {
                let (rules, is_whole) = Number::from_json(raw);
                self.is_wider |= !is_whole;
                Schema::of(Kind::Number(rules))
            }
            "string" => Schema::of(Kind::Text(Text::from_json(raw))),
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
        let texts = values.iter().map(|value| value.text().map(Choice::named));
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
