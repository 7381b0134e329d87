//! The entries of an object and the items of an array, one after the other.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

use super::{Broken, Json};

/// The entries of an object, or the items of an array, whose bracket is open.
pub(super) struct Inside<'a, 'de> {
    json: &'a mut Json<'de>,
    depth: usize,
}

impl<'a, 'de> Inside<'a, 'de> {
    #[inline]
    pub(super) fn new(json: &'a mut Json<'de>) -> Self {
        let depth = json.depth;
        Self { json, depth }
    }

    /// A visitor may ask once more when it has been told that nothing follows.
    #[inline]
    fn is_over(&self) -> bool {
        self.json.depth < self.depth
    }
}

impl Json<'_> {
    /// Whether another one follows in an object or array that ends with this bracket; what separates
    /// the two is taken, and so is the end.
    #[inline]
    fn has_more(&mut self, end: u8) -> Result<bool, Broken> {
        let next = self.next();
        if next == Some(end) {
            self.close();
            return Ok(false);
        }
        if std::mem::take(&mut self.opened) {
            return Ok(true);
        }
        if next != Some(b',') {
            return Err(Broken::TEXT);
        }
        self.at += 1;
        Ok(true)
    }

    /// Whether another entry follows in an object, whose key then stands here.
    #[inline]
    pub(in crate::input) fn has_entry(&mut self) -> Result<bool, Broken> {
        if !self.has_more(b'}')? {
            return Ok(false);
        }
        if self.next() == Some(b'"') {
            Ok(true)
        } else {
            Err(Broken::TEXT)
        }
    }

    /// Whether another item follows in an array.
    #[inline]
    pub(in crate::input) fn has_item(&mut self) -> Result<bool, Broken> {
        self.has_more(b']')
    }

    /// Takes what stands between a key and its value.
    #[inline]
    pub(in crate::input) fn colon(&mut self) -> Result<(), Broken> {
        self.take(b':')
    }

    /// Closes what was opened as this depth was reached, unless its last item was asked for and it is
    /// closed. A visitor may leave without asking, but the text goes on behind the end.
    #[inline]
    pub(super) fn end(&mut self, depth: usize, end: u8) -> Result<(), Broken> {
        if self.depth < depth {
            return Ok(());
        }
        self.end_unasked(depth, end)
    }

    #[inline(never)]
    fn end_unasked(&mut self, depth: usize, end: u8) -> Result<(), Broken> {
        if self.depth > depth || self.next() != Some(end) {
            return Err(Broken::TEXT);
        }
        self.close();
        Ok(())
    }
}

impl<'de> MapAccess<'de> for Inside<'_, 'de> {
    type Error = Broken;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Broken> {
        if self.is_over() || !self.json.has_entry()? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.json).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Broken> {
        self.json.colon()?;
        seed.deserialize(&mut *self.json)
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, 'de> {
    type Error = Broken;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Broken> {
        if self.is_over() || !self.json.has_item()? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.json).map(Some)
    }
}
