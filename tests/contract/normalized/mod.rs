//! Schemas of other sources in the portable dialect.

mod documents;
mod faults;
mod normal;
mod portable;
mod property;

use serde_json::Value;

use callpact::schema::{ForeignSchema, SchemaFaults};

fn normal(value: Value) -> Value {
    match ForeignSchema::normalized(value) {
        Ok(schema) => schema.value().clone(),
        Err(faults) => panic!("{faults}"),
    }
}

fn faults(result: Result<ForeignSchema, SchemaFaults>) -> String {
    match result {
        Ok(schema) => panic!("accepted {schema:?}"),
        Err(faults) => faults.to_string(),
    }
}
