//! A hint that was tried on one value alone is given exactly if it is given after a trial on the whole call, for every
//! shape, derived and at run time.

use callpact::{Policy, Report, input::read_foreign, schema::ForeignSchema};
use callpact_tests::{
    generate::Generator,
    rng::Rng,
    shapes::{Shape, all},
};
use serde_json::Value;

use crate::{
    agreement::damage,
    spread::{cases, over},
};

/// The number of values over all shapes, each read under three policies; `CALLPACT_CASES` overrides it.
const CASES: usize = 16_000;

/// Leaves one letter out of a text somewhere in a value.
fn misspell(value: &mut Value, rng: &mut Rng) {
    match value {
        Value::String(text) if !text.is_empty() => {
            let at = rng.below(text.chars().count());
            let rest = text.chars().enumerate().filter(|(place, _)| *place != at);
            *text = rest.map(|(_, c)| c).collect();
        }
        Value::Array(items) if !items.is_empty() => {
            let at = rng.below(items.len());
            misspell(&mut items[at], rng);
        }
        Value::Object(map) if !map.is_empty() => {
            let at = rng.below(map.len());
            if let Some((_, value)) = map.iter_mut().nth(at) {
                misspell(value, rng);
            }
        }
        _ => {}
    }
}

/// How many reports have several issues and a hint.
fn compare(shape: &Shape, seed: u64, cases: usize) -> usize {
    let foreign = ForeignSchema::parse(shape.whole).unwrap_or_else(|faults| panic!("{faults}"));
    let mut generator = Generator::new(seed);
    let mut hinted = 0;
    for _ in 0..cases {
        let mut value = generator.case(shape.schema).value;
        for _ in 0..generator.rng.below(6) {
            if generator.rng.one_in(3) {
                misspell(&mut value, &mut generator.rng);
            } else {
                damage(&mut value, &mut generator.rng);
            }
        }
        let text = value.to_string();
        for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
            let typed = |policy| (shape.read_text)(&text, &policy).err();
            let by_json = |policy| read_foreign(&text, &foreign, &policy).err();
            let readers: [&dyn Fn(Policy) -> Option<Report>; 2] = [&typed, &by_json];
            for read in readers {
                let (alone, whole) = (read(policy), read(policy.proving_whole()));
                assert_eq!(alone, whole, "{} {policy:?}\n{text}", shape.name);
                let is_hinted = |report: &Report| {
                    report.count() > 1 && report.issues.iter().any(|issue| issue.hint.is_some())
                };
                hinted += usize::from(alone.as_ref().is_some_and(is_hinted));
            }
        }
    }
    hinted
}

#[test]
fn a_value_alone_proves_what_the_whole_call_proves() {
    let shapes = all();
    let each = cases(CASES) / shapes.len();
    let hinted = over(&shapes, |i, shape| compare(shape, 0x91 + i as u64, each));
    let hinted: usize = hinted.into_iter().sum();
    println!("{hinted} reports of several issues have a hint");
    assert!(hinted > each * 20, "{hinted}");
}

/// What the tree of a schema cannot say is a fault of the whole call only.
#[test]
fn a_hint_holds_for_what_the_tree_of_a_schema_cannot_say() {
    let schema = r#"{"type":"object","properties":{"limit":{"enum":[2.5,""]}},"maxProperties":2}"#;
    let schema = ForeignSchema::parse(schema).expect("a schema");
    for policy in [Policy::lax(), Policy::repair()] {
        let lines = |text: &str| {
            let report = read_foreign(text, &schema, &policy).expect_err(text);
            report.to_string()
        };
        let hint = "send it without the quotes around it";
        assert!(!lines(r#"{"a":1,"b":2,"limit":"34.35"}"#).contains(hint));
        assert!(!lines(r#"{"limit":"34.35"}"#).contains(hint));
    }
}
