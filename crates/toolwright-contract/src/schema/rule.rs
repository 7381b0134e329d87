//! The rules that a declaration says of a field, and how they are laid over the schema of its type.
//!
//! The result is one node that both the writer and the reader use. A rule that does not fit the
//! kind is left out here and refused by [`check`](super::check) on the user's token.

use super::{
    Bound, Choice, Decimal, Held, Integer, Kind, List, Literal, Matcher, Number, Object, Pattern,
    Schema, Text, Union, check::same,
};

/// One thing that `#[tool_param]` says of a field; built by generated code.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub enum Rule {
    Description(&'static str),
    Min(&'static Literal),
    Max(&'static Literal),
    ExclusiveMin(&'static Literal),
    ExclusiveMax(&'static Literal),
    MultipleOf(&'static Literal),
    MinLength(u64),
    MaxLength(u64),
    Pattern(&'static str, fn(&str) -> bool),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    OneOfText(&'static [Choice]),
    OneOfInteger(&'static [i128]),
    Default(&'static Literal),
    /// A variant as the default: the names of the variants, in Rust and on the wire, and its name.
    NamedDefault(VariantNames, &'static str),
    Example(&'static Literal),
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

/// A default or an example as a rule says it.
#[derive(Clone, Copy)]
enum Written {
    Literal(&'static Literal),
    Name(&'static str),
}

/// The schema with the rules laid over it.
///
/// A constant cannot drop what it replaces, so each part is collected first and moved in once.
#[doc(hidden)]
#[must_use]
pub const fn refine(base: &Schema, rules: &[Rule]) -> Schema {
    let (mut description, mut default, mut example) = (None, None, None);
    let (mut secret, mut limits) = (base.secret, false);
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::Description(text) => description = Some(text),
            Rule::Default(value) => default = Some(Written::Literal(value)),
            Rule::NamedDefault(names, name) => {
                let mut i = 0;
                while i < names.len() {
                    if same(names[i].0, name) {
                        default = Some(Written::Name(names[i].1));
                    }
                    i += 1;
                }
            }
            Rule::Example(value) => example = Some(Written::Literal(value)),
            Rule::Secret => secret = true,
            _ => limits = true,
        }
        i += 1;
    }
    Schema {
        kind: if limits {
            limited(&base.kind, rules)
        } else {
            base.kind.fixed()
        },
        description: match description {
            Some(text) => Held::Static(text),
            None => base.description.fixed(),
        },
        nullable: base.nullable,
        default: replaced(base.default.as_ref(), default),
        example: replaced(base.example.as_ref(), example),
        secret,
        mark: 0,
    }
}

/// The schema with `null` as a further value.
#[doc(hidden)]
#[must_use]
pub const fn nullable(base: &Schema) -> Schema {
    Schema {
        kind: base.kind.fixed(),
        description: base.description.fixed(),
        nullable: true,
        default: replaced(base.default.as_ref(), None),
        example: replaced(base.example.as_ref(), None),
        secret: base.secret,
        mark: 0,
    }
}

const fn replaced(own: Option<&Literal>, said: Option<Written>) -> Option<Literal> {
    match (said, own) {
        (Some(Written::Literal(said)), _) => Some(said.fixed()),
        (Some(Written::Name(name)), _) => Some(Literal::Text(Held::Static(name))),
        (None, Some(own)) => Some(own.fixed()),
        (None, None) => None,
    }
}

const fn limited(kind: &Kind, rules: &[Rule]) -> Kind {
    match kind {
        Kind::Integer(own) => Kind::Integer(integer(own, rules)),
        Kind::Number(own) => Kind::Number(number(own, rules)),
        Kind::Text(own) => Kind::Text(text(own, rules)),
        Kind::List(own) => Kind::List(list(own, rules)),
        other => other.fixed(),
    }
}

const fn integer(own: &Integer, rules: &[Rule]) -> Integer {
    let Integer {
        mut min,
        mut max,
        mut multiple_of,
        nonzero,
        ..
    } = *own;
    let mut choices = None;
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::Min(Literal::Integer(at)) => min = Some(larger(min, *at)),
            Rule::ExclusiveMin(Literal::Integer(at)) => min = Some(larger(min, *at + 1)),
            Rule::Max(Literal::Integer(at)) => max = Some(smaller(max, *at)),
            Rule::ExclusiveMax(Literal::Integer(at)) => max = Some(smaller(max, *at - 1)),
            Rule::MultipleOf(Literal::Integer(step)) => multiple_of = Some(*step),
            Rule::OneOfInteger(values) => choices = Some(values),
            _ => {}
        }
        i += 1;
    }
    Integer {
        min,
        max,
        multiple_of,
        nonzero,
        choices: match choices {
            Some(values) => Held::Static(values),
            None => own.choices.fixed(),
        },
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

/// An end of a range while rules are laid over it.
#[derive(Clone, Copy)]
struct End {
    text: &'static str,
    value: f64,
    exclusive: bool,
}

const fn number(own: &Number, rules: &[Rule]) -> Number {
    let (mut min, mut max, mut step) = (None, None, None);
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::Min(at) => min = tighter(min, at, false, true),
            Rule::ExclusiveMin(at) => min = tighter(min, at, true, true),
            Rule::Max(at) => max = tighter(max, at, false, false),
            Rule::ExclusiveMax(at) => max = tighter(max, at, true, false),
            Rule::MultipleOf(at) => {
                if let Some(at) = decimal(at) {
                    step = Some(at);
                }
            }
            _ => {}
        }
        i += 1;
    }
    Number {
        min: end(own.min.as_ref(), min, true),
        max: end(own.max.as_ref(), max, false),
        multiple_of: match (step, &own.multiple_of) {
            (Some((text, value)), _) => Some(Decimal {
                text: Held::Static(text),
                value,
            }),
            (None, Some(own)) => Some(own.fixed()),
            (None, None) => None,
        },
    }
}

/// The derive writes decimals, and whole numbers where the author did.
const fn decimal(written: &'static Literal) -> Option<(&'static str, f64)> {
    match written {
        Literal::Number(decimal) => Some((decimal.text.part(), decimal.value)),
        #[allow(clippy::cast_precision_loss)] // a bound beyond 2^53 rounds as it does in JSON
        Literal::Integer(value) => Some(("", *value as f64)),
        _ => None,
    }
}

const fn tighter(
    own: Option<End>,
    said: &'static Literal,
    exclusive: bool,
    lower: bool,
) -> Option<End> {
    let Some((text, value)) = decimal(said) else {
        return own;
    };
    let said = End {
        text,
        value,
        exclusive,
    };
    match own {
        Some(own) if stays(own.value, own.exclusive, &said, lower) => Some(own),
        _ => Some(said),
    }
}

/// Whether an end is at least as tight as another. Where they meet, the exclusive one is tighter.
const fn stays(value: f64, exclusive: bool, said: &End, lower: bool) -> bool {
    let (own_first, said_first) = if lower {
        (value > said.value, said.value > value)
    } else {
        (value < said.value, said.value < value)
    };
    own_first || (!said_first && exclusive)
}

const fn end(own: Option<&Bound>, said: Option<End>, lower: bool) -> Option<Bound> {
    match (own, said) {
        (Some(own), Some(said)) if stays(own.at.value, own.exclusive, &said, lower) => {
            Some(own.fixed())
        }
        (
            _,
            Some(End {
                text,
                value,
                exclusive,
            }),
        ) => Some(Bound {
            at: Decimal {
                text: Held::Static(text),
                value,
            },
            exclusive,
        }),
        (Some(own), None) => Some(own.fixed()),
        (None, None) => None,
    }
}

const fn text(own: &Text, rules: &[Rule]) -> Text {
    let (mut min_length, mut max_length) = (own.min_length, own.max_length);
    let (mut pattern, mut choices) = (None, None);
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::MinLength(count) => min_length = Some(most(min_length, count)),
            Rule::MaxLength(count) => max_length = Some(least(max_length, count)),
            Rule::Pattern(text, is_match) => pattern = Some((text, is_match)),
            Rule::OneOfText(values) => choices = Some(values),
            _ => {}
        }
        i += 1;
    }
    Text {
        min_length,
        max_length,
        pattern: match (pattern, &own.pattern) {
            (Some((text, is_match)), _) => Some(Pattern {
                text: Held::Static(text),
                matcher: Matcher::Function(is_match),
            }),
            (None, Some(own)) => Some(own.fixed()),
            (None, None) => None,
        },
        choices: match choices {
            Some(values) => Held::Static(values),
            None => own.choices.fixed(),
        },
        form: own.form,
    }
}

const fn list(own: &List, rules: &[Rule]) -> List {
    let (mut min_items, mut max_items, mut unique) = (own.min_items, own.max_items, own.unique);
    let mut i = 0;
    while i < rules.len() {
        match rules[i] {
            Rule::MinItems(count) => min_items = Some(most(min_items, count)),
            Rule::MaxItems(count) => max_items = Some(least(max_items, count)),
            Rule::UniqueItems => unique = true,
            _ => {}
        }
        i += 1;
    }
    List {
        items: own.items.fixed(),
        min_items,
        max_items,
        unique,
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

impl Kind {
    /// A copy of the kind of a constant.
    const fn fixed(&self) -> Self {
        match self {
            Self::Any => Self::Any,
            Self::Boolean => Self::Boolean,
            Self::Integer(rules) => Self::Integer(Integer {
                choices: rules.choices.fixed(),
                ..*rules
            }),
            Self::Number(rules) => Self::Number(Number {
                min: end(rules.min.as_ref(), None, true),
                max: end(rules.max.as_ref(), None, false),
                multiple_of: match &rules.multiple_of {
                    Some(step) => Some(step.fixed()),
                    None => None,
                },
            }),
            Self::Text(rules) => Self::Text(Text {
                pattern: match &rules.pattern {
                    Some(pattern) => Some(pattern.fixed()),
                    None => None,
                },
                choices: rules.choices.fixed(),
                ..*rules
            }),
            Self::List(rules) => Self::List(List {
                items: rules.items.fixed(),
                ..*rules
            }),
            Self::Tuple(items) => Self::Tuple(items.fixed()),
            Self::Map(rules) => Self::Map(super::Map {
                values: rules.values.fixed(),
                keys: rules.keys.fixed(),
            }),
            Self::Object(rules) => Self::Object(rules.fixed()),
            Self::Union(rules) => Self::Union(Union {
                tagging: rules.tagging.fixed(),
                variants: rules.variants.fixed(),
                unknown: rules.unknown,
            }),
        }
    }
}

impl Object {
    /// A copy of the rules of a constant.
    pub(crate) const fn fixed(&self) -> Self {
        Self {
            fields: self.fields.fixed(),
            unknown: self.unknown,
            extra: match &self.extra {
                Some(values) => Some(values.fixed()),
                None => None,
            },
        }
    }
}

impl super::Tagging {
    const fn fixed(&self) -> Self {
        match self {
            Self::External => Self::External,
            Self::Internal { tag } => Self::Internal { tag: tag.fixed() },
            Self::Adjacent { tag, content } => Self::Adjacent {
                tag: tag.fixed(),
                content: content.fixed(),
            },
            Self::None => Self::None,
        }
    }
}

impl Pattern {
    const fn fixed(&self) -> Self {
        match &self.matcher {
            Matcher::Function(is_match) => Self {
                text: self.text.fixed(),
                matcher: Matcher::Function(*is_match),
            },
            Matcher::Compiled(_) => panic!("rules are laid over constants only"),
        }
    }
}

impl Bound {
    const fn fixed(&self) -> Self {
        Self {
            at: self.at.fixed(),
            exclusive: self.exclusive,
        }
    }
}

impl Decimal {
    const fn fixed(&self) -> Self {
        Self {
            text: self.text.fixed(),
            value: self.value,
        }
    }
}

impl Literal {
    const fn fixed(&self) -> Self {
        match self {
            Self::Boolean(value) => Self::Boolean(*value),
            Self::Integer(value) => Self::Integer(*value),
            Self::Number(value) => Self::Number(value.fixed()),
            Self::Text(value) => Self::Text(value.fixed()),
            Self::List(items) => Self::List(items.fixed()),
        }
    }
}
