//! What the exact policy takes, the lax and the repair policies take with the same value: for every shape and for random
//! schemas made at run time. A key that no schema names is guarded: it may be a misspelt or misplaced parameter.

use callpact::{
    Fix, FixKind, Issue, IssueKind, Policy, Report,
    input::{Fixes, Step, read_foreign},
    schema::ForeignSchema,
};
use callpact_tests::{generate::Generator, rng::Rng, shapes::all};
use serde_json::{Map, Value, json};

use crate::{
    agreement::damage,
    spread::{cases, over},
};

/// The number of random schemas; `CALLPACT_CASES` overrides it.
const SCHEMAS: usize = 4_000;

const VALUES: usize = 12;

/// Names that resemble each other.
const NAMES: [&str; 14] = [
    "retries",
    "retry",
    "Retries",
    "limit",
    "Limit",
    "max_limit",
    "dry_run",
    "dryRun",
    "type",
    "types",
    "items",
    "item",
    "arguments",
    "account",
];

fn pick<'a, T>(rng: &mut Rng, of: &'a [T]) -> &'a T {
    &of[rng.below(of.len())]
}

/// Whether an object of the schema takes keys that it neither declares nor mentions.
#[derive(Clone, Copy, PartialEq)]
enum Openness {
    /// `additionalProperties` or `patternProperties` allow further keys.
    Explicit,
    /// Nothing is said of further keys.
    Unmarked,
}

fn schema(rng: &mut Rng, openness: Openness, depth: usize) -> Value {
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => json!({"type": "integer"}),
        1 => json!({"type": "boolean"}),
        2 => json!({"type": "string", "minLength": 1}),
        3 => json!({"type": "string", "enum": ["a", "up to"]}),
        4 => json!({"type": "string"}),
        5 => json!({"type": "array", "items": schema(rng, openness, depth - 1)}),
        // Where a key is guarded in a form, the report is about another form.
        6 if openness == Openness::Explicit => {
            json!({"anyOf": [schema(rng, openness, depth - 1), schema(rng, openness, depth - 1)]})
        }
        _ => object(rng, openness, depth - 1),
    }
}

fn object(rng: &mut Rng, openness: Openness, depth: usize) -> Value {
    let mut properties = Map::new();
    for _ in 0..rng.below(5) {
        properties.insert(
            (*pick(rng, &NAMES)).to_owned(),
            schema(rng, openness, depth),
        );
    }
    let required: Vec<&String> = properties.keys().filter(|_| rng.one_in(4)).collect();
    let mut out = json!({"type": "object", "required": required});
    out["properties"] = properties.into();
    if openness == Openness::Explicit {
        match rng.below(6) {
            0 => out["additionalProperties"] = json!(false),
            1 => out["additionalProperties"] = json!(true),
            2 => out["additionalProperties"] = json!({}),
            3 => out["patternProperties"] = json!({"^[a-z]": {}, "^[A-Z]": {}}),
            4 => out["patternProperties"] = json!({"^[a-m]": schema(rng, openness, 0)}),
            _ => out["additionalProperties"] = schema(rng, openness, 0),
        }
    }
    out
}

fn scalar(rng: &mut Rng) -> Value {
    let all = [
        json!(""),
        json!("a"),
        json!("up to"),
        json!(3),
        json!(true),
        json!([]),
        json!({}),
        json!("5"),
    ];
    pick(rng, &all).clone()
}

