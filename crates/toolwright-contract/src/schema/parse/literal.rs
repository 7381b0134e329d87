//! Values that a schema writes down.

use serde_json::Number;

use super::json::Json;
use crate::schema::{Decimal, Literal};

/// A value that a schema writes down; there is none for null and objects.
pub(super) fn literal(value: &Json) -> Option<Literal> {
    Some(match value {
        Json::Boolean(value) => Literal::Boolean(*value),
        Json::Number(number) => match whole(number) {
            Some(value) => Literal::Integer(value),
            None => Literal::Number(decimal(number)?),
        },
        Json::Text(text) => Literal::Text(text.clone().into()),
        Json::List(items) => Literal::List(
            items
                .iter()
                .map(literal)
                .collect::<Option<Vec<_>>>()?
                .into(),
        ),
        Json::Null | Json::Object(_) => return None,
    })
}

/// A whole number, which may be written `2.0`.
pub(super) fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| {
            let float = number.as_f64()?;
            #[allow(clippy::cast_possible_truncation)] // whole and in range
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i128)
        })
}

pub(super) fn decimal(number: &Number) -> Option<Decimal> {
    Some(Decimal {
        text: number.to_string().into(),
        value: number.as_f64()?,
    })
}
