//! Input types in the manner of real agents, which derived serde and schemars: only the derive has a new name.
//!
//! Of forty such types these compile. The others are in `tests/ui/fail/migration.rs`, where the compiler says what to
//! write.

mod files;
mod services;
mod work;

use std::fmt::Debug;

use callpact::{Policy, ToolInput, read_str};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A type of this folder, with the check of a call.
struct Moved {
    name: &'static str,
    check: fn(),
}

/// Reads a sample with serde and with the new derive, and checks that the schema of schemars allows the same.
fn check<T>(sample: &str)
where
    T: DeserializeOwned + JsonSchema + ToolInput + Debug,
{
    let old: T = serde_json::from_str(sample).expect(sample);
    let new = read_str::<T>(sample, &Policy::lax());
    let new = new.unwrap_or_else(|report| panic!("{sample}: {report}"));
    assert_eq!(format!("{:?}", new.value), format!("{old:?}"));
    let schema = schemars::schema_for!(T).to_value();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let value = serde_json::from_str(sample).expect("JSON");
    assert!(validator.is_valid(&value), "{sample} {schema}");
}

/// Lists the types, each with a sample.
macro_rules! moved {
    ($($ty:ident: $sample:literal,)*) => {
        pub(super) const TYPES: &[super::Moved] = &[$(super::Moved {
            name: stringify!($ty),
            check: || super::check::<$ty>($sample),
        }),*];
    };
}
use moved;

#[test]
fn most_types_compile_under_the_new_derive() {
    let moved = files::TYPES
        .iter()
        .chain(services::TYPES)
        .chain(work::TYPES);
    let moved: Vec<_> = moved.collect();
    for moved in &moved {
        println!("{}", moved.name);
        (moved.check)();
    }
    let others = include_str!("../../ui/fail/migration.rs")
        .matches("#[derive(")
        .count();
    assert_eq!((moved.len(), moved.len() + others), (32, 40));
}
