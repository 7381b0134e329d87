//! What is wrong with a text that is no JSON, in the words of `serde_json`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::input::visit::means_number;

/// The end of a reading: the text is broken, or a hand-written reader gave up with words of its own.
#[doc(hidden)]
#[derive(Debug)]
pub struct Broken(Option<serde_json::Error>);

impl Broken {
    pub(super) const TEXT: Self = Self(None);

    /// Why, where that is known; the text knows it otherwise, see [`why`].
    pub(in crate::input) fn words(self) -> Option<serde_json::Error> {
        self.0
    }
}

impl From<serde_json::Error> for Broken {
    fn from(error: serde_json::Error) -> Self {
        Self(Some(error))
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(error) => error.fmt(f),
            None => f.write_str("not JSON"),
        }
    }
}

impl std::error::Error for Broken {}

impl Error for Broken {
    #[cold]
    fn custom<T: fmt::Display>(words: T) -> Self {
        serde_json::Error::custom(words).into()
    }
}

/// Why a text is not one JSON value, if it is not.
#[cold]
pub(in crate::input) fn why(text: &str) -> Option<serde_json::Error> {
    let mut source = serde_json::Deserializer::from_str(text);
    Sound::deserialize(&mut source)
        .and_then(|Sound| source.end())
        .err()
}

/// Any value, read to its last digit and then forgotten. What serde has for that looks over numbers
/// that no float holds, halves of characters and depth.
struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Sound {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut first = true;
        while let Some(key) = map.next_key::<String>()? {
            if std::mem::take(&mut first) && means_number(&key) {
                // As it is written, which may be more than any float holds.
                let text: String = map.next_value()?;
                return match text.parse() {
                    Ok(value) if f64::is_finite(value) => Ok(self),
                    _ => Err(A::Error::custom("number out of range")),
                };
            }
            map.next_value::<Self>()?;
        }
        Ok(self)
    }
}
