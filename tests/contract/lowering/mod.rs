//! Every shape in every dialect. The reader reads what a lowered schema makes a model write as the
//! intended value. It reads every value that the schema admits, or refuses it by a rule in the
//! description.

pub(crate) mod encode;
mod excuse;
mod parse;
mod tested;

use std::{collections::BTreeMap, time::Instant};

use callpact::{Dialect, FixKind, IssueKind, Policy, Schema, input::Step};
use callpact_tests::{
    generate::Generator,
    shapes::{Shape, all, is_misspelt},
};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::spread::{cases, over};
use encode::{Encoder, Node, with_null, without};

/// The number of values each way; `CALLPACT_CASES` overrides it.
const CASES: usize = 40_000;

/// The cases in which a dialect cannot carry a value or says less than the type. Each has a test in
/// `tested`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    /// Null stands for an absent value, so an optional field of any JSON cannot be null.
    NullIsAbsent,
    /// A required field that may be null and may be absent has one null for both.
    AbsentIsNull,
    /// Items that differ only in unknown keys become equal if the dialect cannot carry those keys.
    TwinsByUnknown,
    /// An empty text of an optional field is absent, except with `keep_empty`.
    EmptyIsAbsent,
    /// A union at the root is an object, so a variant that is only a name cannot be called.
    UnitAtRoot,
    /// In the flat object of a root union, an unknown key can belong to another variant.
    FlatRootKey,
    /// The flat object says less than its variants.
    FlatRoot,
    /// Pairs can repeat a key, and choosing one value would be a guess.
    PairTwice,
    /// Maps in words name only the kind of their values.
    MapInWords,
    /// Keys of two untagged variants: the reader does not guess between them.
    OtherForm,
    /// The schema stays open where a type contains itself.
    Recursion,
    /// `with` and `validate` run the author's code.
    AuthorRule,
    /// An unknown key resembles a parameter that was not given.
    Misspelt,
    /// Descriptions omit the bounds of 32 and 64 bits, and llama.cpp has none at the ends of 64 bits.
    FarEnd,
}

/// A schema text and the dialects that share it.
struct Lowered {
    dialects: Vec<Dialect>,
    text: String,
    /// The text as JSON Schema. Gemini's `OpenAPI` form is translated.
    schema: Value,
    validator: Validator,
}

fn lowered(schema: &Schema) -> Vec<Lowered> {
    let mut all: Vec<Lowered> = Vec::new();
    for dialect in Dialect::ALL {
        let text = schema.to_json(dialect);
        if let Some(same) = all.iter_mut().find(|lowered| lowered.text == text) {
            same.dialects.push(dialect);
            continue;
        }
        let mut json = serde_json::from_str(&text).expect("JSON");
        if dialect == Dialect::GeminiOpenApi {
            json = without_open_api(json);
        }
        all.push(Lowered {
            dialects: vec![dialect],
            validator: encode::compiled(&json),
            schema: inlined(&json, &json, LEVELS),
            text,
        });
    }
    all
}

/// How deep a schema that contains itself is written out.
const LEVELS: usize = 7;

/// The schema with its definitions in place of references. What is deeper may be anything.
pub(crate) fn inlined(root: &Value, schema: &Value, levels: usize) -> Value {
    match schema {
        Value::Object(map) => {
            if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                let target = root.pointer(reference.trim_start_matches('#'));
                return match target {
                    Some(target) if levels > 0 => inlined(root, target, levels - 1),
                    _ => json!({}),
                };
            }
            let parts = map.iter().filter(|(key, _)| *key != "$defs");
            parts
                .map(|(key, part)| (key.clone(), inlined(root, part, levels)))
                .collect()
        }
        Value::Array(items) => items
            .iter()
            .map(|item| inlined(root, item, levels))
            .collect(),
        other => other.clone(),
    }
}

/// Translates capital type names and `nullable`.
pub(crate) fn without_open_api(schema: Value) -> Value {
    let Value::Object(map) = schema else {
        return schema;
    };
    let mut out = Map::new();
    let mut nullable = false;
    for (key, value) in map {
        let value = match (key.as_str(), value) {
            ("nullable", _) => {
                nullable = true;
                continue;
            }
            ("type", Value::String(name)) => name.to_lowercase().into(),
            ("properties", Value::Object(children)) => children
                .into_iter()
                .map(|(key, child)| (key, without_open_api(child)))
                .collect(),
            ("anyOf", Value::Array(children)) => {
                children.into_iter().map(without_open_api).collect()
            }
            ("items" | "additionalProperties", child) => without_open_api(child),
            (_, value) => value,
        };
        out.insert(key, value);
    }
    if nullable {
        let description = out.remove("description");
        let mut outside = Map::new();
        if let Some(words) = description {
            outside.insert("description".to_owned(), words);
        }
        outside.insert("anyOf".to_owned(), json!([out, {"type": "null"}]));
        return Value::Object(outside);
    }
    Value::Object(out)
}

