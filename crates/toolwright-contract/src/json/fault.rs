//! What is wrong with a text that is no JSON, found by `serde_json`.

use std::{fmt, sync::LazyLock};

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::policy::MAX_DEPTH;

/// Why a text is not one JSON value.
pub(crate) enum Why {
    /// More levels than are read.
    TooDeep,
    /// What `serde_json` says, and where.
    Text(serde_json::Error),
}

/// Why a text is not one JSON value, if it is not.
#[cold]
pub(crate) fn why(text: &str) -> Option<Why> {
    let mut source = serde_json::Deserializer::from_str(text);
    let error = Sound::deserialize(&mut source)
        .and_then(|Sound| source.end())
        .err()?;
    Some(if open_at(text, &error) > MAX_DEPTH {
        Why::TooDeep
    } else {
        Why::Text(error)
    })
}

/// How many brackets are open where an error was found, the bracket there included.
fn open_at(text: &str, error: &serde_json::Error) -> usize {
    let before = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let read = text.as_bytes().get(..before + error.column());
    let (mut open, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in read.unwrap_or_default() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'[' | b'{' if !in_string => open += 1,
            b']' | b'}' if !in_string => open = open.saturating_sub(1),
            _ => {}
        }
    }
    open
}

/// Whether `serde_json` keeps numbers as they are written, for which it hands them out as objects: with its
/// `arbitrary_precision`, which any crate of the program can turn on.
pub(crate) fn numbers_are_objects() -> bool {
    // Too large for any other form of a number.
    static ARE: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok());
    *ARE
}

/// Whether the first key of an object means that `serde_json` hands out a number. Without
/// `arbitrary_precision` this is a key like any other.
#[inline]
pub(crate) fn means_number(key: &str) -> bool {
    key == "$serde_json::private::Number" && numbers_are_objects()
}

/// Any value, read to its last digit and forgotten. What serde has for that passes over numbers that no
/// float holds, halves of characters and depth.
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
