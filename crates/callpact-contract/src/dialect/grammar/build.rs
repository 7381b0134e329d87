//! The rules of a grammar from a schema tree.

use super::{
    digits,
    keys::other_key,
    rule::{GrammarPart, GrammarRules, any_number, choice, one_word, optional, row, text, word},
    words::{any_string, literal, quoted, string},
};
use crate::schema::{
    CheckedValue, CodeFault, Field, Integer, Kind, List, Map, Number, Object, Schema, Tagging,
    Text, Union, Unknown,
};

/// The most items that are counted.
const MOST: u64 = 1_999;

/// Makes the rules of values.
pub(super) struct RuleBuilder<'a> {
    pub(super) grammar: GrammarRules,
    /// Whether white space is a part of the rules, or allowed everywhere.
    has_space: bool,
    /// The definitions around the current node, and their rules.
    around: Vec<(&'a Schema, usize)>,
}

impl<'a> RuleBuilder<'a> {
    pub(super) fn new(has_space: bool) -> Self {
        Self {
            grammar: GrammarRules::default(),
            has_space,
            around: Vec::new(),
        }
    }

    /// White space.
    pub(super) fn space(&mut self) -> GrammarPart {
        if !self.has_space {
            return GrammarPart::Sequence(Vec::new());
        }
        let blanks = GrammarPart::Repeat(
            Box::new(GrammarPart::Set(vec![('\t', '\t'), (' ', ' ')])),
            0,
            Some(20),
        );
        let lines = row([text("\n"), optional(text("\n")), blanks]);
        self.grammar
            .add("space", choice([text(""), text(" "), lines]))
    }

    /// The values of a schema.
    pub(super) fn value(&mut self, name: &str, schema: &'a Schema) -> GrammarPart {
        let value = if schema.is_stand_in() {
            let mut around = self.around.iter().rev();
            let rule = around.find(|(definition, _)| definition.is_definition_of(schema));
            match rule.map(|(_, rule)| *rule) {
                Some(rule) => GrammarPart::Rule(rule),
                None => self.any(),
            }
        } else if schema.is_definition() {
            let rule = self.grammar.open(name);
            self.around.push((schema, rule));
            let body = self.kind(name, schema);
            self.around.pop();
            self.grammar.rules[rule].1 = body;
            GrammarPart::Rule(rule)
        } else {
            self.kind(name, schema)
        };
        if schema.nullable {
            choice([value, word("null")])
        } else {
            value
        }
    }

    fn kind(&mut self, name: &str, schema: &'a Schema) -> GrammarPart {
        match &schema.kind {
            Kind::Any => self.any(),
            Kind::Boolean => match schema.only_boolean() {
                Some(only) => word(if only { "true" } else { "false" }),
                None => choice([word("true"), word("false")]),
            },
            Kind::Integer(rules) => self.grammar.add(
                "integer",
                one_word(digits::integer(&within_bits(rules, schema))),
            ),
            Kind::Number(rules) => {
                let number = digits::number(rules, schema.code.check.is_some());
                self.grammar.add("number", one_word(number))
            }
            Kind::Text(rules) => {
                let string = string(rules);
                self.grammar.add("string", string)
            }
            Kind::List(rules) => {
                if let Some(texts) = self.distinct_texts(name, rules) {
                    return texts;
                }
                let items = self.value(name, &rules.items);
                let items = self.grammar.add(&format!("{name}-item"), items);
                let max = rules.max_items.filter(|max| *max <= MOST);
                self.list(items, rules.min_items.unwrap_or(0).min(MOST), max)
            }
            Kind::Tuple(items) => {
                let items: Vec<GrammarPart> =
                    items.iter().map(|item| self.value(name, item)).collect();
                let mut parts = Vec::new();
                for item in items {
                    if !parts.is_empty() {
                        parts.push(self.comma());
                    }
                    parts.push(item);
                }
                self.between("[", parts, "]")
            }
            Kind::Map(rules) => self.map(name, rules),
            Kind::Object(rules) => self.object(name, rules, None),
            Kind::Union(rules) => self.union(name, rules),
        }
    }

    /// Any value of JSON.
    fn any(&mut self) -> GrammarPart {
        const NAME: &str = "any-value";
        if let Some(known) = self.grammar.rules.iter().position(|(name, _)| name == NAME) {
            return GrammarPart::Rule(known);
        }
        let rule = self.grammar.open(NAME);
        let any = GrammarPart::Rule(rule);
        let list = self.list(any.clone(), 0, None);
        let object = self.entries("entry", any);
        let string = self.grammar.add("string", any_string());
        let number = digits::number(&Number::ANY, false);
        let number = self.grammar.add("number", one_word(number));
        self.grammar.rules[rule].1 = choice([
            object,
            list,
            string,
            number,
            word("true"),
            word("false"),
            word("null"),
        ]);
        GrammarPart::Rule(rule)
    }

    fn comma(&mut self) -> GrammarPart {
        let space = self.space();
        self.grammar
            .add("comma", row([space.clone(), text(","), space]))
    }