/// A value that often fits, with keys that the schema does not declare.
fn value(schema: &Value, rng: &mut Rng, depth: usize) -> Value {
    if rng.one_in(16) {
        return scalar(rng);
    }
    if let Some(forms) = schema["anyOf"].as_array() {
        return value(pick(rng, forms), rng, depth);
    }
    match schema["type"].as_str() {
        Some("integer") => json!(rng.below(9)),
        Some("boolean") => json!(rng.one_in(2)),
        Some("array") => {
            let count = rng.below(3);
            (0..count)
                .map(|_| value(&schema["items"], rng, depth))
                .collect()
        }
        Some("object") => {
            let mut out = Map::new();
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            for (name, part) in schema["properties"].as_object().into_iter().flatten() {
                if required.iter().any(|one| one == name) || rng.one_in(2) {
                    out.insert(name.clone(), value(part, rng, depth));
                }
            }
            for _ in 0..rng.below(3) {
                let name = *pick(rng, &NAMES);
                let further = &schema["additionalProperties"];
                let inner = if further.is_object() && !rng.one_in(4) {
                    value(further, rng, depth)
                } else if depth > 0 && rng.one_in(4) {
                    json!({ *pick(rng, &NAMES): scalar(rng) })
                } else {
                    scalar(rng)
                };
                out.entry(name).or_insert(inner);
            }
            out.into()
        }
        _ => match schema["enum"].as_array() {
            Some(choices) => pick(rng, choices).clone(),
            None if schema["minLength"].is_null() && rng.one_in(3) => json!(""),
            None => json!(*pick(rng, &["a", "5", "up to", "[1]", "null", "true"])),
        },
    }
}

/// Whether the report is about a key that the schema does not name, which may be read as a name in another case, also
/// beside the name itself. Markup of a call in a text is guarded too.
fn guards(report: &Report, given: &Value) -> bool {
    let is_guarded = |issue: &Issue| {
        let kinds = [
            IssueKind::UnknownKey,
            IssueKind::DuplicateKey,
            IssueKind::LeakedMarkup,
        ];
        kinds.contains(&issue.kind) || !is_there(issue.path.steps(), given)
    };
    report.omitted == 0 && report.issues.iter().any(is_guarded)
}

fn is_there(steps: &[Step], given: &Value) -> bool {
    let mut steps = steps.iter();
    let end = steps.try_fold(given, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    });
    end.is_some()
}

/// Whether a key was read as another one, or dropped with what is around the arguments.
fn renames(fixes: &Fixes) -> bool {
    let kinds = [FixKind::KeyCase, FixKind::Alias, FixKind::Wrapped];
    fixes.iter().any(|fix: &Fix| kinds.contains(&fix.kind))
}

/// The numbers of values that the exact policy takes, and of keys that were guarded.
fn compare(openness: Openness, seed: u64, schemas: usize) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let (mut taken, mut guarded) = (0, 0);
    for _ in 0..schemas {
        let text = object(&mut rng, openness, 2);
        let Ok(schema) = ForeignSchema::parse(&text.to_string()) else {
            continue;
        };
        for _ in 0..VALUES {
            let given = value(&text, &mut rng, 2);
            let Ok(exact) = read_foreign(&given.to_string(), &schema, &Policy::exact()) else {
                continue;
            };
            taken += 1;
            for policy in [Policy::lax(), Policy::repair()] {
                match read_foreign(&given.to_string(), &schema, &policy) {
                    Ok(read) if read.value == exact.value => {}
                    Ok(read) if openness == Openness::Unmarked && renames(&read.fixes) => {
                        guarded += 1;
                    }
                    Err(report) if openness == Openness::Unmarked && guards(&report, &given) => {
                        guarded += 1;
                    }
                    Ok(read) => panic!("{text}\n{given}\n{}\n{:?}", read.value, read.fixes),
                    Err(report) => panic!("{text}\n{given}\n{report}"),
                }
            }
        }
    }
    (taken, guarded)
}

#[test]
fn lax_takes_what_a_marked_schema_allows() {
    let parts: Vec<u64> = (0..8).collect();
    let each = cases(SCHEMAS) / parts.len();
    let counts = over(&parts, |_, seed| {
        compare(Openness::Explicit, 0x417 + seed, each)
    });
    let taken: usize = counts.iter().map(|(taken, _)| taken).sum();
    assert!(taken > cases(SCHEMAS), "{taken}");
}

#[test]
fn lax_guards_only_keys_that_nothing_allows() {
    let parts: Vec<u64> = (0..8).collect();
    let each = cases(SCHEMAS) / parts.len();
    let counts = over(&parts, |_, seed| {
        compare(Openness::Unmarked, 0x418 + seed, each)
    });
    let (taken, guarded) = counts
        .iter()
        .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(taken > cases(SCHEMAS) && guarded > 0, "{taken} {guarded}");
}

