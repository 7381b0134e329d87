//! What a schema may accept, judged by the form and the keys of a value.

use super::{Field, Kind, Schema, Unknown};
use crate::json::JsonForm;

/// Whether an object declares a key; `None` for a schema that may take any key.
pub(crate) fn declares(schema: &Schema, key: &str) -> Option<bool> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let declared = |field: &Field| {
        field.name == *key || field.aliases.contains(&key) || rules.is_safe_name_of(field, key)
    };
    if rules.walk().any(declared) {
        Some(true)
    } else if rules.extra.is_some() || rules.unknown == Unknown::Keep {
        None
    } else {
        Some(false)
    }
}

/// Whether the schema may take a value of this form without a conversion.
pub(crate) fn has_form(form: JsonForm, schema: &Schema) -> bool {
    if schema.is_loose() || form == JsonForm::Null {
        return true;
    }
    match &schema.kind {
        Kind::Any | Kind::Union(_) => true,
        Kind::Boolean => matches!(form, JsonForm::Boolean(_)),
        Kind::Integer(_) | Kind::Number(_) => form == JsonForm::Number,
        Kind::Text(_) => form == JsonForm::Text,
        Kind::List(_) | Kind::Tuple(_) => form == JsonForm::List,
        // A list of pairs is another form of a map.
        Kind::Map(_) => matches!(form, JsonForm::Object | JsonForm::List),
        Kind::Object(_) => form == JsonForm::Object,
    }
}