    /// Parts between brackets, with white space on both sides.
    pub(super) fn between(
        &mut self,
        open: &str,
        parts: Vec<GrammarPart>,
        close: &str,
    ) -> GrammarPart {
        let space = self.space();
        if parts.is_empty() {
            return row([text(open), space, text(close)]);
        }
        let mut all = vec![text(open), space.clone()];
        all.extend(parts);
        all.extend([space, text(close)]);
        GrammarPart::Sequence(all)
    }

    fn list(&mut self, item: GrammarPart, min: u64, max: Option<u64>) -> GrammarPart {
        let count = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        if max == Some(0) {
            return self.between("[", Vec::new(), "]");
        }
        let mut some = vec![item.clone()];
        if max != Some(1) {
            let next = row([self.comma(), item]);
            let least = count(min.saturating_sub(1));
            let most = max.map(|max| count(max - 1));
            some.push(GrammarPart::Repeat(Box::new(next), least, most));
        }
        let some = GrammarPart::Sequence(some);
        let inside = if min == 0 { optional(some) } else { some };
        self.between("[", vec![inside], "]")
    }

    pub(super) fn entry(&mut self, key: GrammarPart, value: GrammarPart) -> GrammarPart {
        let space = self.space();
        row([key, space.clone(), text(":"), space, value])
    }

    /// A list of different texts that may contain the empty one; `None` for other lists, and for counts that no rule of
    /// a grammar has room for.
    fn distinct_texts(&mut self, name: &str, rules: &'a List) -> Option<GrammarPart> {
        let Kind::Text(text) = &rules.items.kind else {
            return None;
        };
        let is_free = text.pattern.is_none() && text.format.is_none() && text.choices.is_empty();
        let takes_empty = is_free && text.min_length.is_none_or(|min| min == 0);
        let is_counted = rules.max_items.is_some() || rules.min_items > Some(1);
        if !rules.unique || !takes_empty || rules.items.nullable || is_counted {
            return None;
        }
        let filled = string(&Text {
            min_length: Some(1),
            ..text.clone()
        });
        let filled = self.grammar.add("filled", filled);
        let (some, _) = self.at_most_once(name, filled, Some(literal("")));
        let is_optional = rules.min_items.is_none_or(|min| min == 0);
        let inside = if is_optional { optional(some) } else { some };
        Some(self.between("[", vec![inside], "]"))
    }

    /// Parts of two kinds, the second at most once: all of them, and what may follow others.
    fn at_most_once(
        &mut self,
        name: &str,
        many: GrammarPart,
        once: Option<GrammarPart>,
    ) -> (GrammarPart, GrammarPart) {
        let comma = self.comma();
        let next = |part: &GrammarPart| row([comma.clone(), part.clone()]);
        let more = any_number(next(&many));
        let Some(once) = once else {
            return (row([many, more.clone()]), more);
        };
        let late = optional(row([next(&once), more.clone()]));
        let rest = row([more.clone(), late]);
        let rest = self.grammar.add(&format!("{name}-more"), rest);
        let all = choice([row([many, rest.clone()]), row([once, more])]);
        (all, rest)
    }

    /// Entries with other keys than these: all of them, and what may follow others. A grammar can tell a declared key
    /// and the empty one from others, so these do not come twice.
    fn other_entries(
        &mut self,
        name: &str,
        declared: &[&str],
        value: GrammarPart,
    ) -> (GrammarPart, GrammarPart) {
        let key = self.grammar.add("key", other_key(declared));
        let entry = self.entry(key, value.clone());
        let entry = self.grammar.add(name, entry);
        let empty = (!declared.contains(&"")).then(|| self.entry(literal(""), value));
        self.at_most_once(name, entry, empty)
    }

    /// An object of any keys.
    fn entries(&mut self, name: &str, value: GrammarPart) -> GrammarPart {
        let (all, _) = self.other_entries(name, &[], value);
        self.between("{", vec![optional(all)], "}")
    }

    fn map(&mut self, name: &str, rules: &'a Map) -> GrammarPart {
        let value = self.value(name, &rules.values);
        if let Some(keys) = rules.integers {
            let key = self
                .grammar
                .add("integer-key", quoted(digits::integer(&keys.range)));
            let entry = self.entry(key, value);
            let entry = self.grammar.add(&format!("{name}-entry"), entry);
            let (all, _) = self.at_most_once(name, entry, None);
            return self.between("{", vec![optional(all)], "}");
        }
        if rules.keys.is_empty() {
            return self.entries(&format!("{name}-entry"), value);
        }
        let value = self.grammar.add(&format!("{name}-value"), value);
        let entries = rules
            .keys
            .iter()
            .map(|key| (literal(&key.name), value.clone()));
        let entries: Vec<_> = entries.collect();
        let entries = entries
            .into_iter()
            .map(|(key, value)| self.entry(key, value))
            .collect();
        self.keys(name, Vec::new(), entries, None)
    }

