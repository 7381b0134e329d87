//! The rules of a field's declaration, and how they are applied to the schema of its type.
//!
//! The result is one node that both the writer and the reader use. A rule that does not fit the
//! kind is left out here and refused by [`check`](super::check) on the user's token.

use super::{
    CheckedValue, Choice, CodeFault, CodeRules, Held, Kind, Literal, Schema,
    kind::{list::ListRule, number::NumberRule, text::TextRule},
};
use crate::text::same;

/// One setting of `#[tool_param]` on a field; built by generated code.
#[allow(missing_docs)] // named after the settings of the attribute
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    Number(NumberRule),
    Text(TextRule),
    List(ListRule),
    OneOfText(&'static [Choice]),
    OneOfInteger(&'static [i128]),
    Default(&'static Literal),
    /// A variant as the default: the names of the variants, in Rust and on the wire, and its name.
    NamedDefault(VariantNames, &'static str),
    Example(&'static Literal),
    Secret,
    /// A check that only code can make.
    Check(fn(CheckedValue<'_>) -> Result<(), CodeFault>),
    /// Other keys that the lax policy accepts.
    Aliases(&'static [&'static str]),
    /// An empty string is a value, although the field is optional.
    KeepEmpty,
    /// The fields of the type replace the field.
    Flatten,
}

/// The names of variants, in Rust and on the wire.
pub type VariantNames = &'static [(&'static str, &'static str)];

/// The names of a type without variants. Those of a plain enum hide this.
pub trait NoVariants {
    /// The names.
    const __VARIANTS: VariantNames = &[];
}

impl<T: ?Sized> NoVariants for T {}

/// A default or an example, as written in a rule.
#[derive(Clone, Copy)]
enum WrittenValue {
    Literal(&'static Literal),
    Name(&'static str),
}

/// The schema with the rules applied, and the description unless that is empty.
#[must_use]
pub const fn refine(base: &Schema, description: &'static str, rules: &[Rule]) -> Schema {
    let (mut default, mut example) = (None, None);
    let mut secret = base.secret;
    let mut code = base.code;
    let mut kind = base.kind.fixed();
    let mut is_narrowed = false;
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::Default(value) => default = Some(WrittenValue::Literal(value)),
            Rule::NamedDefault(names, name) => {
                let mut i = 0;
                while i < names.len() {
                    if same(names[i].0, name) {
                        default = Some(WrittenValue::Name(names[i].1));
                    }
                    i += 1;
                }
            }
            Rule::Example(value) => example = Some(WrittenValue::Literal(value)),
            Rule::Secret => secret = true,
            Rule::Check(check) => code = CodeRules::check(check).over(code),
            // These concern the field and its key.
            Rule::Aliases(_) | Rule::KeepEmpty | Rule::Flatten => {}
            rule => {
                let narrowed = kind.with(rule);
                // A constant cannot drop a kind.
                std::mem::forget(kind);
                kind = narrowed;
                is_narrowed = true;
            }
        }
        i += 1;
    }
    Schema {
        kind,
        description: if description.is_empty() {
            base.description.fixed()
        } else {
            Held::Static(description)
        },
        nullable: base.nullable,
        default: replaced(base.default.as_ref(), default),
        example: replaced(base.example.as_ref(), example),
        secret,
        // A type that is narrowed here is a wider one inside itself.
        name: if is_narrowed {
            Held::Static("")
        } else {
            base.name.fixed()
        },
        mark: base.mark,
        code,
        extra: None,
    }
}

/// The schema with `null` as an additional value.
#[must_use]
pub const fn nullable(base: &Schema) -> Schema {
    Schema {
        kind: base.kind.fixed(),
        description: base.description.fixed(),
        nullable: true,
        default: replaced(base.default.as_ref(), None),
        example: replaced(base.example.as_ref(), None),
        secret: base.secret,
        name: base.name.fixed(),
        mark: base.mark,
        code: base.code,
        extra: None,
    }
}

const fn replaced(own: Option<&Literal>, said: Option<WrittenValue>) -> Option<Literal> {
    match (said, own) {
        (Some(WrittenValue::Literal(said)), _) => Some(said.fixed()),
        (Some(WrittenValue::Name(name)), _) => Some(Literal::Text(Held::Static(name))),
        (None, Some(own)) => Some(own.fixed()),
        (None, None) => None,
    }
}

impl Kind {
    /// A copy of the kind of a constant.
    const fn fixed(&self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Boolean => Self::Boolean,
            Self::Integer(own) => Self::Integer(own.fixed()),
            Self::Number(own) => Self::Number(own.fixed()),
            Self::Text(own) => Self::Text(own.fixed()),
            Self::List(own) => Self::List(own.fixed()),
            Self::Tuple(items) => Self::Tuple(items.fixed()),
            Self::Map(own) => Self::Map(own.fixed()),
            Self::Object(own) => Self::Object(own.fixed()),
            Self::Union(own) => Self::Union(own.fixed()),
        }
    }

    /// The kind with one more rule.
    const fn with(&self, rule: Rule) -> Self {
        match (self, rule) {
            (Self::Integer(own), Rule::Number(rule)) => Self::Integer(own.with(rule)),
            (Self::Integer(own), Rule::OneOfInteger(values)) => Self::Integer(own.one_of(values)),
            (Self::Number(own), Rule::Number(rule)) => Self::Number(own.with(rule)),
            (Self::Text(own), Rule::Text(rule)) => Self::Text(own.with(rule)),
            (Self::Text(own), Rule::OneOfText(values)) => Self::Text(own.with_choices(values)),
            (Self::List(own), Rule::List(rule)) => Self::List(own.with(rule)),
            // The check refuses a rule that does not fit.
            _ => self.fixed(),
        }
    }
}
