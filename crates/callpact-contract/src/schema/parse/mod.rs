//! A foreign schema as the tree: what a model is shown, and how values are read.
//!
//! The tree takes every value that the schema takes. If it says less than the schema, as with `not` and
//! `if`, a value that was read is also checked against the schema itself.

mod kind;
mod merge;
mod object;
mod rules;
mod union;

use std::collections::{HashMap, HashSet};

use super::{
    ANY_AGAIN, ExtraRule, Held, Integer, Kind, List, Number, OBJECT_AGAIN, Object, Schema,
    SchemaFaults, Text, Unknown, expected,
    foreign::keyword::{pointer, step},
    items_are,
    json::{JsonValue, count, literal},
    kind::{format::FormatChecks, pattern::CompiledPattern},
    listed,
};
use crate::text::{ticked, words};

/// The text about a keyword that only the dialects of MCP can show.
const UNSAYABLE: &str = "only words can say it; the reader checks it";
/// The text for a model if no value fits.
pub(crate) const NOTHING: &str = "no value is accepted here";
/// The text about a part that does not fit into a tree.
const TOO_LARGE: &str = "the schema is too large to be shown whole; the reader checks it";
/// Any value at all.
const ANY: &Schema = &Schema::of(Kind::Any);
/// The longest rule that is shown in its original form.
const LONGEST_RULE: usize = 400;
/// The longest rule that is shown when it refuses a value.
const REFUSED: usize = 120;
/// The most nodes of a tree with its references written out.
const NODES: usize = 20_000;
/// The most nodes of a schema that are searched for secrets that its tree does not carry.
const SEARCHED: usize = 50 * NODES;
/// The most nodes for words, which use little of the schema.
const WORDS: usize = 500;
/// How deep references are followed.
const DEPTH: usize = 64;

/// A schema as a tree.
pub(super) struct SchemaTree {
    pub(super) schema: Schema,
    /// The parts of the schema that the tree can only say in words.
    pub(super) unsaid: SchemaFaults,
    /// Why a dialect that closes every object cannot express the schema.
    pub(super) kept_open: Option<String>,
    /// Why the schema cannot be checked.
    pub(super) faults: SchemaFaults,
}

/// What the null of a property means.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum NullUse {
    /// It is a value.
    Kept,
    /// The property is optional, and null is no value of it.
    Absent,
}

/// The tree of the arguments of a tool.
pub(super) fn tree(root: &JsonValue, formats: FormatChecks, nulls: NullUse) -> SchemaTree {
    let mut parser = SchemaParser {
        formats,
        nulls,
        ..SchemaParser::with(root, NODES, secret_within(root))
    };
    let mut schema = parser.node(root, 0);
    SchemaParser::mark(&mut schema, 1, "#");
    // Arguments are an object, even if nothing else is said.
    let (extra, loose) = match &schema.kind {
        Kind::Any => (None, true),
        Kind::Map(map) if map.takes_any_key() && !schema.is_inside_itself() => {
            let says = !matches!(map.values.kind, Kind::Any)
                || map.values.secret
                || map.values.is_inside_itself()
                || !map.values.rules().is_empty();
            let values = says.then(|| map.values.clone());
            (values, schema.is_loose())
        }
        _ => return parser.tree(schema),
    };
    if schema.is_inside_itself() {
        return parser.tree(schema);
    }
    schema.kind = Kind::Object(Object::undeclared(Unknown::Keep, extra));
    schema.set_loose(loose);
    parser.tree(schema)
}

/// The schema for a tool list if the arguments are not an object, or can be null.
pub(super) fn shown(schema: &Schema) -> Option<Schema> {
    let is_object = matches!(schema.kind, Kind::Object(_) | Kind::Map(_) | Kind::Union(_));
    if is_object && !schema.nullable {
        return None;
    }
    let mut shown = schema.clone();
    shown.nullable = false;
    if !is_object {
        shown.kind = Kind::Object(Object::undeclared(Unknown::Keep, None));
    }
    Some(shown)
}

