//! The rules that the kind of a schema cannot express.

use std::mem;

use serde_json::Value;

use super::{
    NODES, ParseTask, REFUSED, ReferenceUse, RuleFolding, SchemaParser, WORDS, kind::positions,
    union::is_null,
};
use crate::schema::{
    Condition, Evaluated, EvaluatedForm, ExtraRule, FormNeed, KeyPattern, KeyPatterns, Kind,
    NumberEnd, OtherKeys, Schema, Unevaluated,
    json::{JsonValue, count},
};

/// How deep forms of the same value are searched for what they evaluate.
const NESTED: usize = 16;

impl<'a> SchemaParser<'a> {
    /// The number of the definition that a reference leads to.
    pub(super) fn number(&mut self, target: &'a JsonValue) -> u32 {
        let place = self.numbers.entry(std::ptr::from_ref(target));
        let place = place.or_insert_with(|| {
            self.definitions.push(target);
            self.definitions.len() - 1
        });
        u32::try_from(*place + 1).unwrap_or_default()
    }

    /// The number of a definition that the tree refers to.
    pub(super) fn refer(&mut self, target: &'a JsonValue) -> u32 {
        let number = self.number(target);
        let place = number as usize - 1;
        if self.is_referred.insert(place) {
            self.referred.push(place);
        }
        number
    }

    /// The definitions that the tree refers to, each with its references as such.
    pub(super) fn definitions_rule(&mut self) -> Option<ExtraRule> {
        self.references = ReferenceUse::Numbered;
        let mut definitions = Vec::new();
        while let Some(place) = self.referred.get(definitions.len()).copied() {
            let raw = *self.definitions.get(place)?;
            self.left_in_rules = NODES;
            let schema = self.beside(raw);
            definitions.push((u32::try_from(place + 1).unwrap_or_default(), schema));
        }
        (!definitions.is_empty()).then_some(ExtraRule::Definitions(definitions))
    }

    /// A schema inside a rule, which no model is shown.
    pub(super) fn beside(&mut self, raw: &'a JsonValue) -> Schema {
        self.aside(|parser, depth| parser.node(raw, depth))
    }

    fn aside(&mut self, fold: impl FnOnce(&mut Self, usize) -> Schema) -> Schema {
        if self.folding == RuleFolding::Dropped {
            return Schema::of(Kind::Any);
        }
        let depth = self.depth + 1;
        let rules = mem::take(&mut self.rules);
        let notes = mem::take(&mut self.notes);
        let unsaid = mem::take(&mut self.unsaid);
        let kept_open = self.kept_open.take();
        let (is_wider, is_whole) = (self.is_wider, self.is_whole);
        let is_outermost = self.folding == RuleFolding::Kept;
        self.folding = RuleFolding::Inside;
        let task = mem::replace(&mut self.task, ParseTask::Words);
        if is_outermost {
            mem::swap(&mut self.left, &mut self.left_in_rules);
        }
        let mut schema = fold(self, depth);
        if is_outermost {
            mem::swap(&mut self.left, &mut self.left_in_rules);
            self.folding = RuleFolding::Kept;
        }
        self.task = task;
        (self.is_wider, self.is_whole) = (is_wider, is_whole);
        self.kept_open = kept_open;
        self.unsaid = unsaid;
        self.notes = notes;
        schema.add_rules(mem::replace(&mut self.rules, rules));
        schema
    }

    /// Adds the rules of a type that a schema without a type does not name.
    pub(super) fn add_loose(&mut self, name: &str, raw: &'a JsonValue) {
        let schema = self.aside(|parser, depth| {
            let mut schema = parser.of_type(name, raw, depth);
            schema.set_loose(true);
            schema
        });
        self.rules.push(ExtraRule::All(vec![schema]));
    }

