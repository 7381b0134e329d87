//! Any JSON.

use serde_json::{Map, Number, Value};

use super::{QuickInput, input::NextKey};
use crate::json::{Form, Number as Scanned};

/// Reads any value. An object with a doubled key is not plain.
pub(crate) fn read_value(input: &mut QuickInput<'_>) -> Option<Value> {
    Some(match input.form() {
        Form::Null => {
            input.take_null()?;
            Value::Null
        }
        Form::Boolean(_) => Value::Bool(input.take_boolean()?),
        Form::Number => Value::Number(read_number(input)?),
        Form::Text => Value::String(input.take_text()?.into_owned()),
        Form::List => {
            let mut inside = input.open_list()?;
            let mut items = Vec::new();
            while input.has_item(&mut inside) {
                items.push(read_value(input)?);
            }
            input.closes_well().then_some(Value::Array(items))?
        }
        Form::Object => {
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
        Form::Broken => return None,
    })
}

fn read_number(input: &mut QuickInput<'_>) -> Option<Number> {
    let start = input.position();
    match input.take_number()? {
        Scanned::Positive(value) => Some(value.into()),
        Scanned::Negative(value) => Some(value.into()),
        Scanned::Float(_) => serde_json::from_str(input.written_from(start)?).ok(),
    }
}
