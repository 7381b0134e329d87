//! A declared schema and the same schema read from its JSON give the same verdict, value, fixes and messages.

use std::collections::BTreeMap;

use serde_json::{Map as JsonMap, Value, json};

use super::read;
use crate::{
    At, Dialect, Input, Policy, Read, Report, ToolInput,
    input::read_foreign,
    read::{
        pass::Place,
        reading::{Reading, read_str},
    },
    schema::{
        Bound, Choice, Decimal, Field, ForeignSchema, Held, Integer, Kind, List, Map, Number,
        OBJECT_AGAIN, Object, Schema, Tagging, Text, Union, Unknown, Variant,
    },
};

struct Dice {
    state: u64,
    /// The number of values of a schema inside itself that may still be made.
    room: usize,
}

/// The number of the arguments among the definitions.
const ROOT: u32 = 1;

fn required(name: &'static str, schema: Schema) -> Field {
    Field {
        name: Held::Static(name),
        aliases: &[],
        schema: schema.into(),
        required: true,
        keep_empty: false,
        flatten: false,
    }
}

fn variant(name: &'static str, content: Option<Schema>) -> Variant {
    Variant {
        name: Held::Static(name),
        aliases: &[],
        description: Held::Static(""),
        content: content.map(Held::from),
    }
}

fn union(tagging: Tagging, variants: Vec<Variant>, unknown: Unknown) -> Kind {
    Kind::Union(Union {
        tagging,
        variants: variants.into(),
        unknown,
    })
}

impl Dice {
    fn new(state: u64) -> Self {
        Self { state, room: 0 }
    }

    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap_or_default()
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn end(&mut self, from: i128) -> Option<i128> {
        (!self.once_in(3)).then(|| from + self.below(4) as i128)
    }

    fn count(&mut self, from: u64) -> Option<u64> {
        (!self.once_in(3)).then(|| from + self.below(3) as u64)
    }