/// The purpose of reading a schema: its tree, or words about a part of it.
#[derive(PartialEq)]
enum ParseTask {
    Whole,
    Words,
}

/// How references to definitions become a part of the tree.
#[derive(Clone, Copy, PartialEq)]
enum ReferenceUse {
    /// As the definition itself, if it does not contain itself.
    WrittenOut,
    /// As the number of the definition.
    Numbered,
}

/// What happens to the rules of a node that its kind cannot express.
#[derive(Clone, Copy, PartialEq)]
enum RuleFolding {
    /// They become a part of the tree.
    Kept,
    /// The same, and the node is inside such a rule.
    Inside,
    /// Only words about the node are needed.
    Dropped,
}

struct SchemaParser<'a> {
    root: &'a JsonValue,
    /// The targets of references, the root first. The index of each is its number.
    definitions: Vec<&'a JsonValue>,
    /// The index of each target that was asked for.
    numbers: HashMap<*const JsonValue, usize>,
    /// Which of them are being written out.
    open: Vec<usize>,
    /// Which of them contain themselves.
    recursive: HashSet<usize>,
    /// Which of them the tree refers to.
    referred: Vec<usize>,
    /// The same, without their order.
    is_referred: HashSet<usize>,
    references: ReferenceUse,
    /// How many more nodes are allowed.
    left: usize,
    /// How many more nodes are allowed inside rules.
    left_in_rules: usize,
    /// How deep the current node is.
    depth: usize,
    /// The rules of the current node that its kind cannot express.
    rules: Vec<ExtraRule>,
    folding: RuleFolding,
    /// When a part is read for words, its own parts are not put into words.
    task: ParseTask,
    /// Whether the tree so far takes no other values than the schema.
    is_whole: bool,
    /// Whether the current node takes more than its schema.
    is_wider: bool,
    /// The path from the root to the current node.
    path: String,
    /// The rules of the current value that the tree has no place for, in words.
    notes: Vec<String>,
    unsaid: SchemaFaults,
    /// Why a dialect that closes every object cannot express the schema: the first place that takes any keys, or
    /// keys that only words name.
    kept_open: Option<String>,
    /// Whether a part of the schema is secret.
    has_secret: bool,
    /// How many more nodes are searched for a secret; after that, everything counts as secret.
    searched: usize,
    formats: FormatChecks,
    nulls: NullUse,
    /// The expressions that cannot be checked.
    faults: SchemaFaults,
}

impl<'a> SchemaParser<'a> {
    fn with(root: &'a JsonValue, left: usize, has_secret: bool) -> Self {
        Self {
            root,
            definitions: vec![root],
            numbers: HashMap::from([(std::ptr::from_ref(root), 0)]),
            open: vec![0],
            recursive: HashSet::new(),
            referred: Vec::new(),
            is_referred: HashSet::new(),
            references: ReferenceUse::WrittenOut,
            left,
            left_in_rules: NODES,
            depth: 0,
            rules: Vec::new(),
            folding: RuleFolding::Kept,
            task: ParseTask::Whole,
            is_whole: true,
            is_wider: false,
            path: String::new(),
            notes: Vec::new(),
            unsaid: SchemaFaults::default(),
            kept_open: None,
            has_secret,
            searched: SEARCHED,
            formats: FormatChecks::On,
            nulls: NullUse::Kept,
            faults: SchemaFaults::default(),
        }
    }

    fn tree(mut self, mut schema: Schema) -> SchemaTree {
        schema.add_rules(self.definitions_rule());
        SchemaTree {
            schema,
            unsaid: self.unsaid,
            kept_open: self.kept_open,
            faults: self.faults,
        }
    }

    /// The expression of keys; notes a fault and returns nothing if it cannot be checked.
    fn key_pattern(&mut self, text: &str) -> Option<CompiledPattern> {
        let note = |words| self.faults.note(&self.path, "patternProperties", words);
        CompiledPattern::new(text).map_err(note).ok()
    }