#[derive(Default)]
struct Tally {
    same: usize,
    named: BTreeMap<Named, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn name_all(&mut self, named: Option<Named>) {
        if let Some(named) = named {
            *self.named.entry(named).or_default() += 1;
        }
    }

    fn fail(&mut self, shape: &Shape, lowered: &Lowered, why: &str) {
        if self.failures.len() < 40 {
            self.failures.push(format!(
                "{} in {}: {why}\n  {}",
                shape.name, lowered.dialects[0], lowered.text
            ));
        }
    }

    fn add(&mut self, other: Self) {
        self.same += other.same;
        for (named, count) in other.named {
            *self.named.entry(named).or_default() += count;
        }
        self.failures.extend(other.failures);
    }

    fn show(&self, what: &str, start: Instant) {
        println!("{what}: {} the same in {:.1?}", self.same, start.elapsed());
        for (named, count) in &self.named {
            println!("  {named:?} {count}");
        }
    }
}

/// Compares all shapes and dialects on several threads.
fn over_all(compare: fn(&Shape, &Lowered, u64, usize) -> Tally) -> Tally {
    let shapes = all();
    let each = cases(CASES) / (shapes.len() * Dialect::ALL.len()) + 1;
    let tallies = over(&shapes, |i, shape| {
        let mut tally = Tally::default();
        for lowered in lowered(shape.schema) {
            let cases = each * lowered.dialects.len();
            tally.add(compare(shape, &lowered, 0x70_07 + i as u64, cases));
        }
        tally
    });
    let mut total = Tally::default();
    for tally in tallies {
        total.add(tally);
    }
    total
}

/// Values of the type, written as the dialect demands.
fn written(shape: &Shape, lowered: &Lowered, seed: u64, cases: usize) -> Tally {
    let node = Node::of(&lowered.schema);
    let mut generator = Generator::new(seed);
    let mut tally = Tally::default();
    for _ in 0..cases {
        let value = generator.valid(shape.schema);
        match one_way(shape, lowered, &node, &value, &mut generator) {
            Ok(named) => {
                tally.same += 1;
                tally.name_all(named);
            }
            Err(why) => tally.fail(shape, lowered, &format!("{why}\n  {value}")),
        }
    }
    tally
}

