//! Whether a default or an example is a valid value of its field.
//!
//! Generated code calls these functions like those of [`check`](super::check).
#![allow(clippy::missing_panics_doc)] // a panic here is an error of the compiler

use super::{Held, Kind, List, Literal, Schema, Tagging, Union, fault::ValueFault};
use crate::text::same;

/// Fails to compile if the schema refuses the default.
#[track_caller]
pub const fn check_default(schema: &Schema, value: &Literal) {
    let refusal = match fault(schema, value) {
        ValueFault::None => "",
        ValueFault::Type => "the default is not of the type of this field",
        ValueFault::Range => "the default breaks a rule of this field: it is out of range",
        ValueFault::Step => {
            "the default breaks a rule of this field: it is not a multiple of `multiple_of`"
        }
        ValueFault::Choice => "the default is not one of the values of this field",
        ValueFault::Length => "the default breaks a rule of this field: its length",
        ValueFault::Items => "the default breaks a rule of this field: its number of items",
        ValueFault::Twice => "the default breaks a rule of this field: an item stands twice",
        ValueFault::Form => {
            "a default of this type cannot be checked before the program runs: write a constant or a function that makes it, as in `const WAIT: Duration = Duration::from_secs(30);` and `default = WAIT`"
        }
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

/// Fails to compile if the schema refuses the example.
#[track_caller]
pub const fn check_example(schema: &Schema, value: &Literal) {
    let refusal = match fault(schema, value) {
        // A text form is read at run time only; the contract harness reads the example.
        ValueFault::None | ValueFault::Form => "",
        ValueFault::Type => "the example is not of the type of this field",
        ValueFault::Range => "the example breaks a rule of this field: it is out of range",
        ValueFault::Step => {
            "the example breaks a rule of this field: it is not a multiple of `multiple_of`"
        }
        ValueFault::Choice => "the example is not one of the values of this field",
        ValueFault::Length => "the example breaks a rule of this field: its length",
        ValueFault::Items => "the example breaks a rule of this field: its number of items",
        ValueFault::Twice => "the example breaks a rule of this field: an item stands twice",
    };
    assert!(refusal.is_empty(), "{}", refusal);
}

const fn fault(schema: &Schema, value: &Literal) -> ValueFault {
    match &schema.kind {
        Kind::Any => return ValueFault::None,
        Kind::Boolean => {
            if let Literal::Boolean(_) = value {
                return ValueFault::None;
            }
        }
        Kind::Integer(rules) => {
            if let Literal::Integer(value) = value {
                return rules.fault(*value);
            }
        }
        Kind::Number(rules) => {
            if let Some((_, value)) = value.decimal() {
                return rules.fault(value);
            }
        }
        Kind::Text(rules) => {
            if let Literal::Text(value) = value {
                return rules.fault(value.part());
            }
        }
        Kind::List(rules) => {
            if let Literal::List(values) = value {
                return list_fault(rules, values.part());
            }
        }
        Kind::Tuple(items) => {
            if let Literal::List(values) = value {
                return tuple_fault(items.part(), values.part());
            }
        }
        Kind::Union(union) => return union_fault(union, value),
        // No literal is an object.
        Kind::Map(_) | Kind::Object(_) => {}
    }
    ValueFault::Type
}

const fn list_fault(rules: &List, values: &[Literal]) -> ValueFault {
    let mut found = rules.fault(values.len());
    let mut i = 0;
    while i < values.len() && matches!(found, ValueFault::None) {
        found = fault(rules.items.part(), &values[i]);
        let mut j = 0;
        while rules.unique && j < i && matches!(found, ValueFault::None) {
            if alike(&values[i], &values[j]) {
                found = ValueFault::Twice;
            }
            j += 1;
        }
        i += 1;
    }
    found
}

const fn tuple_fault(items: &[Held<Schema>], values: &[Literal]) -> ValueFault {
    if items.len() != values.len() {
        return ValueFault::Items;
    }
    let mut found = ValueFault::None;
    let mut i = 0;
    while i < values.len() && matches!(found, ValueFault::None) {
        found = fault(items[i].part(), &values[i]);
        i += 1;
    }
    found
}

const fn union_fault(union: &Union, value: &Literal) -> ValueFault {
    let mut i = 0;
    while i < union.variants.part().len() {
        let variant = &union.variants.part()[i];
        let fits = match (&union.tagging, &variant.content, value) {
            (Tagging::External, None, Literal::Text(name)) => {
                same(variant.name.part(), name.part())
            }
            (Tagging::None, Some(content), _) => {
                matches!(fault(content.part(), value), ValueFault::None)
            }
            _ => false,
        };
        if fits {
            return ValueFault::None;
        }
        i += 1;
    }
    match value {
        Literal::Text(_) => ValueFault::Choice,
        _ => ValueFault::Type,
    }
}

const fn alike(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Boolean(a), Literal::Boolean(b)) => *a == *b,
        (Literal::Integer(a), Literal::Integer(b)) => *a == *b,
        (Literal::Text(a), Literal::Text(b)) => same(a.part(), b.part()),
        // Anything else is compared by the reader.
        _ => false,
    }
}
