//! The JSON of a declaration as the derive tells it, ready to be copied.
//!
//! The compiler interprets what a constant is made of, so a text in few pieces costs it a fraction of a tree that
//! is walked. The pieces hold for the dialects that keep every rule; the others write the tree, and so does every
//! dialect where a name in the declaration means another type than the derive took it for.

use super::{Said, Schema};

/// The beginning of an object with its own description, and the pieces between which the texts of other types
/// and the descriptions of their fields stand: with defaults in words, and as a keyword where there are any.
#[doc(hidden)]
pub type Texts = (&'static str, [&'static [&'static str]; 2]);

/// What a field asks of its type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// The schema, without the null that stands for an absent value.
    pub schema: &'static Schema,
    /// Whether the key may be absent.
    pub optional: bool,
    /// The number of a type that the derive knows by its name, or 0.
    pub plain: u64,
    /// The text of a type that brings one.
    pub text: Option<&'static Ready>,
}

impl Wire {
    /// The field of a type of which only the schema is known.
    #[must_use]
    pub const fn of(schema: &'static Schema, optional: bool) -> Self {
        Self {
            schema,
            optional,
            plain: 0,
            text: None,
        }
    }

    /// The same field, with something that stands in for an absent value.
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
    /// What is said behind the words of a field.
    pub(crate) notes: &'static str,
    /// What follows, but for the last brace; see [`Texts`].
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

    /// The text of a list, by that of its items.
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

/// The number of a type inside of an `Option` (16), a list (17) or a map (18), of one that has a number.
pub(crate) const fn wrapped(plain: u64, wrapper: u64) -> u64 {
    if plain == 0 || plain > u64::MAX >> 6 {
        0
    } else {
        plain * 32 + wrapper
    }
}

/// The texts of the fields that bring one, one for each field; whether every type is the one that was meant.
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