    /// Adds the rules of keywords that no kind has.
    pub(super) fn add_rules_of(&mut self, raw: &'a JsonValue) {
        let (min, max) = (count(raw, "minProperties"), count(raw, "maxProperties"));
        if min.is_some() || max.is_some() {
            self.rules.push(ExtraRule::KeyCount { min, max });
        }
        for keyword in ["dependentRequired", "dependentSchemas", "dependencies"] {
            self.add_dependents(raw.entries_at(keyword));
        }
        if let Some(items) = raw.get("contains") {
            let items = self.beside(items).into();
            let min = count(raw, "minContains").unwrap_or(1);
            let max = count(raw, "maxContains");
            self.rules.push(ExtraRule::Contains { items, min, max });
        }
        if let Some(form) = raw.get("not") {
            let words = self.refused(raw, form);
            let form = self.beside(form).into();
            self.rules.push(ExtraRule::Not { form, words });
        }
        if let Some(test) = raw.get("if") {
            let condition = Condition {
                test: self.beside(test),
                then: raw.get("then").map(|form| self.beside(form)),
                otherwise: raw.get("else").map(|form| self.beside(form)),
            };
            self.rules.push(ExtraRule::If(condition.into()));
        }
    }

    fn add_dependents(&mut self, entries: &'a [(String, JsonValue)]) {
        let (mut needs, mut forms) = (Vec::new(), Vec::new());
        for (key, dependent) in entries {
            match dependent.list() {
                Some(names) => {
                    let names = names.iter().filter_map(JsonValue::text).map(str::to_owned);
                    needs.push((key.clone(), names.collect()));
                }
                None => forms.push((key.clone(), self.beside(dependent))),
            }
        }
        if !needs.is_empty() {
            self.rules.push(ExtraRule::Needs(needs));
        }
        if !forms.is_empty() {
            self.rules.push(ExtraRule::WithKey(forms));
        }
    }

    /// The words about a value that `not` refuses.
    fn refused(&self, holder: &JsonValue, form: &JsonValue) -> String {
        if self.folding == RuleFolding::Dropped {
            return String::new();
        }
        let parser = SchemaParser {
            folding: RuleFolding::Dropped,
            formats: self.formats,
            ..SchemaParser::with(self.root, WORDS, self.has_secret)
        };
        let null = || is_null(form).then(|| "null".to_owned());
        match parser.words(form).or_else(null) {
            Some(words) => format!("not accepted here: {words}"),
            None => match parser.rule("not", holder) {
                rule if rule.len() <= REFUSED => format!("not accepted here; {rule}"),
                _ => "not accepted here, by a rule of `not` that is not shown here".to_owned(),
            },
        }
    }

    pub(super) fn add_forms(&mut self, members: &'a [JsonValue], only: bool) {
        let forms = members.iter().map(|form| self.beside(form)).collect();
        self.rules.push(ExtraRule::Forms { forms, only });
    }

    pub(super) fn add_values(&mut self, raw: &JsonValue, keyword: &str) {
        let values: Vec<Value> = match (keyword, raw.get(keyword)) {
            ("enum", Some(JsonValue::List(values))) => {
                values.iter().map(JsonValue::to_value).collect()
            }
            ("const", Some(value)) => vec![value.to_value()],
            _ => return,
        };
        self.rules.push(ExtraRule::Values(values));
    }

    pub(super) fn add_number_ends(&mut self, raw: &JsonValue) {
        let keywords = [
            ("minimum", NumberEnd::Minimum),
            ("maximum", NumberEnd::Maximum),
            ("exclusiveMinimum", NumberEnd::ExclusiveMinimum),
            ("exclusiveMaximum", NumberEnd::ExclusiveMaximum),
            ("multipleOf", NumberEnd::Multiple),
        ];
        let ends = keywords
            .into_iter()
            .filter_map(|(keyword, end)| match raw.get(keyword) {
                Some(JsonValue::Number(number)) => Some((end, number.clone())),
                _ => None,
            });
        self.rules.push(ExtraRule::NumberEnds(ends.collect()));
    }

