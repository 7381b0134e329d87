//! The schema of a type as a constant, for [`schema_json!`](crate::schema_json).

use std::marker::PhantomData;

use crate::{
    ToolInput,
    schema::{Dialect, write_schema},
};

/// The JSON of a type's schema in the dialect with this place in [`Dialect::ALL`].
///
/// A function, so that a check of a program does not evaluate the constant inside: the compiler needs it only for
/// machine code, or if another constant asks for it.
#[inline]
#[must_use]
pub const fn schema_text<T: ToolInput, const DIALECT: usize>() -> &'static str {
    SchemaText::<T, DIALECT>::TEXT
}

struct SchemaText<T, const DIALECT: usize>(PhantomData<T>);

impl<T: ToolInput, const DIALECT: usize> SchemaText<T, DIALECT> {
    const DRAFT: &'static Draft = &Draft::of::<T>(Self::DIALECT);
    const DIALECT: Dialect = Dialect::ALL[DIALECT];

    const TEXT: &'static str = {
        let (json, _) = Self::json().split_at(Self::DRAFT.len);
        match std::str::from_utf8(json) {
            Ok(text) => text,
            Err(_) => panic!("the writer copies whole strings"),
        }
    };

    /// The JSON in the smallest array that has room for it.
    const fn json() -> &'static [u8] {
        let len = Self::DRAFT.len;
        // A generic constant cannot have an array of just its length. These leave a tenth empty.
        macro_rules! smallest {
            ($($room:literal)*) => {
                $(if len <= $room {
                    return Self::json_in::<$room>();
                })*
            };
        }
        smallest! {
            64 80 96 112 128 160 192 224 256 320 384 448 512 640 768 896 1_024 1_280 1_536 1_792 2_048
            2_560 3_072 3_584 4_096 5_120 6_144 7_168 8_192 10_240 12_288 14_336 16_384 20_480 24_576
            28_672 32_768 40_960 49_152 57_344 65_536 81_920 98_304 114_688 131_072 163_840 196_608
            229_376 262_144 327_680 393_216 458_752 524_288 655_360 786_432 917_504 1_048_576
        }
        panic!("the JSON of this schema is longer than a mebibyte: write it with `SCHEMA.to_json`")
    }

    const fn json_in<const ROOM: usize>() -> &'static [u8] {
        const { &Self::DRAFT.json::<T, ROOM>(Self::DIALECT) }
    }
}

/// Most schemas fit, and are written once; longer ones are measured this way first.
const ROOM: usize = 2_048;

/// The JSON of a schema before its length is known.
struct Draft {
    room: [u8; ROOM],
    /// The length of the whole JSON.
    len: usize,
}

impl Draft {
    const fn of<T: ToolInput>(dialect: Dialect) -> Self {
        let mut room = [b' '; ROOM];
        let len = write_schema(T::SCHEMA, dialect, &mut room);
        Self { room, len }
    }

    /// The JSON in an array with room for it.
    const fn json<T: ToolInput, const ROOM: usize>(&self, dialect: Dialect) -> [u8; ROOM] {
        if let Some(json) = self.room.first_chunk() {
            return *json;
        }
        let mut room = [b' '; ROOM];
        write_schema(T::SCHEMA, dialect, &mut room);
        room
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, Schema, ToolInput, schema::Kind, schema_json};

    /// A schema whose JSON has `LENGTH` bytes.
    struct Filled<const LENGTH: usize>;

    impl<const LENGTH: usize> Filled<LENGTH> {
        const BYTES: &'static [u8] = &[b'a'; LENGTH];
        const WORDS: &'static str = {
            let (words, _) = Self::BYTES.split_at(LENGTH - r#"{"description":""}"#.len());
            match std::str::from_utf8(words) {
                Ok(words) => words,
                Err(_) => panic!("these are letters"),
            }
        };
    }

    impl<const LENGTH: usize> ToolInput for Filled<LENGTH> {
        const SCHEMA: &'static Schema = &Schema::described(Kind::Any, Self::WORDS);
    }

    #[test]
    fn text_is_whole_at_every_edge() {
        macro_rules! check {
            ($($length:literal)*) => {$(
                let constant = schema_json!(Filled<$length>, Dialect::Portable);
                assert_eq!(constant.len(), $length);
                let written = <Filled<$length>>::SCHEMA.to_json(Dialect::Portable);
                assert_eq!(constant, written);
            )*};
        }
        check!(19 63 64 65 2_047 2_048 2_049 2_560 2_561);
    }
}
