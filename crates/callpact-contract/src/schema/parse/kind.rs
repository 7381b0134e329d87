//! The kind of value that a schema describes, with its rules.

use super::{ANY, SchemaParser, merge::is_any_object};
use crate::{
    schema::{
        Choice, ExtraRule, Format, Held, Integer, Kind, List, Map, Number, Schema, Text,
        foreign::keyword::{WHOLE_DIGITS, is_of},
        json::{JsonValue, count, whole},
        kind::{format::FormatChecks, text::are_crossed},
    },
    text::{has_word, words},
};

impl<'a> SchemaParser<'a> {
    /// The schema without its notes.
    pub(super) fn kind(&mut self, raw: &'a JsonValue, depth: usize) -> Schema {
        self.note_unchecked(raw);
        if words(UNSAID).any(|key| raw.get(key).is_some()) {
            self.leave(raw, UNSAID);
            self.add_rules_of(raw);
        }
        let says_rest = |key: &str| {
            raw.get(key)
                .is_some_and(|rest| *rest != JsonValue::Boolean(true))
        };
        if says_rest("unevaluatedProperties") && Self::rest(raw).is_none() {
            self.leave(raw, "unevaluatedProperties");
            self.add_unevaluated(raw, false);
        }
        if says_rest("unevaluatedItems") {
            self.leave(raw, "unevaluatedItems");
            self.add_unevaluated(raw, true);
        }
        let typed = match raw.get("type") {
            Some(JsonValue::Text(name)) => Some(vec![name.as_str()]),
            Some(JsonValue::List(names)) => {
                Some(names.iter().filter_map(JsonValue::text).collect())
            }
            _ => None,
        };
        let mut parts = Vec::new();
        let choices = self.choices(raw, typed.as_deref());
        let is_listed = choices.is_some();
        if let Some(schema) = choices {
            let mut keys = raw.entries().unwrap_or_default().iter();
            if keys.all(|(key, _)| is_plain(key)) {
                return schema;
            }
            parts.push(schema);
        }
        if let Some(reference) = raw.text_at("$ref") {
            parts.push(self.reference(reference, depth));
        }
        parts.extend(self.own_keywords(raw, typed.as_deref(), depth));
        let members = raw.list_at("allOf");
        for member in members {
            parts.push(self.part(member, depth + 1));
        }
        for (keyword, only) in [("anyOf", false), ("oneOf", true)] {
            let Some(members) = raw.get(keyword).and_then(JsonValue::list) else {
                continue;
            };
            // The tree cannot combine a union with an object's own fields.
            let says_more = |part: &Schema| !matches!(part.kind, Kind::Any) && !is_any_object(part);
            if parts.iter().any(says_more) {
                self.leave(raw, keyword);
                self.add_forms(members, only);
            } else {
                parts.push(self.union(members, only, depth));
            }
        }
        if let Some(forms) = self.branches(raw)
            && parts.is_empty()
        {
            parts.push(forms);
        }
        let before = std::mem::take(&mut self.is_wider);
        let own = if parts.len() > 1 {
            parts.clone()
        } else {
            Vec::new()
        };
        let mut schema = self.all(parts);
        if self.is_wider {
            schema.extra = None;
            self.rules.push(ExtraRule::All(own));
            if schema.takes_nothing() {
                let name = name_of(&schema.kind);
                self.rules.push(ExtraRule::Never(name));
            }
        }
        if self.is_wider && !schema.takes_nothing() {
            self.leave(raw, "allOf");
            if is_listed || raw.get("$ref").is_some() {
                for (_, keys) in IMPLIED {
                    self.leave(raw, keys);
                }
            }
        }
        self.is_wider |= before;
        schema
    }

    /// The forms that a condition allows: its demand on the values that it applies to, and the other values.
    fn branches(&self, raw: &JsonValue) -> Option<Schema> {
        let test = raw.get("if")?;
        let forms = [
            self.scalar([test, raw.get("then")?])?,
            self.scalar([raw.get("else")?])?,
        ];
        Some(Self::one_of_forms(forms.map(|(schema, _)| schema).into()))
    }

