//! Looks for names that occur twice in one object; a parser would silently keep the last.

use std::{collections::HashSet, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

/// Any JSON in which no object repeats a name. With `ARGUMENTS`, the value of `arguments` at the top is skipped.
pub(super) struct NoneTwice<const ARGUMENTS: bool>;

impl<'de, const ARGUMENTS: bool> Deserialize<'de> for NoneTwice<ARGUMENTS> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        source.deserialize_any(Self)
    }
}

impl<'de, const ARGUMENTS: bool> Visitor<'de> for NoneTwice<ARGUMENTS> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<NoneTwice<false>>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            if ARGUMENTS && name == "arguments" {
                members.next_value::<IgnoredAny>()?;
            } else {
                members.next_value::<NoneTwice<false>>()?;
            }
            if !names.insert(name) {
                return Err(A::Error::custom("a name stands twice in an object"));
            }
        }
        Ok(self)
    }
}
