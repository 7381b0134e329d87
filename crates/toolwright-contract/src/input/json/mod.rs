//! The source of every text: JSON as a model wrote it, as a serde deserializer.
//!
//! It knows the plain forms, which nearly every text has, and nothing of the words for a broken one:
//! it says only that the text is broken, and `serde_json`, which then reads it once more, says why
//! and where. So does `serde_json` read what a hand-written reader may ask of a value beyond its form.
//!
//! It is here for two reasons. What is generic over a visitor is a `match` on the first byte of a
//! value, so that little is compiled for each type; and it is fast where arguments are, in short keys,
//! short strings and small numbers.

mod access;
mod fault;
mod number;
mod skip;
mod string;

use serde::{
    de::{Deserializer, Visitor},
    forward_to_deserialize_any,
};

use crate::policy::MAX_DEPTH;
use access::Inside;
pub use fault::Broken;
pub(super) use fault::why;
pub(super) use number::Number;

/// A text, and how far it is read.
#[doc(hidden)]
pub struct Json<'de> {
    text: &'de str,
    /// The next byte.
    at: usize,
    /// How many objects and arrays are open.
    depth: usize,
    /// The last thing taken opened an object or array: an item that follows has no comma before it.
    opened: bool,
}

impl<'de> Json<'de> {
    pub(super) fn new(text: &'de str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            opened: false,
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.next().is_none()
    }

    #[inline]
    fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    /// The next byte that is not white space; it is not taken.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        match self.bytes().get(self.at) {
            Some(byte) if *byte > b' ' => Some(*byte),
            _ => self.behind_space(),
        }
    }

    #[inline(never)]
    fn behind_space(&mut self) -> Option<u8> {
        let mut at = self.at;
        let byte = loop {
            match self.bytes().get(at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => at += 1,
                other => break other.copied(),
            }
        };
        self.at = at;
        byte
    }

    /// Whether this byte comes next.
    #[inline]
    pub(super) fn is_at(&mut self, byte: u8) -> bool {
        self.next() == Some(byte)
    }

    /// Takes a null, if one comes next.
    #[inline]
    pub(super) fn null(&mut self) -> Result<bool, Broken> {
        let is_null = self.next() == Some(b'n');
        if is_null {
            self.word("ull")?;
        }
        Ok(is_null)
    }

    /// Takes this byte, which must be the next.
    #[inline]
    fn take(&mut self, byte: u8) -> Result<(), Broken> {
        if self.next() != Some(byte) {
            return Err(Broken::TEXT);
        }
        self.at += 1;
        Ok(())
    }

    /// Takes the rest of a word behind its first letter.
    #[inline(never)]
    fn word(&mut self, rest: &str) -> Result<(), Broken> {
        let start = self.at + 1;
        let here = self.text.get(start..start + rest.len());
        if here != Some(rest) {
            return Err(Broken::TEXT);
        }
        self.at = start + rest.len();
        Ok(())
    }

    /// Opens an object or an array.
    #[inline]
    pub(super) fn open(&mut self) -> Result<(), Broken> {
        if self.depth >= MAX_DEPTH {
            return Err(Broken::TEXT);
        }
        self.at += 1;
        self.depth += 1;
        self.opened = true;
        Ok(())
    }

    /// Takes the bracket that closes what was opened last.
    #[inline]
    fn close(&mut self) {
        self.at += 1;
        self.depth -= 1;
        self.opened = false;
    }

    /// A text in this one, which counts as many levels down.
    pub(super) fn part(&self, text: &'de str) -> Self {
        Self {
            depth: self.depth,
            ..Self::new(text)
        }
    }

    /// The next value as it is written, not taken.
    pub(super) fn ahead(&self) -> Result<&'de str, Broken> {
        Self { ..*self }.raw()
    }

    /// The next value as it is written, passed over.
    pub(super) fn raw(&mut self) -> Result<&'de str, Broken> {
        self.next();
        let start = self.at;
        self.skip()?;
        self.text.get(start..self.at).ok_or(Broken::TEXT)
    }

    /// The next value, read by `serde_json`.
    fn apart(&mut self) -> Result<serde_json::Deserializer<serde_json::de::StrRead<'de>>, Broken> {
        self.raw().map(serde_json::Deserializer::from_str)
    }
}

/// Hands what is more than the form of a value to `serde_json`.
macro_rules! apart {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        fn $name<V: Visitor<'de>>(self, $($arg: $type,)* visitor: V) -> Result<V::Value, Broken> {
            self.apart()?.$name($($arg,)* visitor).map_err(Broken::from)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Json<'de> {
    type Error = Broken;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        match self.next() {
            Some(b'"') => match self.plain_string() {
                Some(text) => visitor.visit_borrowed_str(text),
                None => visitor.visit_string(self.string()?),
            },
            Some(b'{') => {
                self.open()?;
                let depth = self.depth;
                let out = visitor.visit_map(Inside::new(self))?;
                self.end(depth, b'}')?;
                Ok(out)
            }
            Some(b'[') => {
                self.open()?;
                let depth = self.depth;
                let out = visitor.visit_seq(Inside::new(self))?;
                self.end(depth, b']')?;
                Ok(out)
            }
            Some(b'-' | b'0'..=b'9') => match self.number()? {
                Number::Positive(value) => visitor.visit_u64(value),
                Number::Negative(value) => visitor.visit_i64(value),
                Number::Float(value) => visitor.visit_f64(value),
            },
            Some(b't') => {
                self.word("rue")?;
                visitor.visit_bool(true)
            }
            Some(b'f') => {
                self.word("alse")?;
                visitor.visit_bool(false)
            }
            Some(b'n') => {
                self.word("ull")?;
                visitor.visit_unit()
            }
            _ => Err(Broken::TEXT),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        if self.next() != Some(b'"') {
            return self.deserialize_any(visitor);
        }
        match self.plain_string() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => visitor.visit_string(self.string()?),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        if self.null()? {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Broken> {
        self.skip()?;
        visitor.visit_unit()
    }

    apart! {
        deserialize_i128();
        deserialize_u128();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char string unit seq tuple tuple_struct map
        struct identifier
    }
}

#[cfg(test)]
mod tests;