    fn names(&mut self) -> Vec<&'static str> {
        let all = ["some_key", "mode", "Path", "limit", "tags"];
        let start = self.below(all.len());
        let count = 1 + self.below(3);
        (start..start + count).map(|i| all[i % all.len()]).collect()
    }

    fn choices(&mut self) -> Held<[Choice]> {
        let names = self.names().into_iter().map(Choice::plain);
        names.collect::<Vec<_>>().into()
    }

    fn bound(&mut self, from: i32) -> Option<Bound> {
        let value = f64::from(from) + if self.once_in(2) { 0.5 } else { 0.0 };
        let text = value.to_string().into();
        (!self.once_in(3)).then(|| Bound {
            at: Decimal { text, value },
            exclusive: self.once_in(2),
        })
    }

    fn scalar(&mut self) -> Kind {
        match self.below(7) {
            0 => Kind::Boolean,
            1 => Kind::Integer(Integer {
                min: self.end(-2),
                max: self.end(5),
                multiple_of: self.once_in(4).then_some(2),
                ..Integer::ANY
            }),
            2 => Kind::Integer(Integer {
                choices: vec![1, 5, 9].into(),
                ..Integer::ANY
            }),
            3 => Kind::Number(Number {
                min: self.bound(-2),
                max: self.bound(4),
                multiple_of: None,
            }),
            4 => Kind::Text(Text {
                choices: self.choices(),
                ..Text::ANY
            }),
            5 => Kind::Text(Text {
                min_length: self.count(0),
                max_length: self.count(3),
                ..Text::ANY
            }),
            _ => Kind::Text(Text::ANY),
        }
    }

    /// The schema of arguments, mostly an object.
    fn root(&mut self) -> Kind {
        match self.below(12) {
            0 => self.internal(2),
            1 => self.adjacent(2),
            _ => Kind::Object(self.object(3)),
        }
    }

    fn object(&mut self, depth: usize) -> Object {
        let names = self.names();
        let mut fields = self.fields(&names, depth);
        if self.once_in(5) {
            let inner = self.fields(&["inside", "far_off"], depth);
            let inner = Object {
                fields: inner.into(),
                unknown: Unknown::Report,
                extra: None,
            };
            fields.push(Field {
                flatten: true,
                ..required("flat", Schema::of(Kind::Object(inner)))
            });
        }
        let extra = self.once_in(5).then(|| self.tree(0).into());
        Object {
            fields: fields.into(),
            unknown: if extra.is_some() || self.once_in(2) {
                Unknown::Keep
            } else {
                Unknown::Deny
            },
            extra,
        }
    }

    fn fields(&mut self, names: &[&'static str], depth: usize) -> Vec<Field> {
        let fields = names.iter().map(|name| Field {
            required: self.once_in(2),
            ..required(name, self.tree(depth))
        });
        fields.collect()
    }

    fn tree(&mut self, depth: usize) -> Schema {
        if depth > 0 && self.once_in(20) {
            let mut again = OBJECT_AGAIN.clone();
            again.set_number(ROOT);
            again.nullable = self.once_in(6);
            return again;
        }
        let kind = match self.below(if depth == 0 { 4 } else { 14 }) {
            0..=4 => self.scalar(),
            5 | 6 => Kind::List(List {
                items: self.tree(depth - 1).into(),
                min_items: self.count(0),
                max_items: self.count(2),
                unique: self.once_in(3),
            }),
            7 => {
                let items = (0..=self.below(2)).map(|_| self.tree(depth - 1).into());
                Kind::Tuple(items.collect::<Vec<_>>().into())
            }
            8 => Kind::Map(Map {
                values: self.tree(depth - 1).into(),
                // A map with a closed list of keys is an object in JSON.
                keys: Held::Static(&[]),
            }),
            9 => self.internal(depth - 1),
            10 => self.untagged(depth - 1),
            11 => self.external(depth - 1),
            12 => self.adjacent(depth - 1),
            _ => Kind::Object(self.object(depth - 1)),
        };
        Schema {
            nullable: self.once_in(6),
            ..Schema::of(kind)
        }
    }

    fn internal(&mut self, depth: usize) -> Kind {
        let variants = ["Fast", "deep"].map(|name| {
            let mut content = self.object(depth);
            // One more field. Without it, this may be an adjacent tag.
            content.fields = [content.fields.part(), &self.fields(&["more"], 0)]
                .concat()
                .into();
            variant(name, Some(Schema::of(Kind::Object(content))))
        });
        let tag = Held::Static("kind");
        union(Tagging::Internal { tag }, variants.into(), Unknown::Keep)
    }

    fn external(&mut self, depth: usize) -> Kind {
        let mut variants: Vec<Variant> = ["Off", "auto"]
            .into_iter()
            .skip(self.below(3))
            .map(|name| variant(name, None))
            .collect();
        for name in ["Fast", "deep"] {
            variants.push(variant(name, Some(self.tree(depth))));
        }
        let turn = self.below(variants.len());
        variants.rotate_left(turn);
        union(Tagging::External, variants, Unknown::Deny)
    }

    fn adjacent(&mut self, depth: usize) -> Kind {
        let tagging = Tagging::Adjacent {
            tag: Held::Static("kind"),
            content: Held::Static("some_content"),
        };
        let mut variants = vec![
            variant("Fast", Some(self.tree(depth))),
            variant("deep", Some(self.tree(depth))),
        ];
        if self.once_in(2) {
            variants.push(variant("Off", None));
        }
        union(tagging, variants, Unknown::Deny)
    }

    /// Forms that no value has in common.
    fn untagged(&mut self, depth: usize) -> Kind {
        let content = [
            Kind::Integer(Integer::ANY),
            Kind::Boolean,
            Kind::Text(Text {
                max_length: self.count(2),
                ..Text::ANY
            }),
            Kind::List(List {
                items: self.tree(depth).into(),
                min_items: None,
                max_items: self.count(1),
                unique: false,
            }),
            Kind::Object(self.object(depth)),
        ];
        let start = self.below(content.len());
        let count = 2 + self.below(3);
        let content = content.iter().cycle().skip(start).take(count);
        let variants = content.map(|kind| variant("", Some(Schema::of(kind.clone()))));
        union(Tagging::None, variants.collect(), Unknown::Keep)
    }

    /// A value that often fits the schema.
    fn value(&mut self, schema: &Schema, root: &Schema) -> Value {
        if schema.nullable && self.once_in(4) {
            return Value::Null;
        }
        if schema.is_inside_itself() {
            self.room = self.room.saturating_sub(1);
            return if self.room == 0 {
                json!({})
            } else {
                self.value(root, root)
            };
        }
        match &schema.kind {
            Kind::Any => json!({"any": [1]}),
            Kind::Boolean => json!(self.once_in(2)),
            Kind::Integer(_) => self.one(&[json!(1), json!(2), json!(5), json!(4.0), json!(99)]),
            Kind::Number(_) => self.one(&[json!(1), json!(0.5), json!(2.5), json!(-9), json!(1e3)]),
            Kind::Text(rules) => match self.below(rules.choices.len() + 1) {
                0 => self.one(&[json!("ab"), json!("abc"), json!(""), json!("mode")]),
                n => json!(rules.choices[n - 1].name.part()),
            },
            Kind::List(rules) => (0..self.below(4))
                .map(|_| self.value(&rules.items, root))
                .collect(),
            Kind::Tuple(items) => items.iter().map(|item| self.value(item, root)).collect(),
            Kind::Map(rules) => {
                let names = self.names().into_iter();
                let entry = |name: &str| (name.to_owned(), self.value(&rules.values, root));
                names.map(entry).collect()
            }
            Kind::Object(rules) => Value::Object(self.entries(rules, root)),
            Kind::Union(rules) => {
                let variant = &rules.variants[self.below(rules.variants.len())];
                let name = || Value::from(variant.name.part());
                let content = variant.content.as_ref();
                let content = content.map(|content| self.value(content, root));
                match (&rules.tagging, content) {
                    (Tagging::External, None) => name(),
                    (Tagging::External, Some(content)) => json!({ variant.name.part(): content }),
                    (Tagging::Internal { tag }, Some(Value::Object(mut entries))) => {
                        entries.insert(tag.to_string(), name());
                        Value::Object(entries)
                    }
                    (Tagging::Adjacent { tag, .. }, None) => json!({ tag.part(): name() }),
                    (Tagging::Adjacent { tag, content: key }, Some(content)) => {
                        json!({ key.part(): content, tag.part(): name() })
                    }
                    (_, content) => content.unwrap_or_default(),
                }
            }
        }
    }

    fn entries(&mut self, rules: &Object, root: &Schema) -> JsonMap<String, Value> {
        let mut out = JsonMap::new();
        for field in rules.all_fields() {
            if field.required || self.once_in(2) {
                out.insert(field.name.to_string(), self.value(&field.schema, root));
            }
        }
        if self.once_in(6) {
            out.insert("other".to_owned(), json!(7));
        }
        out
    }

    /// Changes a value at one place, as models do.
    fn spoil(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) if !items.is_empty() && !self.once_in(3) => {
                let at = self.below(items.len());
                return self.spoil(&mut items[at]);
            }
            Value::Object(entries) if !entries.is_empty() && !self.once_in(4) => {
                let keys: Vec<String> = entries.keys().cloned().collect();
                let key = self.one(&keys);
                match self.below(6) {
                    0 => {
                        entries.remove(&key);
                    }
                    1 => {
                        let value = entries.remove(&key).unwrap_or_default();
                        let near = self.one(&[key.to_uppercase(), key.replace('_', ""), key + "s"]);
                        entries.insert(near, value);
                    }
                    _ => {
                        if let Some(value) = entries.get_mut(&key) {
                            self.spoil(value);
                        }
                    }
                }
                return;
            }
            _ => {}
        }
        let text = value.to_string();
        let upper = value.as_str().map(str::to_uppercase);
        *value = match self.below(8) {
            0 => Value::Null,
            1 => json!(""),
            2 => json!([value.take()]),
            3 => json!(text),
            4 => json!(upper.unwrap_or(text)),
            5 => json!({"arguments": value.take()}),
            6 => json!([{"key": "mode", "value": value.take()}]),
            _ => self.one(&[
                json!("5"),
                json!("true"),
                json!(5.0),
                json!(1e300),
                json!(true),
            ]),
        };
    }

    fn spoil_text(&mut self, text: &str) -> String {
        let cut = self.below(text.len() + 1);
        match self.below(8) {
            0 => text.chars().take(cut).collect(),
            1 => text.replace('"', "'"),
            2 => text.replace('}', ",}"),
            3 => format!("{text} and so on"),
            4 => format!("```json\n{text}\n```"),
            5 => text.replace("true", "True").replace("null", "None"),
            6 => text.replacen('{', "{\"mode\": 1, ", 1),
            _ => String::new(),
        }
    }
}

