//! The JSON of a declaration as the derive writes it, ready to be copied.
//!
//! The compiler interprets the making of a constant, so a text in few pieces costs a fraction of walking a tree.
//! The pieces are valid for dialects that keep every rule. The other dialects write the tree, and so does every
//! dialect if a name in the declaration means another type than the derive assumed.

use super::{Said, Schema};

/// The beginning of an object with its own description, and the pieces around the texts of other types and
/// the descriptions of their fields: with defaults in words, and as a keyword if there are any.
#[doc(hidden)]
pub type Texts = (&'static str, [&'static [&'static str]; 2]);

/// The demands of a field on its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// The schema, without the null that means an absent value.
    pub schema: &'static Schema,
    /// Whether the key may be absent.
    pub optional: bool,
    /// The number of a type that the derive knows by its name, or 0.
    pub plain: u64,
    /// The text of a type that provides one.
    pub text: Option<&'static Ready>,
}

impl Wire {
    /// A field of a type that provides only its schema.
    #[must_use]
    pub const fn of(schema: &'static Schema, optional: bool) -> Self {
        Self {
            schema,
            optional,
            plain: 0,
            text: None,
        }
    }

    /// The same field, with a value that replaces an absent one.
    #[must_use]
    pub const fn or_default(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }
}

/// The text of a type.
#[doc(hidden)]
#[derive(Debug)]
pub struct Ready {
    /// The beginning, with the type's own description.
    pub(crate) head: &'static str,
    /// The beginning without a description.
    pub(crate) start: &'static str,
    /// The notes after the words of a field.
    pub(crate) notes: &'static str,
    /// The rest without the last brace; see [`Texts`].
    pub(crate) pieces: [&'static [&'static str]; 2],
    pub(crate) parts: &'static [Option<&'static Self>],
}

impl Ready {
    /// The text of an enum of unit variants.
    #[must_use]
    pub const fn names(
        head: &'static str,
        notes: &'static str,
        pieces: &'static [&'static str],
    ) -> Self {
        Self {
            head,
            start: "{\"type\":\"string\"",
            notes,
            pieces: [pieces, &[]],
            parts: &[],
        }
    }

    /// The text of an object with parts.
    pub(crate) const fn object(
        (head, pieces): Texts,
        parts: &'static [Option<&'static Self>],
    ) -> Self {
        Self {
            head,
            start: "{\"type\":\"object\"",
            notes: "",
            pieces,
            parts,
        }
    }

    /// The text of a list, from that of its items.
    pub(crate) const fn list(items: &'static [Option<&'static Self>]) -> Self {
        Self {
            head: "{\"type\":\"array\"",
            start: "{\"type\":\"array\"",
            notes: "",
            pieces: [&[",\"items\":", "", ""], &[]],
            parts: items,
        }
    }
}

/// The number of a type inside an `Option` (16), a list (17) or a map (18), if the type has a number.
pub(crate) const fn wrapped(plain: u64, wrapper: u64) -> u64 {
    if plain == 0 || plain > u64::MAX >> 6 {
        0
    } else {
        plain * 32 + wrapper
    }
}

/// The texts of the fields, if their types provide them, and whether every type is the intended one.
pub(crate) const fn parts_of<const N: usize>(
    said: &Said<N>,
) -> ([Option<&'static Ready>; N], bool) {
    let mut parts = [None; N];
    let mut count = 0;
    let mut i = 0;
    while i < N {
        let (_, _, wire, meant, _) = &said.2[i];
        match *meant {
            0 | 1 => {
                if wire.text.is_none() || wire.optional != (*meant == 1) {
                    return (parts, false);
                }
                parts[count] = wire.text;
                count += 1;
            }
            meant => {
                if meant != wire.plain {
                    return (parts, false);
                }
            }
        }
        i += 1;
    }
    (parts, true)
}
