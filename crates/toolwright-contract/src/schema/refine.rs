//! Lays the rules of a field over the schema of its type.
//!
//! The result is one node that both the writer and the reader use. A rule that does not fit the
//! kind is left out here and refused by [`check`](super::check) on the user's token.

use super::{
    Bound, Choice, Decimal, Integer, Kind, List, Literal, Number, Pattern, Schema, Text,
    check::same,
};

/// One thing that `#[tool_param]` says of a field; built by generated code.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Said {
    Description(&'static str),
    Min(Literal),
    Max(Literal),
    ExclusiveMin(Literal),
    ExclusiveMax(Literal),
    MultipleOf(Literal),
    MinLength(u64),
    MaxLength(u64),
    Pattern(Pattern),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    OneOfText(&'static [Choice]),
    OneOfInteger(&'static [i128]),
    Default(Literal),
    /// A variant as the default: the names of the variants, in Rust and on the wire, and its name.
    NamedDefault(VariantNames, &'static str),
    Example(Literal),
    Secret,
}

/// The names of variants, in Rust and on the wire.
#[doc(hidden)]
pub type VariantNames = &'static [(&'static str, &'static str)];

/// What a type is that has no names of variants. Those of a plain enum hide this.
#[doc(hidden)]
pub trait NoVariants {
    const __VARIANTS: VariantNames = &[];
}

impl<T: ?Sized> NoVariants for T {}

/// The schema with what was said laid over it.
///
/// A list, and not a struct with a field for each: compilers look at every field of a struct again and
/// again, and hardly anything is said of most fields.
#[doc(hidden)]
#[must_use]
pub const fn refine(base: &Schema, said: &[Said]) -> Schema {
    let mut schema = *base;
    let mut i = 0;
    while i < said.len() {
        schema = refine_one(&schema, said[i]);
        i += 1;
    }
    schema
}

/// The same for what is most often said: one thing.
#[doc(hidden)]
#[must_use]
pub const fn refine_one(base: &Schema, said: Said) -> Schema {
    let mut schema = *base;
    match said {
        Said::Description(text) => schema.description = text,
        Said::Default(value) => schema.default = Some(value),
        Said::NamedDefault(names, name) => {
            let mut i = 0;
            while i < names.len() {
                if same(names[i].0, name) {
                    schema.default = Some(Literal::Text(names[i].1));
                }
                i += 1;
            }
        }
        Said::Example(value) => schema.example = Some(value),
        Said::Secret => schema.secret = true,
        rule => {
            schema.kind = match schema.kind {
                Kind::Integer(own) => Kind::Integer(integer(own, rule)),
                Kind::Number(own) => Kind::Number(number(own, rule)),
                Kind::Text(own) => Kind::Text(text(own, rule)),
                Kind::List(own) => Kind::List(list(own, rule)),
                other => other,
            }
        }
    }
    schema
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

const fn integer(own: Integer, rule: Said) -> Integer {
    let Integer { min, max, .. } = own;
    match rule {
        Said::Min(Literal::Integer(at)) => Integer {
            min: Some(larger(min, at)),
            ..own
        },
        Said::ExclusiveMin(Literal::Integer(at)) => Integer {
            min: Some(larger(min, at + 1)),
            ..own
        },
        Said::Max(Literal::Integer(at)) => Integer {
            max: Some(smaller(max, at)),
            ..own
        },
        Said::ExclusiveMax(Literal::Integer(at)) => Integer {
            max: Some(smaller(max, at - 1)),
            ..own
        },
        Said::MultipleOf(Literal::Integer(step)) => Integer {
            multiple_of: Some(step),
            ..own
        },
        Said::OneOfInteger(choices) => Integer { choices, ..own },
        _ => own,
    }
}

const fn larger(own: Option<i128>, said: i128) -> i128 {
    match own {
        Some(own) if own > said => own,
        _ => said,
    }
}

const fn smaller(own: Option<i128>, said: i128) -> i128 {
    match own {
        Some(own) if own < said => own,
        _ => said,
    }
}

const fn number(own: Number, rule: Said) -> Number {
    let Number { min, max, .. } = own;
    match rule {
        Said::Min(at) => Number {
            min: tighter(min, at, false, true),
            ..own
        },
        Said::ExclusiveMin(at) => Number {
            min: tighter(min, at, true, true),
            ..own
        },
        Said::Max(at) => Number {
            max: tighter(max, at, false, false),
            ..own
        },
        Said::ExclusiveMax(at) => Number {
            max: tighter(max, at, true, false),
            ..own
        },
        Said::MultipleOf(step) => match decimal(step) {
            None => own,
            multiple_of => Number { multiple_of, ..own },
        },
        _ => own,
    }
}

/// The derive writes decimals, and whole numbers where the author did.
const fn decimal(written: Literal) -> Option<Decimal> {
    match written {
        Literal::Number(decimal) => Some(decimal),
        #[allow(clippy::cast_precision_loss)] // a bound beyond 2^53 rounds as it does in JSON
        Literal::Integer(value) => Some(Decimal {
            text: "",
            value: value as f64,
        }),
        _ => None,
    }
}

/// Where they meet, the exclusive one is the tighter.
const fn tighter(own: Option<Bound>, said: Literal, exclusive: bool, lower: bool) -> Option<Bound> {
    let Some(at) = decimal(said) else { return own };
    let said = Bound { at, exclusive };
    match own {
        Some(own) => {
            let (own_at, said_at) = (own.at.value, said.at.value);
            let (own_first, said_first) = if lower {
                (own_at > said_at, said_at > own_at)
            } else {
                (own_at < said_at, said_at < own_at)
            };
            Some(if own_first || (!said_first && own.exclusive) {
                own
            } else {
                said
            })
        }
        None => Some(said),
    }
}

const fn text(own: Text, rule: Said) -> Text {
    match rule {
        Said::MinLength(count) => Text {
            min_length: Some(most(own.min_length, count)),
            ..own
        },
        Said::MaxLength(count) => Text {
            max_length: Some(least(own.max_length, count)),
            ..own
        },
        Said::Pattern(pattern) => Text {
            pattern: Some(pattern),
            ..own
        },
        Said::OneOfText(choices) => Text { choices, ..own },
        _ => own,
    }
}

const fn list(own: List, rule: Said) -> List {
    match rule {
        Said::MinItems(count) => List {
            min_items: Some(most(own.min_items, count)),
            ..own
        },
        Said::MaxItems(count) => List {
            max_items: Some(least(own.max_items, count)),
            ..own
        },
        Said::UniqueItems => List {
            unique: true,
            ..own
        },
        _ => own,
    }
}

const fn most(own: Option<u64>, said: u64) -> u64 {
    match own {
        Some(own) if own > said => own,
        _ => said,
    }
}

const fn least(own: Option<u64>, said: u64) -> u64 {
    match own {
        Some(own) if own < said => own,
        _ => said,
    }
}
