//! Lays the rules of a field over the schema of its type.
//!
//! The result is one node that both the writer and the reader use. A rule that does not fit the
//! kind is left out here and refused by [`check`](super::check) on the user's token.

use super::{Bound, Choice, Decimal, Integer, Kind, List, Literal, Number, Pattern, Schema, Text};

/// What `#[tool_param]` says of a field; built by generated code.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Rules {
    pub description: &'static str,
    pub min: Option<Literal>,
    pub max: Option<Literal>,
    pub exclusive_min: Option<Literal>,
    pub exclusive_max: Option<Literal>,
    pub multiple_of: Option<Literal>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<Pattern>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub one_of_text: &'static [Choice],
    pub one_of_integer: &'static [i128],
    pub default: Option<Literal>,
    pub example: Option<Literal>,
    pub secret: bool,
}

impl Rules {
    /// Nothing said.
    pub const NONE: Self = Self {
        description: "",
        min: None,
        max: None,
        exclusive_min: None,
        exclusive_max: None,
        multiple_of: None,
        min_length: None,
        max_length: None,
        pattern: None,
        min_items: None,
        max_items: None,
        unique_items: false,
        one_of_text: &[],
        one_of_integer: &[],
        default: None,
        example: None,
        secret: false,
    };
}

/// The schema with the rules laid over it.
#[doc(hidden)]
#[must_use]
pub const fn refine(base: &Schema, rules: &Rules) -> Schema {
    Schema {
        kind: match base.kind {
            Kind::Integer(own) => Kind::Integer(integer(own, rules)),
            Kind::Number(own) => Kind::Number(number(own, rules)),
            Kind::Text(own) => Kind::Text(text(own, rules)),
            Kind::List(own) => Kind::List(list(own, rules)),
            other => other,
        },
        description: if rules.description.is_empty() {
            base.description
        } else {
            rules.description
        },
        nullable: base.nullable,
        default: or(rules.default, base.default),
        example: or(rules.example, base.example),
        secret: base.secret || rules.secret,
    }
}

/// The schema with `null` as a further value.
#[doc(hidden)]
#[must_use]
pub const fn nullable(base: &Schema) -> Schema {
    Schema {
        nullable: true,
        ..*base
    }
}

/// The schema with a description where it had none.
#[doc(hidden)]
#[must_use]
pub const fn describe(base: &Schema, description: &'static str) -> Schema {
    if description.is_empty() {
        *base
    } else {
        Schema {
            description,
            ..*base
        }
    }
}

const fn or(first: Option<Literal>, second: Option<Literal>) -> Option<Literal> {
    if first.is_some() { first } else { second }
}

const fn integer(own: Integer, rules: &Rules) -> Integer {
    let mut min = larger(own.min, whole(rules.min, 0));
    min = larger(min, whole(rules.exclusive_min, 1));
    let mut max = smaller(own.max, whole(rules.max, 0));
    max = smaller(max, whole(rules.exclusive_max, -1));
    let multiple_of = match whole(rules.multiple_of, 0) {
        Some(step) => Some(step),
        None => own.multiple_of,
    };
    let choices = if rules.one_of_integer.is_empty() {
        own.choices
    } else {
        rules.one_of_integer
    };
    Integer {
        min,
        max,
        multiple_of,
        nonzero: own.nonzero,
        choices,
    }
}

const fn whole(rule: Option<Literal>, add: i128) -> Option<i128> {
    match rule {
        Some(Literal::Integer(value)) => Some(value + add),
        _ => None,
    }
}

const fn larger(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x > y { x } else { y }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

const fn smaller(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x < y { x } else { y }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

const fn number(own: Number, rules: &Rules) -> Number {
    let mut min = tighter(own.min, bound(rules.min, false), true);
    min = tighter(min, bound(rules.exclusive_min, true), true);
    let mut max = tighter(own.max, bound(rules.max, false), false);
    max = tighter(max, bound(rules.exclusive_max, true), false);
    let multiple_of = match decimal(rules.multiple_of) {
        Some(step) => Some(step),
        None => own.multiple_of,
    };
    Number {
        min,
        max,
        multiple_of,
    }
}

const fn bound(rule: Option<Literal>, exclusive: bool) -> Option<Bound> {
    match decimal(rule) {
        Some(at) => Some(Bound { at, exclusive }),
        None => None,
    }
}

/// The derive writes numeric rules as decimals beside whole numbers, see `Rules`.
const fn decimal(rule: Option<Literal>) -> Option<Decimal> {
    match rule {
        Some(Literal::Number(decimal)) => Some(decimal),
        #[allow(clippy::cast_precision_loss)] // a bound beyond 2^53 rounds as it does in JSON
        Some(Literal::Integer(value)) => Some(Decimal {
            text: "",
            value: value as f64,
        }),
        _ => None,
    }
}

const fn tighter(a: Option<Bound>, b: Option<Bound>, lower: bool) -> Option<Bound> {
    match (a, b) {
        (Some(x), Some(y)) => {
            let (x_at, y_at) = (x.at.value, y.at.value);
            let (first, second) = if lower {
                (x_at > y_at, y_at > x_at)
            } else {
                (x_at < y_at, y_at < x_at)
            };
            // Where they meet, the exclusive one is the tighter.
            Some(if second || (!first && y.exclusive) {
                y
            } else {
                x
            })
        }
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

const fn text(own: Text, rules: &Rules) -> Text {
    Text {
        min_length: most(own.min_length, rules.min_length),
        max_length: least(own.max_length, rules.max_length),
        pattern: if rules.pattern.is_some() {
            rules.pattern
        } else {
            own.pattern
        },
        choices: if rules.one_of_text.is_empty() {
            own.choices
        } else {
            rules.one_of_text
        },
        form: own.form,
    }
}

const fn list(own: List, rules: &Rules) -> List {
    List {
        items: own.items,
        min_items: most(own.min_items, rules.min_items),
        max_items: least(own.max_items, rules.max_items),
        unique: own.unique || rules.unique_items,
    }
}

const fn most(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x > y { x } else { y }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}

const fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(x), Some(y)) => Some(if x < y { x } else { y }),
        (Some(x), None) | (None, Some(x)) => Some(x),
        (None, None) => None,
    }
}
