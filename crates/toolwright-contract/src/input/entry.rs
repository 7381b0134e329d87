//! Where the entries of an object come from: a text, or any source that serde knows.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{
    At, ToolInput,
    json::{Broken, Json},
    visit::Seed,
};

/// The value of the entry whose key was just read.
#[doc(hidden)]
pub trait Entry<'de> {
    /// What the source itself reports.
    type Error;

    /// Reads it as a type.
    fn read<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, Self::Error>;

    /// Reads it where no field adds a rule to those of the type, see [`ToolInput::read_own`].
    fn read_own<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, Self::Error>;

    /// Leaves it out, where nothing takes it.
    fn skip(&mut self) -> Result<(), Self::Error>;
}

/// The entries of an object that is open.
pub(super) trait Entries<'de>: Entry<'de> {
    /// What is made of the next key, if there is one: of its bytes, since it is compared and seldom kept.
    fn next_key<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<Option<R>, Self::Error>;
}

impl<'de> Entry<'de> for Json<'de> {
    type Error = Broken;

    #[inline]
    fn read<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, Broken> {
        T::read_text(self, at)
    }

    #[inline]
    fn read_own<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, Broken> {
        T::read_own_text(self, at)
    }

    fn skip(&mut self) -> Result<(), Broken> {
        Json::skip(self)
    }
}

impl<'de> Entries<'de> for Json<'de> {
    #[inline]
    fn next_key<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<Option<R>, Broken> {
        if !self.has_entry()? {
            return Ok(None);
        }
        let out = match self.plain_key() {
            Some(key) => read(key),
            None => read(self.string()?.as_bytes()),
        };
        self.colon()?;
        Ok(Some(out))
    }
}

impl<'de, A: MapAccess<'de>> Entry<'de> for A {
    type Error = A::Error;

    #[inline]
    fn read<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, A::Error> {
        self.next_value_seed(Seed::<T>::new(at))
    }

    #[inline]
    fn read_own<T: ToolInput>(&mut self, at: At<'_>) -> Result<Option<T>, A::Error> {
        self.next_value_seed(Seed::<T, true>::new(at))
    }

    #[inline(never)]
    fn skip(&mut self) -> Result<(), A::Error> {
        self.next_value::<IgnoredAny>().map(drop)
    }
}

impl<'de, A: MapAccess<'de>> Entries<'de> for A {
    #[inline]
    fn next_key<R>(&mut self, read: impl FnOnce(&[u8]) -> R) -> Result<Option<R>, A::Error> {
        self.next_key_seed(KeySeed(read))
    }
}

struct KeySeed<F>(F);

impl<'de, R, F: FnOnce(&[u8]) -> R> DeserializeSeed<'de> for KeySeed<F> {
    type Value = R;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<R, D::Error> {
        source.deserialize_str(self)
    }
}

impl<R, F: FnOnce(&[u8]) -> R> Visitor<'_> for KeySeed<F> {
    type Value = R;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    #[inline]
    fn visit_str<E: Error>(self, key: &str) -> Result<R, E> {
        Ok((self.0)(key.as_bytes()))
    }
}
