//! The nodes of the const schema tree.

use std::sync::Arc;

use super::{
    CodeRules, ExtraRule, Held, Literal,
    kind::{
        integer::Integer,
        keys::IntegerKeys,
        number::Number,
        text::{Choice, Text},
    },
};

/// One node of a contract: what a value must be, and what the model is told about it.
///
/// ```
/// use callpact::{ToolInput, schema::Kind};
///
/// let Kind::Integer(rules) = &<u8 as ToolInput>::SCHEMA.kind else { unreachable!() };
/// assert_eq!((rules.min, rules.max), (Some(0), Some(255)));
/// ```
#[derive(Clone, Debug)]
pub struct Schema {
    /// The form of the value.
    pub kind: Kind,
    /// The description in the author's words; empty if there is none.
    pub description: Held<str>,
    /// Whether `null` is a value of its own.
    pub nullable: bool,
    /// The meaning of an absent value, if the author wrote it as a literal.
    pub default: Option<Literal>,
    /// A valid value, as an example.
    pub example: Option<Literal>,
    /// Whether the value must never be echoed.
    pub secret: bool,
    /// The name of a type that contains itself, also where its stand-in is; empty for any other schema.
    pub name: Held<str>,
    /// Notes on the schema, in bits.
    #[doc(hidden)]
    pub mark: u32,
    /// What only code knows about the value.
    #[doc(hidden)]
    pub code: CodeRules,
    /// What the kind cannot express; only in a schema made at run time.
    #[doc(hidden)]
    pub extra: Option<Arc<Vec<ExtraRule>>>,
}

/// The bit of a mark for a schema that also takes values of other types.
const LOOSE: u32 = 1 << 31;
/// The bit of a mark for a schema whose kind no value fits.
const NOTHING: u32 = 1 << 23;
/// The bit of a mark for a schema that takes null only because of the word `nullable`, which JSON Schema does not have.
const NULLABLE: u32 = 1 << 22;
/// The bits of a mark for a schema that takes only one of the two booleans.
const ONLY_TRUE: u32 = 1 << 21;
const ONLY_FALSE: u32 = 1 << 20;
/// The bit of a mark for a schema in place of one that contains it.
const AGAIN: u32 = 1 << 19;
/// The bit of a mark for the schema of a declaration that does not compile.
const UNUSABLE: u32 = 1 << 18;
/// The bit of a mark for a definition that takes null wherever it is used.
const NULL_ITSELF: u32 = 1 << 17;
/// The bits of a mark on the content of a variant: the number of keys before the tag.
const TAG: u32 = 0x7f << TAG_SHIFT;
const TAG_SHIFT: u32 = 24;
/// The bits of a mark that are not a number.
const FLAGS: u32 =
    LOOSE | TAG | NOTHING | NULLABLE | ONLY_TRUE | ONLY_FALSE | AGAIN | UNUSABLE | NULL_ITSELF;