    /// The schema by its own keywords.
    fn own_keywords(
        &mut self,
        raw: &'a JsonValue,
        typed: Option<&[&str]>,
        depth: usize,
    ) -> Option<Schema> {
        let Some(names) = typed else {
            // Without a type, rules apply only to the values that they are about, and other values
            // are free.
            let is_implied = |(_, keys): &(&str, &str)| words(keys).any(|key| is_rule(key, raw));
            let mut implied = IMPLIED.into_iter().filter(is_implied);
            let (name, _) = implied.next()?;
            for (other, keys) in implied {
                self.leave(raw, keys);
                self.add_loose(other, raw);
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
            self.leave(raw, "type");
            self.rules.push(ExtraRule::Null);
            let mut nothing = Schema::of(Kind::Any);
            nothing.set_takes_nothing();
            nothing
        } else {
            let forms = names.iter().map(|name| self.of_type(name, raw, depth));
            let forms = forms.collect();
            Self::one_of_forms(forms)
        };
        schema.nullable |= null;
        Some(schema)
    }

    pub(super) fn of_type(&mut self, name: &str, raw: &'a JsonValue, depth: usize) -> Schema {
        let schema = match name {
            "boolean" => Schema::of(Kind::Boolean),
            "integer" => {
                let (rules, is_whole) = Integer::from_json(raw);
                if !is_whole {
                    let step = rules.multiple_of.is_none().then_some("multipleOf");
                    self.leave(raw, step.unwrap_or_default());
                    self.add_number_ends(raw);
                }
                Schema::of(Kind::Integer(rules))
            }
            "number" => {
                let (rules, is_whole) = Number::from_json(raw);
                if !is_whole {
                    self.widen();
                    self.add_number_ends(raw);
                }
                Schema::of(Kind::Number(rules))
            }
            "string" => {
                let note = |words| self.faults.note(&self.path, "pattern", words);
                Schema::of(Kind::Text(Text::from_json(raw, self.formats, note)))
            }
            "array" => self.array(raw, depth),
            "object" => self.object(raw, depth),
            _ => Schema::of(Kind::Any),
        };
        let counts = match name {
            "array" if raw.get("contains").is_some() => Some(("minContains", "maxContains")),
            "object" => Some(("minProperties", "maxProperties")),
            _ => None,
        };
        if counts.is_some_and(|(min, max)| are_crossed(count(raw, min), count(raw, max))) {
            self.rules.push(ExtraRule::Never(Some(type_name(name))));
            return self.empty(schema);
        }
        let schema = self.settle(schema);
        if schema.takes_nothing() {
            self.rules.push(ExtraRule::Never(Some(type_name(name))));
        }
        schema
    }

    fn array(&mut self, raw: &'a JsonValue, depth: usize) -> Schema {
        let (min_items, max_items) = (count(raw, "minItems"), count(raw, "maxItems"));
        let unique = raw.get("uniqueItems") == Some(&JsonValue::Boolean(true));
        let (firsts, rest) = positions(raw);
        let length = firsts.len() as u64;
        let closed =
            rest == Some(&JsonValue::Boolean(false)) || max_items.is_some_and(|max| max <= length);
        let list = |items: Schema, max_items| {
            Schema::of(Kind::List(List {
                items: items.into(),
                min_items,
                max_items,
                unique,
            }))
        };
        if firsts.is_empty() {
            let items = rest.map_or_else(
                || Schema::of(Kind::Any),
                |rest| self.below(&["items"], rest, depth + 1),
            );
            return list(items, max_items);
        }
        let items = firsts.iter().enumerate();
        let items = items
            .map(|(index, item)| self.below(&["prefixItems", &index.to_string()], item, depth + 1));
        let items: Vec<Schema> = items.collect();
        if closed && min_items == Some(length) && max_items.is_none_or(|max| max == length) {
            if unique {
                self.leave(raw, "uniqueItems");
                self.rules.push(ExtraRule::Unique);
            }
            let items: Vec<Held<Schema>> = items.into_iter().map(Held::from).collect();
            return Schema::of(Kind::Tuple(items.into()));
        }
        let keyword = if raw.get("prefixItems").is_some() {
            "prefixItems"
        } else {
            "items"
        };
        self.leave(raw, keyword);
        let others = rest
            .filter(|_| !closed)
            .map(|rest| self.beside(rest).into());
        self.rules.push(ExtraRule::Positions {
            firsts: items.clone(),
            rest: others,
        });
        if !closed {
            return list(Schema::of(Kind::Any), max_items);
        }
        // There may be fewer items, so each is one of these.
        let items = Self::one_of_forms(items);
        list(items, Some(max_items.map_or(length, |max| max.min(length))))
    }

    /// One of a closed list of values.
    fn choices(&mut self, raw: &'a JsonValue, typed: Option<&[&str]>) -> Option<Schema> {
        let constant = raw.get("const").map(std::slice::from_ref);
        let values = constant.or_else(|| raw.get("enum").and_then(JsonValue::list))?;
        if constant.is_some() && raw.get("enum").is_some() {
            self.leave(raw, "enum");
            self.add_values(raw, "enum");
        }
        let of_type = |value: &&JsonValue| {
            let value = value.to_value();
            typed.is_none_or(|names| names.iter().any(|name| is_of(&value, name)))
        };
        let values: Vec<&JsonValue> = values.iter().filter(of_type).collect();
        let null = values.contains(&&JsonValue::Null);
        // One form for each type of the values.
        let texts = values.iter().filter_map(|value| value.text());
        let texts: Vec<Choice> = texts.map(Choice::named).collect();
        let numbers = values.iter().filter_map(|value| match value {
            JsonValue::Number(number) => Some(whole(number)),
            _ => None,
        });
        let numbers: Vec<Option<i128>> = numbers.collect();
        let has = |is_it: fn(&JsonValue) -> bool| values.iter().any(|value| is_it(value));
        let mut forms = Vec::new();
        let mut is_whole = true;
        if !texts.is_empty() {
            forms.push(Kind::Text(Text {
                choices: texts.into(),
                ..Text::ANY
            }));
        }
        if !numbers.is_empty() {
            let wholes: Option<Vec<i128>> = numbers.into_iter().collect();
            is_whole &= wholes.is_some();
            forms.push(match wholes {
                Some(choices) => Kind::Integer(Integer {
                    choices: choices.into(),
                    ..Integer::ANY
                }),
                None => Kind::Number(Number::ANY),
            });
        }
        let booleans = [true, false].map(|value| values.contains(&&JsonValue::Boolean(value)));
        if booleans.contains(&true) {
            is_whole &= !booleans.contains(&false);
            forms.push(Kind::Boolean);
        }
        if has(|value| value.list().is_some()) {
            is_whole = false;
            forms.push(Kind::List(List::of(ANY)));
        }
        if has(|value| value.entries().is_some()) {
            is_whole = false;
            forms.push(Kind::Map(Map::of(ANY)));
        }
        if values.is_empty() {
            self.rules.push(ExtraRule::Never(None));
            return Some(self.empty(Schema::of(Kind::Any)));
        }
        if !is_whole || forms.is_empty() {
            self.leave(raw, "enum const");
            self.add_values(raw, "enum");
            self.add_values(raw, "const");
        }
        let nullable = null && !forms.is_empty();
        let mut forms: Vec<Schema> = forms.into_iter().map(Schema::of).collect();
        if let [true, false] | [false, true] = booleans {
            let of_booleans = |form: &&mut Schema| matches!(form.kind, Kind::Boolean);
            if let Some(form) = forms.iter_mut().find(of_booleans) {
                form.set_only_boolean(booleans[0]);
            }
        }
        Some(Schema {
            nullable,
            ..Self::one_of_forms(forms)
        })
    }

    /// Notes what is a note for the model although a reader of JSON Schema may check it.
    fn note_unchecked(&mut self, raw: &JsonValue) {
        let format = raw.text_at("format");
        if self.formats == FormatChecks::On && format.is_some_and(Format::is_unchecked) {
            self.unsaid.note(&self.path, "format", UNCHECKED);
        }
        if raw.get(WHOLE_DIGITS).is_some() {
            self.unsaid.note(&self.path, "type", WHOLE_FLOATS);
        }
        for keyword in ["contentEncoding", "contentMediaType"] {
            if raw.get(keyword).is_some() {
                self.unsaid.note(&self.path, keyword, UNCHECKED);
            }
        }
    }
}

/// The schemas of the first items, and that of the others.
pub(super) fn positions(raw: &JsonValue) -> (&[JsonValue], Option<&JsonValue>) {
    match (raw.get("prefixItems"), raw.get("items")) {
        (Some(JsonValue::List(firsts)), rest) => (firsts, rest),
        // Older drafts write it like this.
        (_, Some(JsonValue::List(firsts))) => (firsts, raw.get("additionalItems")),
        (_, rest) => (&[], rest),
    }
}

/// Whether a schema has a keyword that restricts values. A `format` of numbers, or an unknown one, does not.
fn is_rule(keyword: &str, raw: &JsonValue) -> bool {
    raw.get(keyword)
        .is_some_and(|value| keyword != "format" || value.text().and_then(Format::named).is_some())
}

/// The type that numbers have in common.
fn type_name(name: &str) -> &'static str {
    match name {
        "array" => "array",
        "object" => "object",
        "string" => "string",
        "boolean" => "boolean",
        _ => "number",
    }
}

