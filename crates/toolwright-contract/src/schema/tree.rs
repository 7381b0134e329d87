//! The nodes of the const schema tree.

use super::{
    Held, Literal,
    kind::{
        integer::Integer,
        number::Number,
        text::{Choice, Text},
    },
};

/// One node of a contract: what a value must be, and what the model is told about it.
///
/// ```
/// use toolwright::{ToolInput, schema::Kind};
///
/// let Kind::Integer(rules) = &<u8 as ToolInput>::SCHEMA.kind else { unreachable!() };
/// assert_eq!((rules.min, rules.max), (Some(0), Some(255)));
/// ```
#[derive(Clone, Debug)]
pub struct Schema {
    /// The form of the value.
    pub kind: Kind,
    /// What the value is for, in the author's words; empty when nothing was said.
    pub description: Held<str>,
    /// Whether `null` is a value of its own.
    pub nullable: bool,
    /// What an absent value means, when the author wrote it as a literal.
    pub default: Option<Literal>,
    /// A value that shows what is wanted.
    pub example: Option<Literal>,
    /// Whether the value must never be echoed.
    pub secret: bool,
    /// Notes of a schema that is made at run time; 0 in a constant.
    #[doc(hidden)]
    pub mark: u32,
}

/// The bit of a mark that says that values of other types are taken as well.
const LOOSE: u32 = 1 << 31;
/// The bit of a mark that says that no value follows the rules of the kind.
const NOTHING: u32 = 1 << 23;
/// The bit of a mark that says that null is a value by the word `nullable` alone, which JSON Schema does not have.
const NULLABLE: u32 = 1 << 22;
/// The bits of a mark that say that only one of the two booleans is a value.
const ONLY_TRUE: u32 = 1 << 21;
const ONLY_FALSE: u32 = 1 << 20;
/// The bits of a mark that say how many keys stand before the tag, on what a variant carries.
const TAG: u32 = 0x7f << TAG_SHIFT;
const TAG_SHIFT: u32 = 24;
/// The bits of a mark that are no number.
const FLAGS: u32 = LOOSE | TAG | NOTHING | NULLABLE | ONLY_TRUE | ONLY_FALSE;

impl Schema {
    /// A node that says nothing but its kind.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self::described(kind, "")
    }

    /// A node with its kind and what the value is for.
    #[must_use]
    pub const fn described(kind: Kind, description: &'static str) -> Self {
        Self {
            kind,
            description: Held::Static(description),
            nullable: false,
            default: None,
            example: None,
            secret: false,
            mark: 0,
        }
    }

    /// Whether values of other types are taken as well: the schema names no type.
    pub(crate) fn is_loose(&self) -> bool {
        self.mark & LOOSE != 0
    }

    pub(crate) fn set_loose(&mut self, loose: bool) {
        self.mark = self.mark & !LOOSE | if loose { LOOSE } else { 0 };
    }

    /// Whether no value follows the rules of the kind. Null may be a value still, and so may other types where the
    /// schema names none.
    pub(crate) fn takes_nothing(&self) -> bool {
        self.mark & NOTHING != 0
    }

    pub(crate) fn set_takes_nothing(&mut self) {
        self.mark |= NOTHING;
    }

    /// Takes null because the word `nullable` stands there.
    pub(crate) fn set_nullable(&mut self) {
        if !self.nullable {
            self.nullable = true;
            self.mark |= NULLABLE;
        }
    }

    /// Takes null no more where nothing but the word `nullable` says that it is a value.
    pub(crate) fn take_nullable_back(&mut self) {
        self.nullable &= self.mark & NULLABLE == 0;
    }

    /// The only boolean that is a value, where there is one.
    pub(crate) fn only_boolean(&self) -> Option<bool> {
        match self.mark & (ONLY_TRUE | ONLY_FALSE) {
            ONLY_TRUE => Some(true),
            ONLY_FALSE => Some(false),
            _ => None,
        }
    }

    pub(crate) fn set_only_boolean(&mut self, only: bool) {
        self.mark |= if only { ONLY_TRUE } else { ONLY_FALSE };
    }

    /// The number of the definition that this is, or stands for where that contains itself; 0 for none.
    pub(crate) fn number(&self) -> u32 {
        self.mark & !FLAGS
    }

    pub(crate) fn set_number(&mut self, number: u32) {
        self.mark = self.mark & FLAGS | number & !FLAGS;
    }

    /// Of what a variant carries: how many of its keys stand before the tag.
    pub(crate) const fn keys_before_tag(&self) -> usize {
        ((self.mark & TAG) >> TAG_SHIFT) as usize
    }

    /// Behind the 127th key, where there are so many, the tag stands there.
    pub(crate) fn set_keys_before_tag(&mut self, keys: usize) {
        let keys = u32::try_from(keys)
            .unwrap_or(u32::MAX)
            .min(TAG >> TAG_SHIFT);
        self.mark = self.mark & !TAG | keys << TAG_SHIFT;
    }

    /// Whether `""` is a value.
    #[cold]
    pub(crate) fn takes_empty_text(&self) -> bool {
        match &self.kind {
            Kind::Any => true,
            Kind::Text(rules) => rules.takes_empty(),
            Kind::Union(rules) if rules.tagging == Tagging::None => {
                rules.contents().any(Self::takes_empty_text)
            }
            Kind::Boolean
            | Kind::Integer(_)
            | Kind::Number(_)
            | Kind::List(_)
            | Kind::Tuple(_)
            | Kind::Map(_)
            | Kind::Object(_)
            | Kind::Union(_) => self.is_loose(),
        }
    }

    /// Whether `""` is one of a closed list.
    #[cold]
    pub(crate) fn lists_empty_text(&self) -> bool {
        matches!(&self.kind, Kind::Text(rules) if rules.lists_empty())
    }

    /// Whether every string is a value, as far as strings go.
    #[inline]
    pub(crate) fn takes_any_text(&self) -> bool {
        !matches!(&self.kind, Kind::Text(rules) if !rules.takes_any())
    }

    /// Whether a value of this schema is secret, or may hold one that is.
    #[cold]
    pub fn holds_secret(&self) -> bool {
        self.secret || self.has_part(Self::holds_secret)
    }

    /// Whether one of the schemas right inside this one is as asked.
    pub fn has_part(&self, mut is_it: impl FnMut(&Self) -> bool) -> bool {
        match &self.kind {
            Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_) => false,
            Kind::List(rules) => is_it(&rules.items),
            Kind::Tuple(items) => items.iter().any(|item| is_it(item)),
            Kind::Map(rules) => is_it(&rules.values),
            Kind::Object(rules) => {
                let fields = rules.fields.iter().map(|field| &field.schema);
                fields.chain(&rules.extra).any(|schema| is_it(schema))
            }
            Kind::Union(rules) => rules.contents().any(is_it),
        }
    }
}