/// The verdict, with the value and its fixes or with the messages.
type Seen = Result<(Value, Vec<String>), Vec<String>>;

fn seen(read: Result<Read<Value>, Report>) -> Seen {
    match read {
        Ok(read) => Ok((
            read.value,
            read.fixes
                .iter()
                .map(|fix| format!("{:?} {fix}", fix.kind))
                .collect(),
        )),
        Err(report) => {
            let issue = |issue: &crate::Issue| format!("{:?} {issue}", issue.kind);
            let mut lines: Vec<String> = report.issues.iter().map(issue).collect();
            lines.push(report.omitted.to_string());
            Err(lines)
        }
    }
}

/// The JSON of a tree in which the arguments contain themselves.
fn with_references(json: &str) -> String {
    json.replace(
        r#"{"type":"object","description":"the same form again"}"#,
        r##"{"$ref":"#"}"##,
    )
    .replace(
        r#"{"description":"the same form again","anyOf":[{"type":"object"},{"type":"null"}]}"#,
        r##"{"anyOf":[{"$ref":"#"},{"type":"null"}]}"##,
    )
}

fn by_tree(text: &str, tree: &Schema, policy: &Policy) -> Seen {
    struct ByTree(Option<Value>);
    impl Place for ByTree {
        fn read(&mut self, input: &mut Input<'_>, at: At<'_>) -> bool {
            self.0 = read(input, at);
            self.0.is_some()
        }
    }
    let mut place = ByTree(None);
    let fixes = Reading::of_text(text, policy, tree).read(&mut place);
    seen(fixes.map(|fixes| Read {
        value: place.0.expect("a value was read"),
        fixes,
    }))
}

