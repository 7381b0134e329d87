//! The keywords that some receivers refuse or drop, as bits in a table.

pub(crate) const BOUNDS: u32 = 1;
pub(crate) const EXCLUSIVE: u32 = 1 << 1;
pub(crate) const MULTIPLE: u32 = 1 << 2;
pub(crate) const LENGTH: u32 = 1 << 3;
pub(crate) const MIN_ITEMS: u32 = 1 << 4;
pub(crate) const MAX_ITEMS: u32 = 1 << 5;
pub(crate) const UNIQUE: u32 = 1 << 6;
pub(crate) const DEFAULT: u32 = 1 << 7;
pub(crate) const EXAMPLES: u32 = 1 << 8;
/// `additionalProperties: false` if the author closed the object.
pub(crate) const CLOSED: u32 = 1 << 9;
pub(crate) const PREFIX_ITEMS: u32 = 1 << 10;
pub(crate) const NUMERIC_ENUM: u32 = 1 << 11;
/// `multipleOf` of a number that may have a fraction.
pub(crate) const FRACTION: u32 = 1 << 12;
/// The mark of a secret: a peer that reads the schema must not show the value either.
pub(crate) const WRITE_ONLY: u32 = 1 << 13;
/// `propertyNames` of a map.
pub(crate) const KEY_NAMES: u32 = 1 << 14;

pub(crate) const ITEMS: u32 = MIN_ITEMS | MAX_ITEMS;
pub(crate) const VALIDATION: u32 = BOUNDS
    | EXCLUSIVE
    | MULTIPLE
    | FRACTION
    | LENGTH
    | ITEMS
    | UNIQUE
    | CLOSED
    | NUMERIC_ENUM
    | KEY_NAMES;
pub(crate) const ALL: u32 = VALIDATION | DEFAULT | EXAMPLES | PREFIX_ITEMS | WRITE_ONLY;

// Groups of keywords by name, for the lists of what a receiver refuses or drops.
pub(super) const RANGES: &str = "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf";
pub(super) const CONDITION: &str = "if then else";
pub(super) const CONTAINS: &str = "contains minContains maxContains";
pub(super) const OTHER_KEYS: &str = "patternProperties propertyNames";