    fn object(&mut self, name: &str, rules: &'a Object, tag: Option<(&str, &str)>) -> GrammarPart {
        let (mut required, mut others) = (Vec::new(), Vec::new());
        let mut declared: Vec<&str> = tag.iter().map(|(key, _)| *key).collect();
        if let Some((key, value)) = tag {
            required.push(self.entry(literal(key), literal(value)));
        }
        let mut fields = rules.walk();
        while let Some(field) = fields.step() {
            let is_required = fields.requires(field);
            declared.push(&field.name);
            let entry = self.field(name, field);
            if is_required {
                &mut required
            } else {
                &mut others
            }
            .push(entry);
        }
        let extra = match (&rules.extra, rules.unknown) {
            (Some(values), _) => Some(self.value(&format!("{name}-other"), values)),
            (None, Unknown::Keep) => Some(self.any()),
            (None, _) => None,
        };
        let extra =
            extra.map(|value| self.other_entries(&format!("{name}-extra"), &declared, value));
        self.keys(name, required, others, extra)
    }

    fn field(&mut self, name: &str, field: &'a Field) -> GrammarPart {
        let name = format!("{name}-{}", field.name);
        let value = self.value(&name, &field.schema);
        let entry = self.entry(literal(&field.name), value);
        self.grammar.add(&name, entry)
    }

    /// An object of these entries in their order, the required ones first; then other entries, all of them or what may
    /// follow.
    fn keys(
        &mut self,
        name: &str,
        required: Vec<GrammarPart>,
        others: Vec<GrammarPart>,
        extra: Option<(GrammarPart, GrammarPart)>,
    ) -> GrammarPart {
        let comma = self.comma();
        let next = |entry: GrammarPart| row([comma.clone(), entry]);
        let mut inside = Vec::new();
        for entry in required {
            inside.push(if inside.is_empty() {
                entry
            } else {
                next(entry)
            });
        }
        // What may follow, from the last to the first; and what may be first if nothing is required.
        let is_first = inside.is_empty();
        let (mut first, mut tail) = extra.unzip();
        for entry in others.into_iter().rev() {
            let follow = |start: GrammarPart, tail: &Option<GrammarPart>| match tail {
                Some(tail) => row([start, tail.clone()]),
                None => start,
            };
            if is_first {
                let start = follow(entry.clone(), &tail);
                let ways = match first {
                    Some(first) => choice([start, first]),
                    None => start,
                };
                first = Some(self.grammar.add(&format!("{name}-first"), ways));
            }
            let rest = follow(optional(next(entry)), &tail);
            tail = Some(self.grammar.add(&format!("{name}-rest"), rest));
        }
        if is_first {
            inside.extend(first.map(optional));
        } else {
            inside.extend(tail);
        }
        self.between("{", inside, "}")
    }

    fn union(&mut self, name: &str, union: &'a Union) -> GrammarPart {
        let mut ways = Vec::new();
        for variant in union.variants.iter() {
            let own = &*variant.name;
            let name = format!("{name}-{own}");
            let content = variant.content.as_deref();
            ways.push(match (&union.tagging, content) {
                (Tagging::External, None) => word(&serde_json::to_string(own).unwrap_or_default()),
                (Tagging::External, Some(content)) => {
                    let value = self.value(&name, content);
                    let entry = self.entry(literal(own), value);
                    self.between("{", vec![entry], "}")
                }
                (Tagging::Adjacent { tag, content: key }, content) => {
                    let mut entries = vec![self.entry(literal(tag), literal(own))];
                    if let Some(content) = content {
                        let value = self.value(&name, content);
                        entries.push(self.entry(literal(key), value));
                    }
                    self.keys(&name, entries, Vec::new(), None)
                }
                (Tagging::Internal { tag }, content) => {
                    if let Some(Kind::Object(rules)) = content.map(|content| &content.kind) {
                        self.object(&name, rules, Some((tag, own)))
                    } else {
                        let entry = self.entry(literal(tag), literal(own));
                        self.keys(&name, vec![entry], Vec::new(), None)
                    }
                }
                (Tagging::None, Some(content)) => self.value(&name, content),
                (Tagging::None, None) => word("null"),
            });
        }
        self.grammar.add(name, choice(ways))
    }
}

/// The rules with the ends of the range that the reader has for them.
fn within_bits(rules: &Integer, schema: &Schema) -> Integer {
    let is_outside = |value: i128| match schema.code.check {
        Some(check) => {
            let text = value.to_string();
            let value = CheckedValue {
                text: &text,
                forms: &[],
            };
            matches!(check(value), Err(CodeFault::Range(_)))
        }
        None => serde_json::Number::from_i128(value).is_none(),
    };
    let ends = |ends: &[i128], step: i128| {
        let is_last = |end: &&i128| !is_outside(**end) && is_outside(**end + step);
        ends.iter().find(is_last).copied()
    };
    let mut rules = rules.clone();
    rules.min = rules.min.or_else(|| ends(&[i64::MIN.into()], -1));
    rules.max = rules
        .max
        .or_else(|| ends(&[i64::MAX.into(), u64::MAX.into()], 1));
    rules
}