const POLICIES: [Policy; 3] = [Policy::exact(), Policy::lax(), Policy::repair()];

/// The number of values to compare; `CALLPACT_TWINS` overrides it.
fn rounds() -> usize {
    let asked = std::env::var("CALLPACT_TWINS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(6_000)
}

/// Each trial of the hint contains only one of the two keys, and so has one fault less. That proves nothing.
#[test]
fn no_hint_is_proved_by_a_key_that_stands_twice() {
    let schema = r##"{"type":"object","properties":{
        "mode":{"type":"string","enum":["mode","Path","limit"]},
        "Path":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"boolean"}}]},
        "limit":{"type":"array","prefixItems":[{"type":"object","properties":{
            "mode":{"anyOf":[{"type":"string","maxLength":3},{"type":"integer"},
                {"type":"object","properties":{"Path":{"type":"integer"}}}]},
            "Path":{"type":"array","prefixItems":[{"type":"string","enum":["Path"]},
                {"type":"string","enum":["limit","tags"]}],"minItems":2,"maxItems":2}},
            "required":["mode","Path"],"additionalProperties":{"type":"number"}}],"minItems":1,"maxItems":1},
        "inside":{"$ref":"#"},"far_off":{"anyOf":[{"type":"boolean"},{"type":"null"}]}},
        "required":["limit","inside","far_off"]}"##;
    let text = r#"{"mode": 1, "mode":"limit","far_off":"",
        "limit":[{"mode":5,"Path":["Path","limit"],"other":7}],
        "inside":{"limit":[{"mode":{},"Path":["Path","ab"]}],
            "inside":{"mode":"limit","Path":"mode","limit":[{"mode":{},"Path":["","limit"]}],
                "inside":{"Path":[false,true,false],"limit":[{"mode":99,"Path":["ab","tags"]}],
                    "inside":{},"far_off":null},"far_off":null},"far_off":false},"PATH":"ab"}"#;
    let schema = ForeignSchema::parse(schema).unwrap_or_else(|faults| panic!("{faults}"));
    let report = read_foreign(text, &schema, &Policy::exact()).expect_err("faults");
    assert_eq!(report.issues[0].path.to_string(), "mode");
    assert_eq!(report.issues[0].hint, None, "\"1\" is no choice either");
}