    pub(super) fn add_key_patterns(
        &mut self,
        properties: &[(String, JsonValue)],
        patterns: &'a [(String, JsonValue)],
        rest: Option<&'a JsonValue>,
    ) {
        let names = properties.iter().map(|(name, _)| name.clone()).collect();
        let patterns = patterns.iter().filter_map(|(text, values)| {
            Some(KeyPattern {
                text: text.clone(),
                compiled: self.key_pattern(text)?,
                values: self.beside(values),
            })
        });
        let patterns = patterns.collect();
        let rest = match rest {
            None | Some(JsonValue::Boolean(true)) => OtherKeys::Open,
            Some(JsonValue::Boolean(false)) => OtherKeys::Closed,
            Some(rest) => OtherKeys::Values(self.beside(rest).into()),
        };
        let patterns = KeyPatterns {
            names,
            patterns,
            rest,
        };
        self.rules.push(ExtraRule::KeyPatterns(patterns.into()));
    }

    pub(super) fn add_unevaluated(&mut self, raw: &'a JsonValue, items: bool) {
        let keyword = if items {
            "unevaluatedItems"
        } else {
            "unevaluatedProperties"
        };
        let rest = match raw.get(keyword) {
            None | Some(JsonValue::Boolean(false)) => None,
            Some(rest) => Some(self.beside(rest)),
        };
        let unevaluated = Unevaluated {
            items,
            rest,
            evaluated: self.evaluated(raw, NESTED),
        };
        self.rules.push(ExtraRule::Unevaluated(unevaluated.into()));
    }

    /// What the keywords of a schema evaluate.
    fn evaluated(&mut self, raw: &'a JsonValue, levels: usize) -> Evaluated {
        let room = if self.folding == RuleFolding::Inside {
            self.left
        } else {
            self.left_in_rules
        };
        if self.folding == RuleFolding::Dropped || levels == 0 || room == 0 {
            return Evaluated {
                all_keys: true,
                all_items: true,
                ..Evaluated::default()
            };
        }
        let names = raw.entries_at("properties").iter();
        let patterns = raw.entries_at("patternProperties").iter();
        let (firsts, rest) = positions(raw);
        let mut evaluated = Evaluated {
            names: names.map(|(name, _)| name.clone()).collect(),
            patterns: patterns
                .filter_map(|(text, _)| self.key_pattern(text))
                .collect(),
            all_keys: raw.get("additionalProperties").is_some(),
            firsts: firsts.len(),
            all_items: rest.is_some(),
            contains: raw.get("contains").map(|items| self.beside(items)),
            forms: Vec::new(),
        };
        let mut forms = Vec::new();
        let reference = raw.text_at("$ref");
        let target = reference
            .and_then(super::pointer)
            .and_then(|at| self.root.pointer(&at));
        forms.extend(target.map(|form| (FormNeed::Always, form)));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let members = raw.list_at(keyword);
            forms.extend(members.iter().map(|form| (FormNeed::Always, form)));
        }
        if let Some(test) = raw.get("if") {
            forms.push((FormNeed::Always, test));
            for (branch, fits) in [("then", true), ("else", false)] {
                if let Some(form) = raw.get(branch) {
                    forms.push((FormNeed::Test(self.beside(test).into(), fits), form));
                }
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let forms_by_key = raw
                .entries_at(keyword)
                .iter()
                .filter(|(_, form)| form.list().is_none());
            forms.extend(forms_by_key.map(|(key, form)| (FormNeed::Key(key.clone()), form)));
        }
        for (needs, form) in forms {
            if form.entries().is_none() {
                continue;
            }
            let mut of_form = self.evaluated(form, levels - 1);
            of_form.all_keys |= form.get("unevaluatedProperties").is_some();
            of_form.all_items |= form.get("unevaluatedItems").is_some();
            evaluated.forms.push(EvaluatedForm {
                needs,
                schema: self.beside(form),
                evaluated: of_form,
            });
        }
        evaluated
    }
}