fn one_way(
    shape: &Shape,
    lowered: &Lowered,
    node: &Node,
    value: &Value,
    generator: &mut Generator,
) -> Result<Option<Named>, String> {
    const MANY: usize = 10_000;
    let (exact, lax) = (Policy::exact(), Policy::lax().with_max_issues(MANY));
    let repair = Policy::repair().with_max_issues(MANY);
    let plain = value.to_string();
    if let Err(report) = (shape.read_text)(&plain, &exact) {
        // The contract harness shows that every sample is valid otherwise.
        return match excuse::of_sample(shape, value) {
            Some(named) => Ok(Some(named)),
            None => Err(format!("not a value of the type: {report}")),
        };
    }
    if excuse::unit_at_root(shape.schema, value) {
        return Ok(Some(Named::UnitAtRoot));
    }
    let mut encoder = Encoder::new(
        &mut generator.rng,
        lowered.text.contains("\"nullable\":true"),
    );
    let written = encoder.write(node, value);
    let (dropped, nulls) = (encoder.dropped, encoder.nulls);
    if (shape.read_text)(&without(value, &dropped).to_string(), &exact).is_err_and(|report| {
        report
            .issues
            .iter()
            .all(|issue| issue.kind == IssueKind::DuplicateItem)
    }) {
        return Ok(Some(Named::TwinsByUnknown));
    }
    if !lowered.validator.is_valid(&written) {
        return if excuse::flat_root_key(shape, lowered, value) {
            Ok(Some(Named::FlatRootKey))
        } else if lowered.dialects == [Dialect::LlamaCpp] && excuse::has_far_number(value) {
            Ok(Some(Named::FarEnd))
        } else {
            Err(format!("the dialect has no place for it: {written}"))
        };
    }
    // What the reader read as absent, as paths of the plain value.
    let read = (shape.read_text)(&plain, &lax);
    let dropped_by_exact = (shape.read_text)(&plain, &exact).unwrap_or_default();
    if is_misspelt(&dropped_by_exact, read.as_deref()) {
        return Ok(Some(Named::Misspelt));
    }
    let fixes = read.map_err(|report| report.to_string())?;
    let places = |kind: FixKind| {
        let of_kind = fixes.iter().filter(move |fix| fix.kind == kind);
        of_kind
            .map(|fix| fix.path.steps().to_vec())
            .collect::<Vec<_>>()
    };
    let (null, empty) = (
        places(FixKind::NullAsAbsent),
        places(FixKind::EmptyAsAbsent),
    );
    let carried = without(value, &[dropped.clone(), null.clone()].concat());
    let meant = without(&carried, &empty);
    let text = written.to_string();
    let mut absent_is_null = false;
    for (policy, meant) in [
        (exact.lowered().with_max_issues(MANY), &carried),
        (lax, &meant),
        (lax.lowered(), &meant),
        (repair, &meant),
        (repair.lowered(), &meant),
    ] {
        match (shape.same)((&meant.to_string(), &exact), (&text, &policy)) {
            Err(report) => return Err(format!("written as {text}, {policy:?} refused: {report}")),
            Ok(false) => {
                // Null for a nullable field is null, so nothing can mean absent.
                let nulled = nulls.iter().fold(meant.clone(), |meant, path| {
                    let nulled = with_null(&meant, path);
                    let reads = (shape.read_text)(&nulled.to_string(), &exact).is_ok();
                    if reads { nulled } else { meant }
                });
                if (shape.same)((&nulled.to_string(), &exact), (&text, &policy)) != Ok(true) {
                    return Err(format!("written as {text}, {policy:?} read another value"));
                }
                absent_is_null = true;
            }
            Ok(true) => {}
        }
    }
    let lowered =
        (shape.read_text)(&text, &exact.lowered()).map_err(|report| report.to_string())?;
    if let Some(fix) = lowered
        .iter()
        .find(|fix| fix.kind != FixKind::UnknownDropped)
    {
        return Err(format!("written as {text}, which needs a fix: {fix}"));
    }
    if absent_is_null {
        return Ok(Some(Named::AbsentIsNull));
    }
    let meant = meant.to_string();
    if (shape.same)((&plain, &exact), (&meant, &exact)) == Ok(true) {
        return Ok(None);
    }
    let matters = |places: &[Vec<Step>]| {
        let less = without(value, places).to_string();
        (shape.same)((&plain, &exact), (&less, &exact)) != Ok(true)
    };
    if matters(&dropped) {
        return Err(format!("a part of it was left out: {text}"));
    }
    for (named, places) in [(Named::NullIsAbsent, null), (Named::EmptyIsAbsent, empty)] {
        if matters(&places) {
            return Ok(Some(named));
        }
    }
    Err(format!("something else was lost: {text}"))
}

#[test]
fn reads_value_written_in_dialect_as_same_value() {
    let start = Instant::now();
    let tally = over_all(written);
    tally.show("written for the dialect", start);
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(tally.same >= 40_000);
    // Exceptions must stay rare.
    assert!(tally.named.values().sum::<usize>() * 8 < tally.same);
}

/// Generates values from the lowered schema alone.
fn admitted(shape: &Shape, lowered: &Lowered, seed: u64, cases: usize) -> Tally {
    let tree = parse::tree(&lowered.schema);
    let mut generator = Generator::new(seed);
    let mut tally = Tally::default();
    let (mut made, mut tried) = (0, 0);
    while made < cases && tried < cases * 8 + 20 {
        tried += 1;
        let value = generator.valid(tree);
        if !lowered.validator.is_valid(&value) {
            continue;
        }
        made += 1;
        for policy in [
            Policy::exact().lowered(),
            Policy::lax().lowered(),
            Policy::repair().lowered(),
            Policy::lax(),
            Policy::repair(),
        ] {
            let text = value.to_string();
            let read = (shape.read_text)(&text, &policy);
            if read.is_err()
                && let Ok(exact) = (shape.read_text)(&text, &Policy::exact().lowered())
                && is_misspelt(&exact, read.as_deref())
            {
                tally.name_all(Some(Named::Misspelt));
                continue;
            }
            match read {
                Ok(_) => tally.same += 1,
                Err(report) => match excuse::of_report(shape, lowered, &value, &report) {
                    Ok(named) => tally.name_all(named),
                    Err(why) => tally.fail(
                        shape,
                        lowered,
                        &format!(
                            "admitted, {policy:?} refused, and no word of it: {why}\n  {value}"
                        ),
                    ),
                },
            }
        }
    }
    if made < cases {
        tally.fail(shape, lowered, &format!("only {made} samples of {cases}"));
    }
    tally
}

#[test]
fn reads_admitted_value_or_rejects_by_worded_rule() {
    let start = Instant::now();
    let tally = over_all(admitted);
    tally.show("admitted by the lowered schema", start);
    assert!(tally.failures.is_empty(), "{}", tally.failures.join("\n"));
    assert!(tally.same >= 75_000, "{}", tally.same);
}
