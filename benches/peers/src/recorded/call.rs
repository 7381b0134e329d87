//! One recorded call and its faults.

use jsonschema::Validator;
use serde_json::{Map, Value};
use callpact::schema::ForeignSchema;

use crate::shape::Shape;

/// A call with the schema that its model was shown.
pub struct Call {
    /// What the model wrote.
    pub arguments: String,
    /// What it should have written.
    pub truth: Option<Value>,
    /// The names of the wrong parameters. For a text that is not an object, the empty name, which every reply
    /// contains.
    pub faults: Vec<String>,
    /// The schema, as each reader has it.
    pub validator: Validator,
    pub foreign: ForeignSchema,
    pub shape: Shape,
}

impl Call {
    /// Reads a line; `None` if the schema is invalid or refuses the truth.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let mut line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let schema = line["schema"].take();
        let arguments = match line["arguments"].take() {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let truth = line.get_mut("truth").map(Value::take);
        let (Ok(validator), Ok(foreign)) = (
            jsonschema::validator_for(&schema),
            ForeignSchema::from_value(schema.clone()),
        ) else {
            return Ok(None);
        };
        if truth
            .as_ref()
            .is_some_and(|truth| !validator.is_valid(truth))
        {
            return Ok(None);
        }
        let declared = schema["properties"].as_object();
        let faults = truth
            .as_ref()
            .map(|truth| faults(&arguments, truth, declared));
        Ok(Some(Self {
            faults: faults.unwrap_or_default(),
            shape: Shape::of(&schema),
            arguments,
            truth,
            validator,
            foreign,
        }))
    }
}

impl Call {
    /// Whether each parameter has the intended value. A key that the schema takes without declaring it changes
    /// nothing.
    pub fn is_meant(&self, value: &Value, truth: &Value) -> bool {
        let declared = self.foreign.value()["properties"].as_object();
        let (Value::Object(value), Some(declared)) = (value, declared) else {
            return same(value, truth);
        };
        let mut value = value.clone();
        value.retain(|key, _| declared.contains_key(key));
        same(&Value::Object(value), truth)
    }
}

/// The declared parameters whose value is wrong, is missing, or should not be there.
fn faults(arguments: &str, truth: &Value, declared: Option<&Map<String, Value>>) -> Vec<String> {
    let sent: Option<Map<String, Value>> = serde_json::from_str(arguments).ok();
    let (Some(sent), Some(truth)) = (sent, truth.as_object()) else {
        return vec![String::new()];
    };
    let differs = |key: &&String| match (sent.get(*key), truth.get(*key)) {
        (Some(sent), Some(truth)) => !same(sent, truth),
        _ => true,
    };
    let is_declared = |key: &&String| declared.is_none_or(|names| names.contains_key(*key));
    let extra = sent.keys().filter(|key| !truth.contains_key(*key));
    let keys = truth.keys().chain(extra.filter(is_declared));
    keys.filter(differs).cloned().collect()
}

/// Whether two values are the same in JSON's sense: `5` is `5.0`.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        _ => one == other,
    }
}
