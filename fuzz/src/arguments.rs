//! Arguments of derived types: no panic, bounded reports, and the reader agrees with the schema.

use std::sync::OnceLock;

use callpact::{
    Dialect, Fix, FixKind, IssueKind, Policy, Report,
    input::{Fixes, read_foreign_value},
    schema::ForeignSchema,
};
use callpact_tests::{
    exception::{self, exceptions},
    shapes::{Shape, all},
};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::text_of;

/// Every shape of the contract harness with its parsed schema. The validator for foreign schemas
/// shares nothing with a type's reader.
fn shapes() -> &'static [(Shape, ForeignSchema)] {
    static SHAPES: OnceLock<Vec<(Shape, ForeignSchema)>> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let parsed = |shape: Shape| {
            let schema = ForeignSchema::parse(shape.whole).expect("a schema");
            (shape, schema)
        };
        all().into_iter().map(parsed).collect()
    })
}

fn is_valid(schema: &ForeignSchema, value: &Value) -> bool {
    read_foreign_value(value, schema, &Policy::exact()).is_ok()
}

/// The first byte chooses the type, the rest is the model's text.
pub fn check(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let Some(text) = text_of(rest) else { return };
    let shapes = shapes();
    let (shape, schema) = &shapes[usize::from(*first) % shapes.len()];

    let exact = (shape.read_text)(text, &Policy::exact());
    let lax = (shape.read_text)(text, &Policy::lax());
    let repaired = (shape.read_text)(text, &Policy::repair());
    for read in [&exact, &lax, &repaired] {
        bounded(read, shape.name);
    }
    // Each policy accepts what the stricter one accepts, with two exceptions. A key that was dropped as unknown,
    // or that a flattened map took, may be a misspelt parameter. A string may hold the markup of a call.
    let of_kind = |report: &Report, kind| report.issues.iter().any(|issue| issue.kind == kind);
    let dropped = |fix: &Fix| fix.kind == FixKind::UnknownDropped;
    for (read, next) in [(&exact, &lax), (&lax, &repaired)] {
        if let (Ok(fixes), Err(report)) = (read, next) {
            let misspelt = fixes.iter().any(dropped) || of_kind(report, IssueKind::UnknownKey);
            let leaked = of_kind(report, IssueKind::LeakedMarkup);
            assert!(misspelt || leaked, "{}: {report} of {text}", shape.name);
        }
    }

    let Ok(value) = serde_json::from_str::<Value>(text) else {
        // Empty arguments are a case of their own. A skipped value only has to be JSON, and may
        // hold a number that does not fit a float.
        let skipped = serde_json::from_str::<IgnoredAny>(text).is_ok();
        let empty = text.trim().is_empty();
        assert!(exact.is_err() || skipped || empty, "{}: {text}", shape.name);
        return;
    };
    let plain = value.to_string();
    let read = (shape.read)(&value, &plain, &Policy::exact());
    let valid = is_valid(schema, &value);
    // The two may see different digits of a number that does not fit a float.
    if valid != read.is_ok() && !exception::loses_digits(&value) {
        let named = exceptions(shape, Dialect::Mcp20260728, &value, &|value| {
            is_valid(schema, value)
        });
        assert!(
            named.iter().any(|named| named.explains(valid)),
            "{}: schema {valid}, reader {read:?}, of {plain}",
            shape.name,
        );
    }
    // Text and value can only differ in a repeated key, and in digits that do not fit a float. A number below the least
    // float is zero in a value.
    let is_small = text.contains("e-") || text.contains("E-");
    if exact.is_ok() != read.is_ok() && !exception::loses_digits(&value) && !is_small {
        let twice = |issue: &callpact::Issue| issue.kind == IssueKind::DuplicateKey;
        let why = exact.expect_err("a value that was written plainly was refused");
        assert!(why.issues.iter().any(twice), "{}: {why}", shape.name);
    }
}

fn bounded(read: &Result<Fixes, Report>, name: &str) {
    match read {
        Ok(fixes) => assert!(fixes.len() <= 32, "{name}: {} fixes", fixes.len()),
        Err(report) => {
            assert!(
                !report.issues.is_empty() && report.issues.len() <= 32,
                "{name}"
            );
            let shown = report.to_string();
            assert!(shown.chars().count() < 6_000, "{name}: {shown}");
        }
    }
}
