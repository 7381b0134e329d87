//! Schemas of other sources in the portable dialect.

mod documents;
mod faults;
mod normal;
mod portable;
mod property;

use serde_json::Value;

use callpact::{
    Policy,
    input::read_foreign_value,
    schema::{ForeignSchema, SchemaFaults},
};

fn normal(value: Value) -> Value {
    match ForeignSchema::normalized(value) {
        Ok(schema) => schema.value().clone(),
        Err(faults) => panic!("{faults}"),
    }
}

/// Whether a schema reads a value after it was written in the portable dialect.
fn reads(schema: &Value, value: &Value) -> bool {
    let schema = ForeignSchema::normalized(schema.clone()).expect("a schema");
    read_foreign_value(value, &schema, &Policy::exact()).is_ok()
}

fn faults(result: Result<ForeignSchema, SchemaFaults>) -> String {
    match result {
        Ok(schema) => panic!("accepted {schema:?}"),
        Err(faults) => faults.to_string(),
    }
}