    /// Notes that the current node takes values that its schema does not.
    fn widen(&mut self) {
        self.is_wider = true;
    }

    /// Removes the rules of a schema if they exclude each other: the model is not told of them, and no value is
    /// accepted.
    fn settle(&mut self, mut schema: Schema) -> Schema {
        let free = match &schema.kind {
            Kind::Text(rules) if rules.takes_nothing() => Kind::Text(Text::ANY),
            Kind::Integer(rules) if rules.takes_nothing() => Kind::Integer(Integer::ANY),
            Kind::Number(rules) if rules.takes_nothing() => Kind::Number(Number::ANY),
            Kind::List(rules) if rules.takes_nothing() => Kind::List(List::of(ANY)),
            _ => return schema,
        };
        schema.kind = free;
        self.empty(schema)
    }

    /// Marks a schema that no value fits.
    fn empty(&mut self, mut schema: Schema) -> Schema {
        self.widen();
        self.unsaid.note_nothing(&self.path);
        schema.set_takes_nothing();
        schema
    }

    /// Notes that a keyword takes keys that a closed object would not.
    fn keep_open(&mut self, keyword: &str, what: &str) {
        let place = step(&self.path, keyword);
        self.kept_open
            .get_or_insert_with(|| format!("{place} {what}, and a closed object would not take"));
    }