/// The type of the values of a kind, if it has just one.
fn name_of(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::Boolean => Some("boolean"),
        Kind::Integer(_) | Kind::Number(_) => Some("number"),
        Kind::Text(_) => Some("string"),
        Kind::List(_) | Kind::Tuple(_) => Some("array"),
        Kind::Map(_) | Kind::Object(_) => Some("object"),
        Kind::Any | Kind::Union(_) => None,
    }
}

const WHOLE_FLOATS: &str =
    "the reader does not check it: it takes `1.0`, which is no whole number in draft 4";
const UNCHECKED: &str = "the reader does not check it";

/// Keywords that the tree has no place for.
const UNSAID: &str =
    "minProperties maxProperties dependentRequired dependentSchemas dependencies contains not if";

/// The type of the values that keywords apply to.
const IMPLIED: [(&str, &str); 4] = [
    (
        "object",
        "properties required additionalProperties unevaluatedProperties patternProperties propertyNames",
    ),
    (
        "array",
        "items prefixItems unevaluatedItems minItems maxItems uniqueItems",
    ),
    ("string", "minLength maxLength pattern format"),
    (
        "number",
        "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
    ),
];

/// Whether a keyword adds nothing to a value from a list.
fn is_plain(keyword: &str) -> bool {
    matches!(keyword, "type" | "enum" | "const") || is_note(keyword)
}

/// Whether a keyword does not restrict the values.
pub(super) fn is_note(keyword: &str) -> bool {
    let restricts = |keywords: &str| has_word(keywords, keyword);
    let mut implied = IMPLIED.iter().map(|(_, keywords)| *keywords);
    !implied.any(restricts)
        && !restricts(UNSAID)
        && !restricts("$ref allOf anyOf oneOf type enum const")
}