/// The form of a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
// Else its tag hides in the 16 bytes of an `Option<i128>`, and every value compares them.
#[repr(u8)]
pub enum Kind {
    /// Any JSON value.
    Any,
    /// `true` or `false`.
    Boolean,
    /// A whole number in the sense of JSON Schema: `5.0` is one.
    Integer(Integer),
    /// Any finite number.
    Number(Number),
    /// A string.
    Text(Text),
    /// An array whose items share one schema.
    List(List),
    /// An array with a schema for each position.
    Tuple(Held<[Held<Schema>]>),
    /// An object with free keys.
    Map(Map),
    /// An object with declared fields.
    Object(Object),
    /// One of several forms.
    Union(Union),
}

/// Rules of an array.
#[derive(Clone, Debug)]
pub struct List {
    /// The schema of each item.
    pub items: Held<Schema>,
    /// Smallest number of items.
    pub min_items: Option<u64>,
    /// Largest number of items.
    pub max_items: Option<u64>,
    /// No two items are equal.
    pub unique: bool,
}

/// Rules of an object with free keys.
#[derive(Clone, Debug)]
pub struct Map {
    /// The schema of each value.
    pub values: Held<Schema>,
    /// When not empty, the only keys.
    pub keys: Held<[Choice]>,
}

/// What happens to a key that no field declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Dropped without a word.
    Ignore,
    /// Dropped, and noted in the result.
    Report,
    /// Kept: nothing is known of it, and it is sent on to who may know more.
    Keep,
    /// An error; the schema is closed.
    Deny,
}

/// Rules of an object with declared fields.
#[derive(Clone, Debug)]
pub struct Object {
    /// The fields in the order of their declaration.
    pub fields: Held<[Field]>,
    /// What happens to other keys.
    pub unknown: Unknown,
    /// The schema of other keys' values, when a flattened map collects them.
    pub extra: Option<Held<Schema>>,
}

/// A declared field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key on the wire.
    pub name: Held<str>,
    /// Other keys that the lax policy accepts.
    pub aliases: &'static [&'static str],
    /// What the value must be when it is present.
    pub schema: Held<Schema>,
    /// Whether the key must be present.
    pub required: bool,
    /// Whether an empty string is a value of an optional field.
    pub keep_empty: bool,
    /// Whether the fields of `schema` stand here instead of the field itself.
    pub flatten: bool,
}

/// How the variant of a union is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// `"name"` or `{"name": content}`.
    External,
    /// `{"<tag>": "name", ...content}`.
    Internal {
        /// The key of the name.
        tag: Held<str>,
    },
    /// `{"<tag>": "name", "<content>": content}`.
    Adjacent {
        /// The key of the name.
        tag: Held<str>,
        /// The key of the content.
        content: Held<str>,
    },
    /// By form alone.
    None,
}

/// One of several forms.
#[derive(Clone, Debug)]
pub struct Union {
    /// How the variant is told.
    pub tagging: Tagging,
    /// The variants in the order of their declaration.
    pub variants: Held<[Variant]>,
    /// What happens to unknown keys beside tag and content.
    pub unknown: Unknown,
}

impl Union {
    /// What its variants carry.
    pub fn contents(&self) -> impl Iterator<Item = &Schema> {
        let variants = self.variants.iter();
        variants.filter_map(|variant| variant.content.as_deref())
    }
}

/// One form of a union.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The name on the wire.
    pub name: Held<str>,
    /// Other names that the lax policy accepts.
    pub aliases: &'static [&'static str],
    /// What the variant means; empty when nothing was said.
    pub description: Held<str>,
    /// What it carries; `None` for a unit variant.
    pub content: Option<Held<Schema>>,
}