impl Schema {
    /// A node with only its kind.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self::described(kind, "")
    }

    /// A node with its kind and description.
    #[must_use]
    pub const fn described(kind: Kind, description: &'static str) -> Self {
        Self {
            kind,
            description: Held::Static(description),
            nullable: false,
            default: None,
            example: None,
            secret: false,
            name: Held::Static(""),
            mark: 0,
            code: CodeRules::NONE,
            extra: None,
        }
    }

    /// The schema, in place of one that contains it.
    pub(super) const fn into_again(mut self) -> Self {
        self.mark |= AGAIN;
        self
    }

    /// Whether the schema is in place of one that contains it.
    pub(crate) const fn is_again(&self) -> bool {
        self.mark & AGAIN != 0
    }

    /// Whether the schema is in place of a definition at run time that contains it.
    pub(crate) fn is_inside_itself(&self) -> bool {
        self.number() != 0 && self.is_again()
    }

    /// The schema, of a declaration that does not compile.
    pub(super) const fn into_unusable(mut self) -> Self {
        self.mark |= UNUSABLE;
        self
    }

    /// Whether the schema is that of a declaration that does not compile.
    pub(crate) const fn is_unusable(&self) -> bool {
        self.mark & UNUSABLE != 0
    }

    /// Whether the schema also takes values of other types, because it names no type.
    pub(crate) fn is_loose(&self) -> bool {
        self.mark & LOOSE != 0
    }

    pub(crate) fn set_loose(&mut self, loose: bool) {
        self.mark = self.mark & !LOOSE | if loose { LOOSE } else { 0 };
    }

    /// Whether no value fits the kind. Null may still be a value, and so may other types if the schema names none.
    pub(crate) fn takes_nothing(&self) -> bool {
        self.mark & NOTHING != 0
    }

    pub(crate) fn set_takes_nothing(&mut self) {
        self.mark |= NOTHING;
    }

    /// Takes null because of the word `nullable`.
    pub(crate) fn set_nullable(&mut self) {
        if !self.nullable {
            self.nullable = true;
            self.mark |= NULLABLE;
        }
    }

    /// Whether the schema takes null only because of the word `nullable`.
    pub(crate) fn takes_null_by_word(&self) -> bool {
        self.mark & NULLABLE != 0
    }

    /// Takes null no more if only the word `nullable` allowed it.
    pub(crate) fn take_nullable_back(&mut self) {
        self.nullable &= self.mark & NULLABLE == 0;
    }

    /// The only allowed boolean, if there is just one.
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

    /// The number of the definition that this is, or that it stands for if the definition contains itself; 0 for none.
    pub(crate) const fn number(&self) -> u32 {
        self.mark & !FLAGS
    }

    pub(crate) fn set_number(&mut self, number: u32) {
        self.mark = self.mark & FLAGS | number & !FLAGS;
    }

    /// Whether this is a definition that takes null wherever it is used.
    pub(crate) const fn is_null_itself(&self) -> bool {
        self.mark & NULL_ITSELF != 0
    }

    pub(crate) fn set_null_itself(&mut self, is_null: bool) {
        self.mark = self.mark & !NULL_ITSELF | if is_null { NULL_ITSELF } else { 0 };
    }

    /// How many keys of a variant's content come before the tag.
    pub(crate) const fn keys_before_tag(&self) -> usize {
        ((self.mark & TAG) >> TAG_SHIFT) as usize
    }

    /// A later tag is placed after the 127th key.
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
            _ => self.is_loose(),
        }
    }

    /// Whether a closed list contains `""`.
    #[cold]
    pub(crate) const fn lists_empty_text(&self) -> bool {
        match &self.kind {
            Kind::Text(rules) => rules.lists_empty(),
            _ => false,
        }
    }

    /// Whether a value of this schema is secret, or may contain a secret.
    #[cold]
    pub fn holds_secret(&self) -> bool {
        self.secret || self.has_part(Self::holds_secret)
    }

    /// Like `holds_secret`, without a call for what holds nothing.
    #[inline]
    pub(crate) fn may_hold_secret(&self) -> bool {
        self.secret
            || !matches!(
                self.kind,
                Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
            ) && self.holds_secret()
    }

    /// Whether one of the schemas directly inside this one satisfies the test.
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
// Without this representation, the tag would hide in the 16 bytes of an `Option<i128>`, and every
// value would compare them.
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
    /// If not empty, the only keys.
    pub keys: Held<[Choice]>,
    /// The range, if the keys are integers.
    pub integers: Option<&'static IntegerKeys>,
}

/// What happens to a key that no field declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Silently dropped.
    Ignore,
    /// Dropped, and reported in the result.
    Report,
    /// Kept: it is unknown here, and is passed on to a receiver that may know it.
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
    /// The schema of the values of other keys, if a flattened map collects them.
    pub extra: Option<Held<Schema>>,
}

/// A declared field of an object.
#[derive(Clone, Debug)]
pub struct Field {
    /// The key on the wire.
    pub name: Held<str>,
    /// Other keys that the lax policy accepts.
    pub aliases: &'static [&'static str],
    /// What a present value must be.
    pub schema: Held<Schema>,
    /// Whether the key must be present.
    pub required: bool,
    /// Whether an empty string is a value of an optional field.
    pub keep_empty: bool,
    /// Whether the fields of `schema` replace the field itself.
    pub flatten: bool,
}

impl Field {
    /// A field with only its name and schema.
    pub(crate) const fn of(name: Held<str>, schema: Held<Schema>, required: bool) -> Self {
        Self {
            name,
            aliases: &[],
            schema,
            required,
            keep_empty: false,
            flatten: false,
        }
    }
}

/// How the variant of a union is recognized.
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
    /// Only by its form.
    None,
}

/// One of several forms.
#[derive(Clone, Debug)]
pub struct Union {
    /// How the variant is recognized.
    pub tagging: Tagging,
    /// The variants in the order of their declaration.
    pub variants: Held<[Variant]>,
    /// What happens to unknown keys next to tag and content.
    pub unknown: Unknown,
}

impl Union {
    /// The contents of its variants.
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
    /// The meaning of the variant; empty if none was given.
    pub description: Held<str>,
    /// Its content; `None` for a unit variant.
    pub content: Option<Held<Schema>>,
}

impl Variant {
    /// A variant with only its name and content.
    pub(crate) const fn of(name: Held<str>, content: Option<Held<Schema>>) -> Self {
        Self {
            name,
            aliases: &[],
            description: Held::Static(""),
            content,
        }
    }
}
