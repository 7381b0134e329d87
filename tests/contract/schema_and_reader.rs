//! The reader accepts exactly the values that the schema accepts.

use std::{collections::BTreeMap, fmt::Write, time::Instant};

use callpact::{Dialect, Issue, Policy, ToolInput, read_str};
use callpact_tests::{
    exception::{NamedException, exceptions},
    generate::Generator,
    rng::Rng,
    shapes::{Shape, all, numbers::Multiples},
};
use jsonschema::Validator;
use serde_json::Value;

use crate::spread::{cases, over};

/// The number of values over all shapes; `CALLPACT_CASES` overrides it.
const CASES: usize = 1_000_000;

pub(crate) fn compile(schema: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(&schema).expect("the schema is a schema")
}

/// The text of a value with the keys of each object in random order.
pub(crate) fn text_of(value: &Value, rng: &mut Rng, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                text_of(item, rng, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            let turn = rng.below(entries.len());
            entries.rotate_left(turn);
            if rng.one_in(2) {
                entries.reverse();
            }
            out.push('{');
            for (i, (key, value)) in entries.into_iter().enumerate() {
                if i > 0 {
                    out.push_str(" ,\n");
                }
                text_of(&Value::String(key.clone()), rng, out);
                out.push(':');
                text_of(value, rng, out);
            }
            out.push('}');
        }
        other => write!(out, "{other}").expect("a string takes it"),
    }
}

#[derive(Default)]
struct Tally {
    cases: usize,
    accepted: usize,
    mutated: usize,
    exceptions: BTreeMap<(&'static str, NamedException), usize>,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.cases += other.cases;
        self.accepted += other.accepted;
        self.mutated += other.mutated;
        for (name, count) in other.exceptions {
            *self.exceptions.entry(name).or_default() += count;
        }
        self.failures.extend(other.failures);
    }
}

fn compare(shape: &Shape, seed: u64, cases: usize) -> Tally {
    let whole = compile(shape.whole);
    let portable = compile(shape.portable);
    let mut generator = Generator::new(seed);
    let mut tally = Tally::default();
    for _ in 0..cases {
        let case = generator.case(shape.schema);
        let value = &case.value;
        let mut text = String::new();
        if generator.rng.one_in(2) {
            text = value.to_string();
        } else {
            text_of(value, &mut generator.rng, &mut text);
        }
        let read = (shape.read)(value, &text, &Policy::exact());
        tally.cases += 1;
        tally.accepted += usize::from(read.is_ok());
        tally.mutated += usize::from(case.mutated);
        // The placeholder for a missing reason.
        let unsaid = |issue: &Issue| issue.expected == "not accepted";
        if let Err(report) = &read
            && report.issues.iter().any(unsaid)
            && tally.failures.len() < 3
        {
            tally.failures.push(format!(
                "{} was refused without a reason: {text}",
                shape.name
            ));
        }
        for (name, dialect, validator) in [
            ("whole", Dialect::Mcp20260728, &whole),
            ("portable", Dialect::Portable, &portable),
        ] {
            let valid = validator.is_valid(value);
            let named = || exceptions(shape, dialect, value, &|value| validator.is_valid(value));
            if valid == read.is_ok() {
                // The generator's unknown keys may belong to another variant.
                let meant = || !case.mutated && !named().contains(&NamedException::OtherForm);
                if !valid && tally.failures.len() < 3 && meant() {
                    tally
                        .failures
                        .push(format!("{} was meant to be valid: {text}", shape.name));
                }
                continue;
            }
            match named().iter().find(|named| named.explains(valid)) {
                Some(named) => *tally.exceptions.entry((name, *named)).or_default() += 1,
                None if tally.failures.len() < 3 => tally.failures.push(format!(
                    "{} ({name}): schema {valid}, reader {:?}\n  {text}\n  {}",
                    shape.name,
                    read.as_ref().map_err(ToString::to_string),
                    if name == "whole" {
                        shape.whole
                    } else {
                        shape.portable
                    },
                )),
                None => {}
            }
        }
    }
    tally
}

#[test]
fn schema_and_reader_agree() {
    let start = Instant::now();
    let shapes = all();
    let cases = cases(CASES);
    let each = cases / shapes.len() + 1;
    let mut total = Tally::default();
    for tally in over(&shapes, |i, shape| compare(shape, 0x70_01 + i as u64, each)) {
        total.add(tally);
    }
    println!(
        "{} shapes, {} values in {:.1?}: {} accepted, {} mutated",
        shapes.len(),
        total.cases,
        start.elapsed(),
        total.accepted,
        total.mutated,
    );
    for ((dialect, name), count) in &total.exceptions {
        println!("  {dialect}: {name:?} {count}");
    }
    let failures = total.failures.len();
    assert!(
        failures == 0,
        "{failures} differences:\n{}",
        total.failures.join("\n")
    );
    assert!(shapes.len() >= 65 && total.cases >= cases);
    // Both sides must have enough values.
    assert!(total.accepted * 10 > total.cases * 5 && total.accepted * 10 < total.cases * 9);
}

#[test]
fn multiples_of_decimals_agree() {
    let validator = compile(&Multiples::SCHEMA.to_json(Dialect::Mcp20260728));
    let mut rng = Rng::new(7);
    let mut multiples = 0;
    for _ in 0..20_000 {
        let digits = rng.below(100_000);
        let number = match rng.below(4) {
            0 => format!("{}.{}", digits / 10, digits % 10),
            1 => format!("{}.{:02}", digits / 100, digits % 100),
            2 => format!("{}.{:05}", digits / 7, digits),
            // Beyond 2^53 schema and reader differ: `RoundedMultiple`.
            _ => format!("-{digits}e{}", rng.below(10)).replace("e1", "e-1"),
        };
        let key = *rng.pick(&["quarter", "tenth", "cent", "three"]);
        let text = format!(r#"{{"five":5,"seven":7,"{key}":{number}}}"#);
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let reads = read_str::<Multiples>(&text, &Policy::exact()).is_ok();
        assert_eq!(validator.is_valid(&value), reads, "{text}");
        multiples += usize::from(reads);
    }
    assert!(multiples > 1_000 && multiples < 19_000, "{multiples}");
}