#[test]
fn a_declared_schema_and_its_json_are_read_alike() {
    let mut dice = Dice::new(7);
    let (mut read, mut refused, mut fixed) = (0, 0, 0);
    for _ in 0..rounds() / 10 {
        let mut tree = Schema::of(dice.root());
        tree.set_number(ROOT);
        let json = with_references(&tree.to_json(Dialect::Mcp20260728));
        let foreign = ForeignSchema::parse(&json).unwrap_or_else(|faults| panic!("{faults}"));
        for _ in 0..10 {
            dice.room = 4;
            let mut value = dice.value(&tree, &tree);
            for _ in 0..dice.below(3) {
                dice.spoil(&mut value);
            }
            let mut text = value.to_string();
            if dice.once_in(4) {
                text = dice.spoil_text(&text);
            }
            for policy in POLICIES {
                let declared = by_tree(&text, &tree, &policy);
                let foreign = seen(read_foreign(&text, &foreign, &policy));
                assert_eq!(foreign, declared, "{policy:?}\n{json}\n{text}");
                match declared {
                    Ok((_, changes)) => {
                        read += 1;
                        fixed += usize::from(!changes.is_empty());
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    let least = rounds() / 4;
    assert!(
        read > least && refused > least && fixed > least / 4,
        "{read} {refused} {fixed}"
    );
}

#[derive(Debug, ToolInput, serde::Serialize)]
#[tool_input(unknown = "deny")]
struct Job {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 5)]
    query: String,
    #[tool_param(max = 50)]
    limit: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    tags: Vec<Mode>,
    #[tool_param(unique_items)]
    seen: Vec<u8>,
    pair: (bool, String),
    labels: BTreeMap<String, i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    some_shape: Option<Shape>,
}

#[derive(Debug, ToolInput, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Fast,
    Deep,
}

#[derive(Debug, ToolInput, serde::Serialize)]
#[serde(tag = "kind")]
#[tool_input(unknown = "deny")]
enum Shape {
    Circle { radius: f64 },
    Box { sides: Vec<u32> },
}

/// Whether a list in a value has a number twice, perhaps as text or inside another list.
fn holds_twice(value: &Value) -> bool {
    let mut seen = std::collections::HashSet::new();
    let number = |item: &Value| {
        let bare = item.to_string().replace(['[', ']', '"', '\\'], "");
        bare.parse::<f64>().ok().map(f64::to_bits)
    };
    match value {
        Value::Array(items) => {
            let mut numbers = items.iter().filter_map(number);
            numbers.any(|number| !seen.insert(number)) || items.iter().any(holds_twice)
        }
        Value::Object(map) => map.values().any(holds_twice),
        Value::String(text) => {
            serde_json::from_str(text).is_ok_and(|inner: Value| holds_twice(&inner))
        }
        _ => false,
    }
}

#[test]
fn a_derived_type_and_its_json_are_read_alike() {
    let mut dice = Dice::new(3);
    let json = Job::SCHEMA.to_json(Dialect::Mcp20260728);
    let foreign = ForeignSchema::parse(&json).unwrap_or_else(|faults| panic!("{faults}"));
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds() {
        let mut value = dice.value(Job::SCHEMA, Job::SCHEMA);
        for _ in 0..dice.below(3) {
            dice.spoil(&mut value);
        }
        let mut text = value.to_string();
        if dice.once_in(4) {
            text = dice.spoil_text(&text);
        }
        for policy in POLICIES {
            let job = read_str::<Job>(&text, &policy).map(|job| Read {
                value: serde_json::to_value(job.value).unwrap_or_default(),
                fixes: job.fixes,
            });
            let numbers = |seen: Seen| {
                seen.map(|(value, fixes)| (crate::read::any::canonical(&value), fixes))
            };
            let (job, foreign) = (seen(job), seen(read_foreign(&text, &foreign, &policy)));
            // A type takes numbers that become equal by a conversion; a server would refuse them.
            if policy.converts() && holds_twice(&value) {
                continue;
            }
            *(if job.is_ok() { &mut read } else { &mut refused }) += 1;
            assert_eq!(numbers(foreign), numbers(job), "{policy:?}\n{json}\n{text}");
        }
    }
    assert!(
        read > rounds() / 20 && refused > rounds(),
        "{read} {refused}"
    );
}
