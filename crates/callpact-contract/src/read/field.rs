//! One field of an object.

use super::{PlaceRules, QuickInput};
use crate::schema::{Field, Kind, Schema};

/// Facts about a field that are known before reading.
#[derive(Clone, Copy)]
pub struct FieldFacts {
    rules: PlaceRules,
    presence: FieldPresence,
}

/// The meaning of null and of `""` at a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldPresence {
    /// They are values of the type, or not.
    Required,
    /// Both mean an absent value.
    Optional,
    /// Null means an absent value, and `""` is a value.
    KeepsEmpty,
    /// Null is a value.
    Nullable,
    /// Only the checker knows.
    Unclear,
}

/// What was read at the key of a field.
pub enum FieldValue {
    /// The value is in its slot.
    Present,
    /// Null or `""` means an absent value.
    Absent,
}

impl FieldFacts {
    #[inline]
    pub(super) fn rules(&self) -> PlaceRules {
        self.rules
    }

    #[inline]
    pub(super) fn is_required(&self) -> bool {
        self.presence == FieldPresence::Required
    }

    /// Whether null or `""` comes next and means an absent value. `None` if it is not plain.
    #[inline]
    pub(super) fn takes_absent(&self, input: &mut QuickInput<'_>) -> Option<bool> {
        match self.presence {
            FieldPresence::Required => Some(false),
            presence => input.take_absent(presence),
        }
    }

    /// Nothing is known.
    pub(super) const UNCLEAR: Self = Self {
        rules: None,
        presence: FieldPresence::Unclear,
    };

    /// The facts of the first `N` fields of an object. `ruled` has a bit for each of the first 64 that has rules.
    pub(super) const fn table<const N: usize>(object: &'static Schema, ruled: u64) -> [Self; N] {
        let mut facts = [Self::UNCLEAR; N];
        if let Kind::Object(object) = &object.kind {
            let fields = object.fields.part();
            let mut number = 0;
            while number < fields.len() {
                let has_rules = number >= 64 || ruled & 1 << number != 0;
                facts[number] = Self::of(&fields[number], has_rules);
                number += 1;
            }
        }
        facts
    }

    const fn of(field: &'static Field, has_rules: bool) -> Self {
        let schema = field.schema.part();
        let presence = if field.required {
            FieldPresence::Required
        } else if !null_is_absent(schema) {
            if schema.nullable {
                FieldPresence::Nullable
            } else {
                FieldPresence::Unclear
            }
        } else if field.keep_empty || schema.lists_empty_text() {
            FieldPresence::KeepsEmpty
        } else {
            FieldPresence::Optional
        };
        Self {
            rules: if has_rules { Some(schema) } else { None },
            presence,
        }
    }
}

/// Whether null means an absent value for every type of this kind, so that no reader has to look at it.
const fn null_is_absent(schema: &Schema) -> bool {
    let is_plain = match &schema.kind {
        Kind::Boolean
        | Kind::Integer(_)
        | Kind::Number(_)
        | Kind::Text(_)
        | Kind::List(_)
        | Kind::Map(_)
        | Kind::Object(_) => true,
        Kind::Any | Kind::Tuple(_) | Kind::Union(_) => false,
    };
    is_plain && !schema.nullable && schema.mark == 0
}
