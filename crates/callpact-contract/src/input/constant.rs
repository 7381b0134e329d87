//! The schema of a type as a constant, for [`schema_json!`](crate::schema_json).

use crate::{
    ToolInput,
    schema::{Dialect, Draft, write_ready, write_schema},
};

/// The JSON of a type's schema, as far as it fits.
#[doc(hidden)]
#[must_use]
pub const fn draft<T: ToolInput>(dialect: Dialect) -> Draft {
    let mut draft = Draft::empty(dialect);
    let (room, len) = draft.parts();
    *len = write::<T>(dialect, room);
    draft
}

/// The JSON of a draft, with its length.
#[doc(hidden)]
#[must_use]
pub const fn json<T: ToolInput, const LEN: usize>(draft: &Draft) -> [u8; LEN] {
    if let Some(json) = draft.json() {
        return *json;
    }
    let mut bytes = [b' '; LEN];
    write::<T>(draft.dialect(), &mut bytes);
    bytes
}

/// Writes the ready text, if there is one for the dialect.
const fn write<T: ToolInput>(dialect: Dialect, room: &mut [u8]) -> usize {
    if let Some(text) = T::TEXT
        && !T::OPTIONAL
        && let Some(len) = write_ready(text, dialect, room)
    {
        return len;
    }
    write_tree::<T>(dialect, room)
}

/// A separate function, since the tree is made where this is called.
const fn write_tree<T: ToolInput>(dialect: Dialect, room: &mut [u8]) -> usize {
    write_schema(T::SCHEMA, dialect, room)
}

#[cfg(test)]
mod tests {
    use super::{draft, json};
    use crate::{
        Dialect, Schema, ToolInput,
        schema::{Kind, text_of},
        schema_json,
    };

    /// The length of the room without the surrounding text, plus one.
    const FILL: usize = 2_048 - r#"{"description":""}"#.len();
    const FILLED: &str = text_of(&[b'a'; FILL]);
    const LONG: &str = text_of(&[b'a'; FILL + 1]);

    struct Just;
    struct Over;

    impl ToolInput for Just {
        const SCHEMA: &'static Schema = &Schema::described(Kind::Any, FILLED);
    }

    impl ToolInput for Over {
        const SCHEMA: &'static Schema = &Schema::described(Kind::Any, LONG);
    }

    #[test]
    fn a_text_that_fills_the_room_and_one_that_does_not_fit_are_whole() {
        let (just, over) = (
            draft::<Just>(Dialect::Portable),
            draft::<Over>(Dialect::Portable),
        );
        assert_eq!((just.length(), over.length()), (2_048, 2_049));
        assert!(over.json::<2_049>().is_none());
        assert_eq!(
            json::<Just, 2_048>(&just).as_slice(),
            Just::SCHEMA.to_json(Dialect::Portable).as_bytes()
        );
        assert_eq!(
            schema_json!(Just, Dialect::Portable),
            Just::SCHEMA.to_json(Dialect::Portable)
        );
        assert_eq!(
            schema_json!(Over, Dialect::Portable),
            format!(r#"{{"description":"{LONG}"}}"#)
        );
        assert_eq!(
            schema_json!(String, Dialect::Portable),
            <String as ToolInput>::SCHEMA.to_json(Dialect::Portable)
        );
    }
}
