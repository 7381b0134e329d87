//! Types that derive serde's `Deserialize` and schemars' `JsonSchema`, as tool inputs.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Mutex, OnceLock, PoisonError},
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::read::schema_of;
use crate::{
    check::values::{ANY, parse},
    read::{ToolInput, check_by_reading},
    schema::{CodeRules, ForeignSchema, Kind, Map, Schema, SchemaFaults},
};

/// A type with the derives of serde and schemars, as the input of a tool.
///
/// The schema is the [normalised](ForeignSchema::normalized) one that schemars generates, and
/// arguments are checked against it before serde sees them, so that the model gets all issues at
/// once, with their paths. Prefer [`#[derive(ToolInput)]`](derive@crate::ToolInput) for types of
/// your own: it reads in one pass, and its schema costs nothing at run time.
///
/// ```
/// use callpact::{Policy, input::Serde, read_str};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Add { a: u8, b: Option<u8> }
///
/// let Serde(add) = read_str::<Serde<Add>>(r#"{"a": 1, "b": "2"}"#, &Policy::lax())?.value;
/// assert_eq!((add.a, add.b), (1, Some(2)));
///
/// let report = read_str::<Serde<Add>>(r#"{"b": 300}"#, &Policy::lax()).map(|_| ()).unwrap_err();
/// assert_eq!(report.to_string(), "\
/// Invalid arguments, 2 problems:
/// - b: expected an integer from 0 to 255, found 300
/// - a: missing; expected an integer from 0 to 255");
/// # Ok::<(), callpact::Report>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Serde<T>(pub T);

impl<T: JsonSchema> Serde<T> {
    /// The schema, or the reasons why the one from schemars cannot be normalised.
    ///
    /// # Errors
    /// Like [`ForeignSchema::normalized`].
    pub fn schema() -> Result<ForeignSchema, SchemaFaults> {
        ForeignSchema::normalized(generated::<T>())
    }
}

fn generated<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

impl<T: DeserializeOwned + JsonSchema + 'static> ToolInput for Serde<T> {
    /// An open object: the foreign schema holds the rules.
    const SCHEMA: &'static Schema = &Schema::of(Kind::Map(Map::of(ANY))).with_code(CodeRules {
        schema: Some(schema_of::<Self>),
        check: Some(check_by_reading::<Self>),
        ..CodeRules::NONE
    });

    fn foreign() -> Option<&'static ForeignSchema> {
        // A static inside a generic function is shared by all types, hence the map. The lock is
        // held for a look-up, never while a schema is generated.
        static KNOWN: OnceLock<Mutex<HashMap<TypeId, Option<&'static ForeignSchema>>>> =
            OnceLock::new();
        let known = KNOWN.get_or_init(Mutex::default);
        let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(schema) = lock().get(&TypeId::of::<T>()) {
            return *schema;
        }
        // A type without values is checked unchanged.
        let schema = Self::schema()
            .or_else(|_| ForeignSchema::from_value(generated::<T>()))
            .ok();
        // Another thread may have been faster; then its schema is kept.
        *lock()
            .entry(TypeId::of::<T>())
            .or_insert_with(|| schema.map(|schema| &*Box::leak(Box::new(schema))))
    }

    fn from_json(json: &str) -> Result<Self, String> {
        // serde's messages name Rust types and echo values.
        let words =
            "the values fit the schema but not the tool; check them against its description";
        let value = parse(json).and_then(|value| serde_json::from_value(value).ok());
        value.map(Self).ok_or_else(|| words.to_owned())
    }
}