/// The same for derived types. Their `""` of an optional text is absent, unless they keep it, as is null of an optional
/// field of any JSON.
#[test]
fn lax_takes_what_every_shape_takes() {
    let shapes = all();
    let each = cases(16_000) / shapes.len();
    over(&shapes, |index, shape| {
        let mut generator = Generator::new(0x419 + index as u64);
        for round in 0..each {
            let mut value = generator.case(shape.schema).value;
            if round % 3 == 0 {
                damage(&mut value, &mut generator.rng);
            }
            let text = value.to_string();
            let exact = Policy::exact();
            if (shape.read_text)(&text, &exact).is_err() {
                continue;
            }
            for policy in [Policy::lax(), Policy::repair()] {
                match (shape.read_text)(&text, &policy) {
                    Ok(fixes) => {
                        let is_absent = |fix: &Fix| {
                            matches!(fix.kind, FixKind::EmptyAsAbsent | FixKind::NullAsAbsent)
                        };
                        let is_same = (shape.same)((&text, &exact), (&text, &policy));
                        let is_named = fixes.iter().any(is_absent) || renames(&fixes);
                        assert!(
                            is_same == Ok(true) || is_named,
                            "{} {text} {fixes:?}",
                            shape.name
                        );
                    }
                    Err(report) => {
                        assert!(guards(&report, &value), "{} {text}\n{report}", shape.name);
                    }
                }
            }
        }
    });
}

fn read(schema: &Value, given: &Value, policy: &Policy) -> Result<Value, String> {
    let schema =
        ForeignSchema::parse(&schema.to_string()).unwrap_or_else(|faults| panic!("{faults}"));
    let read = read_foreign(&given.to_string(), &schema, policy);
    read.map(|read| read.value)
        .map_err(|report| report.to_string())
}

#[test]
fn a_header_beside_a_declared_one_is_sent() {
    let schema = json!({"type": "object", "properties": {"headers": {
        "type": "object",
        "properties": {"Authorization": {"type": "string"}},
        "additionalProperties": {"type": "string"},
    }}});
    let given = json!({"headers": {"X-Authorization": "a"}});
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        assert_eq!(read(&schema, &given, &policy), Ok(given.clone()));
    }
    // What does not fit the further keys may be meant as the declared one.
    let wrong = json!({"headers": {"authorisation": 5}});
    assert_eq!(
        read(&schema, &wrong, &Policy::lax()).unwrap_err(),
        "Invalid arguments, 1 problem:\n- headers.authorisation: not a parameter; it resembles `Authorization`: rename it, or leave it out"
    );
}

#[test]
fn a_key_belongs_in_no_empty_list() {
    let schema = json!({"type": "object", "properties": {
        "account": {"type": "string"},
        "transactions": {"type": "array", "items": {"type": "object", "properties": {"type": {"type": "string"}}}},
    }});
    let given = json!({"account": "a", "transactions": [], "type": "credit"});
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        assert_eq!(read(&schema, &given, &policy), Ok(given.clone()));
    }
    let one = json!({"account": "a", "transactions": [{}], "type": "credit"});
    assert_eq!(
        read(&schema, &one, &Policy::lax()).unwrap_err(),
        "Invalid arguments, 1 problem:\n- type: not a parameter; `type` belongs in each item of `transactions`: move it there, or leave it out"
    );
}

#[test]
fn an_unmarked_schema_runs_no_misspelt_parameter() {
    let schema = json!({"type": "object", "properties": {"retries": {"type": "integer"}}});
    let given = json!({"retry": 3});
    for policy in [Policy::lax(), Policy::repair()] {
        assert_eq!(
            read(&schema, &given, &policy).unwrap_err(),
            "Invalid arguments, 1 problem:\n- retry: not a parameter; did you mean `retries`?"
        );
    }
}
