//! Schemas of other sources, read at run time.

mod agreement;
mod crossed;
mod empty;
mod limits;
mod rules;
mod secret;
mod tree;
mod words;

use serde_json::Value;

use callpact::{
    Policy, Read, Report,
    input::{read_foreign, read_foreign_value},
    schema::ForeignSchema,
};

fn schema(value: Value) -> ForeignSchema {
    ForeignSchema::from_value(value).unwrap_or_else(|faults| panic!("{faults}"))
}

fn exact(of: Value, value: &Value) -> Result<Read<Value>, Report> {
    read_foreign_value(value, &schema(of), &Policy::exact())
}

fn lax(of: Value, value: &Value) -> Result<Read<Value>, Report> {
    read_foreign_value(value, &schema(of), &Policy::lax())
}

/// The lines of a report.
fn lines(result: Result<Read<Value>, Report>) -> Vec<String> {
    match result {
        Ok(read) => panic!("accepted as {}", read.value),
        Err(report) => report.issues.iter().map(ToString::to_string).collect(),
    }
}

/// The value as it was read, and the fixes.
fn fixed(result: Result<Read<Value>, Report>) -> (Value, Vec<String>) {
    match result {
        Ok(read) => (
            read.value,
            read.fixes.iter().map(ToString::to_string).collect(),
        ),
        Err(report) => panic!("{report}"),
    }
}
