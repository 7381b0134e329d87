//! Integers as the keys of an object.

use super::integer::Integer;

/// The integers that are keys of a map, each in the one text that JSON has for it: `1`, not `01`, `+1` or `1.0`.
#[derive(Debug)]
pub struct IntegerKeys {
    /// The range.
    pub range: Integer,
    /// An expression for these texts. In a range of 64 bits it limits the digits only, since each request pays for
    /// every byte of a schema.
    pub(crate) pattern: &'static str,
    /// A key in words.
    pub(crate) words: &'static str,
}

macro_rules! integer_keys {
    ($($name:ident of $type:ty: $pattern:literal, $words:literal;)*) => {
        impl IntegerKeys {
            $(
                #[doc(hidden)]
                pub const $name: Self = Self {
                    range: Integer::between(<$type>::MIN as i128, <$type>::MAX as i128),
                    pattern: $pattern,
                    words: $words,
                };
            )*

            const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

integer_keys! {
    I8 of i8: "^(?:0|-?(?:[1-9][0-9]?|1[01][0-9]|12[0-7])|-128)$", "an integer from -128 to 127";
    U8 of u8: "^(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$", "an integer from 0 to 255";
    I16 of i16:
        "^(?:0|-?(?:[1-9][0-9]{0,3}|[12][0-9]{4}|3[01][0-9]{3}|32[0-6][0-9]{2}|327[0-5][0-9]|3276[0-7])|-32768)$",
        "an integer from -32768 to 32767";
    U16 of u16:
        "^(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$",
        "an integer from 0 to 65535";
    I32 of i32:
        "^(?:0|-?(?:[1-9][0-9]{0,8}|1[0-9]{9}|20[0-9]{8}|21[0-3][0-9]{7}|214[0-6][0-9]{6}|2147[0-3][0-9]{5}|21474[0-7][0-9]{4}|214748[0-2][0-9]{3}|2147483[0-5][0-9]{2}|21474836[0-3][0-9]|214748364[0-7])|-2147483648)$",
        "an integer from -2147483648 to 2147483647";
    U32 of u32:
        "^(?:0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[01][0-9]{8}|42[0-8][0-9]{7}|429[0-3][0-9]{6}|4294[0-8][0-9]{5}|42949[0-5][0-9]{4}|429496[0-6][0-9]{3}|4294967[01][0-9]{2}|42949672[0-8][0-9]|429496729[0-5])$",
        "an integer from 0 to 4294967295";
    I64 of i64: "^(?:0|-?[1-9][0-9]{0,18})$", "an integer of 64 bits";
    U64 of u64: "^(?:0|[1-9][0-9]{0,19})$", "an integer of 64 bits, not negative";
}

impl IntegerKeys {
    #[doc(hidden)]
    pub const ISIZE: Self = if isize::BITS == 64 {
        Self::I64
    } else {
        Self::I32
    };
    #[doc(hidden)]
    pub const USIZE: Self = if usize::BITS == 64 {
        Self::U64
    } else {
        Self::U32
    };

    /// The integer that a key is.
    pub(crate) fn value(text: &str) -> Option<i128> {
        match text.as_bytes() {
            b"0" | [b'1'..=b'9', ..] | [b'-', b'1'..=b'9', ..] => text.parse().ok(),
            _ => None,
        }
    }

    /// Whether a text is such a key.
    pub(crate) fn takes(&self, text: &str) -> bool {
        Self::value(text).is_some_and(|value| self.range.takes(value))
    }

    /// The keys that this expression was written for.
    #[doc(hidden)]
    #[must_use]
    pub fn of_pattern(pattern: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|keys| keys.pattern == pattern)
    }
}
