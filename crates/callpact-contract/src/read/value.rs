//! Any JSON.

use serde_json::{Map, Number, Value};

use super::{QuickInput, input::NextKey};
use crate::json::{JsonForm, ScannedNumber};

/// Reads any value. An object with a doubled key is not plain.
pub(crate) fn read_value(input: &mut QuickInput<'_>) -> Option<Value> {
    Some(match input.form() {
        JsonForm::Null => {
            input.take_null()?;
            Value::Null
        }
        JsonForm::Boolean(_) => Value::Bool(input.take_boolean()?),
        JsonForm::Number => Value::Number(read_number(input)?),
        JsonForm::Text => Value::String(input.take_text()?.into_owned()),
        JsonForm::List => {
            let mut inside = input.open_list()?;
            let mut items = Vec::new();
            while input.has_item(&mut inside) {
                items.push(read_value(input)?);
            }
            input.closes_well().then_some(Value::Array(items))?
        }
        JsonForm::Object => {
            let mut object = input.open_object()?;
            let mut entries = Map::new();
            while let NextKey::Key(key) = input.next_key(&mut object)? {
                let value = read_value(input)?;
                if entries.insert(key.into_owned(), value).is_some() {
                    return None;
                }
            }
            Value::Object(entries)
        }
        JsonForm::Broken => return None,
    })
}

fn read_number(input: &mut QuickInput<'_>) -> Option<Number> {
    let start = input.position();
    match input.take_number()? {
        ScannedNumber::Positive(value) => Some(value.into()),
        ScannedNumber::Negative(value) => Some(value.into()),
        ScannedNumber::Float(_) => serde_json::from_str(input.written_from(start)?).ok(),
    }
}