    /// Puts these keywords of the current node into words.
    fn leave(&mut self, raw: &JsonValue, keywords: &str) {
        self.widen();
        for keyword in words(keywords).filter(|keyword| raw.get(keyword).is_some()) {
            self.unsaid.note(&self.path, keyword, UNSAYABLE);
            if names_keys(keyword, raw) {
                self.keep_open(keyword, "names keys that only words can say");
            }
            let note = self.rule(keyword, raw);
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// The text for a model about a keyword that the tree has no place for.
    fn rule(&self, keyword: &str, raw: &JsonValue) -> String {
        let value = raw.get(keyword).unwrap_or(&JsonValue::Null);
        let said = match (keyword, value) {
            ("anyOf", JsonValue::List(members)) => {
                sets(members).map(|sets| format!("at least one of these is given: {sets}"))
            }
            ("oneOf", JsonValue::List(members)) => {
                sets(members).map(|sets| format!("exactly one of these is given: {sets}"))
            }
            ("contains", items) => {
                let least = count(raw, "minContains").unwrap_or(1);
                let most = count(raw, "maxContains");
                let words = self.words(items).filter(|_| least > 0 || most.is_some());
                words.map(|words| format!("{} {words}", items_are(least, most)))
            }
            ("if", test) => self.condition(raw, test),
            ("not", refused) => needed(refused).map(|names| format!("not given together: {names}")),
            ("enum", JsonValue::List(values)) => {
                let values: Vec<_> = values.iter().map(JsonValue::to_value).collect();
                Some(listed(&values))
            }
            ("const", value) => Some(listed(&[value.to_value()])),
            ("type", _) => Some("null".to_owned()),
            ("unevaluatedProperties", JsonValue::Boolean(false)) => {
                Some("no other keys".to_owned())
            }
            ("unevaluatedItems", JsonValue::Boolean(false)) => Some("no further items".to_owned()),
            ("uniqueItems", _) => Some("no item twice".to_owned()),
            ("minProperties", count) => Some(format!("minimum keys: {count}")),
            ("maxProperties", count) => Some(format!("maximum keys: {count}")),
            ("dependentRequired" | "dependencies", JsonValue::Object(needs)) => {
                let need = |(key, names): &(String, JsonValue)| {
                    Some(format!("{} needs {}", ticked(key), names_of(names)?))
                };
                let needs: Option<Vec<String>> = needs.iter().map(need).collect();
                needs.map(|needs| needs.join("; "))
            }
            _ => None,
        };
        said.unwrap_or_else(|| {
            let with = match keyword {
                "if" => &["if", "then", "else"][..],
                "prefixItems" => &["prefixItems", "items"][..],
                "items" => &["items", "additionalItems"][..],
                _ => std::slice::from_ref(&keyword),
            };
            let parts = with
                .iter()
                .filter_map(|key| Some(format!("\"{key}\":{}", raw.get(key)?)));
            let parts = parts.collect::<Vec<_>>().join(",");
            if parts.len() > LONGEST_RULE || parts.contains("\"$ref\"") {
                format!("a rule of `{keyword}` is checked and not shown here")
            } else {
                format!("rule: {{{parts}}}")
            }
        })
    }

    /// A condition in words, if it only restricts scalars.
    fn condition(&self, raw: &JsonValue, test: &JsonValue) -> Option<String> {
        let test = self.words(test)?;
        let branch = |key: &str| match raw.get(key) {
            Some(branch) => self.words(branch).map(Some),
            None => Some(None),
        };
        match (branch("then")?, branch("else")?) {
            (Some(then), Some(other)) => Some(format!("{then} where it is {test}, else {other}")),
            (Some(then), None) => Some(format!("{then} where it is {test}")),
            (None, Some(other)) => Some(format!("{other} unless it is {test}")),
            (None, None) => None,
        }
    }

    /// A schema of scalars in words that say all of it.
    fn words(&self, raw: &JsonValue) -> Option<String> {
        let (schema, is_whole) = self.scalar([raw])?;
        is_whole.then(|| expected(&schema).into_owned())
    }

    /// The scalars that follow all of these schemas, and whether the result expresses all of them; `None` if
    /// other values do too.
    fn scalar<const N: usize>(&self, parts: [&JsonValue; N]) -> Option<(Schema, bool)> {
        // Nested conditions would be read again at every level.
        if self.task == ParseTask::Words {
            return None;
        }
        let mut aside = SchemaParser {
            task: ParseTask::Words,
            folding: RuleFolding::Dropped,
            formats: self.formats,
            ..SchemaParser::with(self.root, WORDS, self.has_secret)
        };
        let parts = parts.map(|part| aside.node(part, 0));
        let schema = aside.all(parts.into());
        let is_scalar = matches!(
            schema.kind,
            Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
        );
        is_scalar.then_some((schema, aside.is_whole))
    }

    /// A schema inside the current one.
    fn below(&mut self, steps: &[&str], raw: &'a JsonValue, depth: usize) -> Schema {
        let length = self.path.len();
        for one in steps {
            self.path = step(&self.path, one);
        }
        let schema = self.node(raw, depth);
        self.path.truncate(length);
        schema
    }

    fn node(&mut self, raw: &'a JsonValue, depth: usize) -> Schema {
        let outer = std::mem::take(&mut self.notes);
        let mut schema = self.part(raw, depth);
        for note in std::mem::replace(&mut self.notes, outer) {
            add_words(&mut schema, &note);
        }
        schema
    }

    /// One of several schemas for the same value, which shares its notes with the others.
    fn part(&mut self, raw: &'a JsonValue, depth: usize) -> Schema {
        let outer_depth = std::mem::replace(&mut self.depth, depth);
        let outer_rules = std::mem::take(&mut self.rules);
        let outer = std::mem::take(&mut self.is_wider);
        let notes = self.notes.len();
        self.left = self.left.saturating_sub(1);
        let mut schema =
            if self.references == ReferenceUse::WrittenOut && (depth > DEPTH || self.left == 0) {
                self.widen();
                self.unsaid.note(&self.path, "", TOO_LARGE);
                let number = self.refer(raw);
                self.rules.push(ExtraRule::Fits(number));
                Schema::of(Kind::Any)
            } else if raw.entries().is_none() {
                if *raw != JsonValue::Boolean(true) {
                    self.widen();
                    self.notes.push(NOTHING.to_owned());
                    self.rules.push(ExtraRule::Never(None));
                }
                Schema::of(Kind::Any)
            } else {
                let mut schema = self.kind(raw, depth);
                if raw.get("nullable") == Some(&JsonValue::Boolean(true)) {
                    schema.set_nullable();
                }
                if schema.takes_nothing() && !schema.is_loose() {
                    let words = if schema.nullable { "null" } else { NOTHING };
                    self.notes.truncate(notes);
                    self.notes.push(words.to_owned());
                }
                annotate(&mut schema, raw);
                schema
            };
        self.depth = outer_depth;
        schema.add_rules(std::mem::replace(&mut self.rules, outer_rules));
        let is_wider = std::mem::replace(&mut self.is_wider, outer);
        self.is_whole &= !is_wider;
        let secret = is_wider && self.has_secret && self.hides_unsaid(raw);
        Schema {
            secret: schema.secret || secret,
            ..schema
        }
    }

    /// The target of a reference, or the mark of a schema that contains itself.
    fn reference(&mut self, reference: &str, depth: usize) -> Schema {
        let found = pointer(reference).and_then(|at| self.root.pointer(&at));
        let Some(target) = found else {
            self.widen();
            return Schema::of(Kind::Any);
        };
        let number = self.number(target);
        let place = number as usize - 1;
        if self.references == ReferenceUse::Numbered || self.open.contains(&place) {
            if self.references == ReferenceUse::WrittenOut {
                self.recursive.insert(place);
            }
            self.widen();
            let object =
                target.get("properties").is_some() || target.text_at("type") == Some("object");
            let mut again = if object { OBJECT_AGAIN } else { ANY_AGAIN }.clone();
            again.set_number(self.refer(target));
            again.name = name_of_definition(reference);
            again.secret = self.has_secret;
            return again;
        }
        self.open.push(place);
        let mut schema = self.part(target, depth + 1);
        self.open.pop();
        if self.recursive.contains(&place) {
            Self::mark(&mut schema, number, reference);
        }
        schema
    }

    /// Gives a definition its number, by which its recursive uses are found.
    fn mark(schema: &mut Schema, number: u32, reference: &str) {
        if schema.number() == 0 {
            schema.set_number(number);
            schema.name = name_of_definition(reference);
            schema.set_null_itself(schema.nullable);
        }
    }

    /// Whether a part of a schema that its node does not carry names a secret.
    fn hides_unsaid(&mut self, raw: &JsonValue) -> bool {
        let parts = raw.entries().unwrap_or_default().iter();
        let mut unsaid = parts.filter(|(key, _)| match key.as_str() {
            "properties" | "$defs" | "definitions" => false,
            "additionalProperties" => raw.get("patternProperties").is_some(),
            "items" => raw.get("prefixItems").is_some(),
            _ => true,
        });
        unsaid.any(|(key, value)| match (key.as_str(), value) {
            ("$ref", JsonValue::Text(reference)) => self.leads_to_secret(reference),
            _ => self.holds_secret(value),
        })
    }

    fn holds_secret(&mut self, raw: &JsonValue) -> bool {
        if self.searched == 0 {
            return true;
        }
        self.searched -= 1;
        match raw {
            JsonValue::List(items) => items.iter().any(|item| self.holds_secret(item)),
            JsonValue::Object(entries) => {
                is_secret(raw)
                    || entries
                        .iter()
                        .any(|(key, value)| match (key.as_str(), value) {
                            ("$ref", JsonValue::Text(reference)) => self.leads_to_secret(reference),
                            _ => self.holds_secret(value),
                        })
            }
            _ => false,
        }
    }

    fn leads_to_secret(&mut self, reference: &str) -> bool {
        // A recursive definition is not followed: in a schema with a secret, it may be one.
        let target = pointer(reference).and_then(|at| self.root.pointer(&at));
        target.is_some_and(|target| self.holds_secret(target))
    }
}

/// The name of a definition: the last step of a reference, in letters, digits and `_`.
fn name_of_definition(reference: &str) -> Held<str> {
    let last = reference.rsplit(['/', '#']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = last.chars().map(plain).take(40).collect();
    if name.is_empty() {
        "Root".into()
    } else {
        name.into()
    }
}

/// Whether a schema says that its value is secret.
fn is_secret(raw: &JsonValue) -> bool {
    raw.get("writeOnly") == Some(&JsonValue::Boolean(true))
        || raw.text_at("format") == Some("password")
}

fn secret_within(raw: &JsonValue) -> bool {
    match raw {
        JsonValue::List(items) => items.iter().any(secret_within),
        JsonValue::Object(entries) => {
            is_secret(raw) || entries.iter().any(|(_, value)| secret_within(value))
        }
        _ => false,
    }
}

/// Adds the notes about a value: its description, default and example, and whether it is secret.
fn annotate(schema: &mut Schema, raw: &JsonValue) {
    if let Some(words) = raw.text_at("description")
        && !words.is_empty()
    {
        schema.description = words.to_owned().into();
    }
    if let Some(value) = raw.get("default") {
        match literal(value) {
            Some(value) => schema.default = Some(value),
            None if *value == JsonValue::Null => {}
            // The tree has no literal for an object.
            None => add_words(schema, &format!("default: {value}")),
        }
    }
    let example = raw.list_at("examples").first().and_then(literal);
    schema.example = example.or(schema.example.take());
    schema.secret |= is_secret(raw);
}

/// Appends words to the description.
fn add_words(schema: &mut Schema, words: &str) {
    let join = if schema.description.is_empty() {
        ""
    } else {
        "; "
    };
    schema.description = format!("{}{join}{words}", schema.description).into();
}

/// Whether a keyword names keys that the properties next to it do not.
fn names_keys(keyword: &str, raw: &JsonValue) -> bool {
    let own = raw.get("properties");
    let names = |form: &JsonValue| {
        let mut keys = form.entries_at("properties").iter();
        form.get("$ref").is_some()
            || keys.any(|(key, _)| own.and_then(|own| own.get(key)).is_none())
    };
    let members = raw.list_at(keyword);
    match keyword {
        "anyOf" | "oneOf" => members.iter().any(names),
        "allOf" => members.iter().any(|member| {
            let mut within = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies"].iter();
            within.any(|keyword| names_keys(keyword, member))
        }),
        "if" => ["then", "else"]
            .iter()
            .filter_map(|key| raw.get(key))
            .any(names),
        "dependentSchemas" | "dependencies" => {
            let forms = raw.entries_at(keyword);
            forms.iter().any(|(_, form)| names(form))
        }
        // An object without declared keys is a map.
        "patternProperties" => ["properties", "required"].iter().any(|key| {
            let declared = raw.get(key);
            let count = |named: &JsonValue| {
                named
                    .entries()
                    .map(<[_]>::len)
                    .or(named.list().map(<[_]>::len))
            };
            declared.and_then(count).is_some_and(|count| count > 0)
        }),
        "unevaluatedProperties" => raw.get(keyword) != Some(&JsonValue::Boolean(false)),
        _ => false,
    }
}

/// The keys that each of several forms needs, if the forms say nothing else.
fn sets(members: &[JsonValue]) -> Option<String> {
    let sets: Option<Vec<String>> = members.iter().map(needed).collect();
    sets.map(|sets| sets.join(", or "))
}

/// The keys that a form needs, if it says nothing else.
fn needed(form: &JsonValue) -> Option<String> {
    match form.entries()? {
        [(key, names)] if key == "required" => names_of(names),
        _ => None,
    }
}

fn names_of(names: &JsonValue) -> Option<String> {
    let name = |name: &JsonValue| Some(ticked(name.text()?));
    let names: Option<Vec<String>> = names.list()?.iter().map(name).collect();
    names.map(|names| names.join(" and "))
}
