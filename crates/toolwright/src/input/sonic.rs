//! Good texts, read by `sonic-rs`.
//!
//! Only a reading without any issue counts. Whatever this parser refuses, or the reader finds fault
//! with, is read again as any text is, so that every report, and every word and position in it, is
//! the one that there would be without the feature.
//!
//! This parser passes over unknown values by recursion without an end, which a hostile text could
//! use to overflow the stack. So nothing is passed over by it: [`Bounded`] stands around it, counts
//! levels, and visits what is ignored as it visits everything else.

use std::fmt;

use serde::{
    de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

use super::{
    At, MAX_DEPTH, Policy, Read, Report, ToolInput,
    at::{Here, State},
    hidden::hide,
    read::{close, no_arguments},
    read_str,
};

/// Reads arguments as [`read_str`] does, good texts by the parser of `sonic-rs`.
///
/// What is accepted, the value, the fixes and the report are the same. A function of its own, since
/// in a build with default settings it is the slower one, and bad arguments are read twice: measure
/// before you take it.
///
/// ```
/// use toolwright::{Policy, ToolInput, input::read_str_sonic};
///
/// #[derive(ToolInput)]
/// struct Add { a: i64, b: i64 }
///
/// let read = read_str_sonic::<Add>(r#"{"a": 1, "b": "2"}"#, &Policy::lax())?;
/// assert_eq!((read.value.a, read.value.b), (1, 2));
/// # Ok::<(), toolwright::Report>(())
/// ```
///
/// # Errors
/// A [`Report`] of every issue that was found.
pub fn read_str_sonic<T: ToolInput>(text: &str, policy: &Policy) -> Result<Read<T>, Report> {
    if text.len() <= policy.max_bytes()
        && !policy.repairs()
        && let Some(read) = read_good(text, policy)
    {
        return Ok(read);
    }
    read_str(text, policy)
}

/// The value of a text in which nothing is wrong; nothing where `read_str` has to look at it.
fn read_good<T: ToolInput>(text: &str, policy: &Policy) -> Option<Read<T>> {
    if no_arguments(text, T::SCHEMA) || has_negative_zero(text) {
        return None;
    }
    let mut state = State::new(policy);
    let here = Here::root(T::SCHEMA);
    let mut source = sonic_rs::Deserializer::from_str(text);
    let bounded = Bounded {
        inner: &mut source,
        depth: 0,
    };
    let value = T::read(bounded, At::new(&mut state, &here)).ok()??;
    source.end().ok()?;
    let fixes = hide(T::SCHEMA, close(true, state)).ok()?;
    Some(Read { value, fixes })
}

/// Whether there may be a zero with a sign, which `sonic-rs` drops.
fn has_negative_zero(text: &str) -> bool {
    // Most texts have none of these two characters in a row, which is found out fast.
    text.contains("-0")
        && text.match_indices("-0").any(|(at, _)| {
            let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            // In front of a number stands the start, a bracket, a colon, a comma or space.
            before.is_none_or(|byte| {
                matches!(byte, b'[' | b':' | b',' | b' ' | b'\n' | b'\r' | b'\t')
            })
        })
}

/// A source, or an access to its items, this many levels down.
struct Bounded<D> {
    inner: D,
    depth: usize,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<D> {
    type Error = D::Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(Below {
            of: visitor,
            depth: self.depth,
        })
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_option(Below {
            of: visitor,
            depth: self.depth,
        })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A visitor or a seed that sees what is inside through [`Bounded`].
struct Below<V> {
    of: V,
    depth: usize,
}

impl<V> Below<V> {
    #[inline]
    fn bound<A, E: Error>(&self, inner: A) -> Result<Bounded<A>, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom("too deep"));
        }
        Ok(Bounded {
            inner,
            depth: self.depth + 1,
        })
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Below<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.of.expecting(f)
    }

    #[inline]
    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        self.of.visit_bool(value)
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<V::Value, E> {
        self.of.visit_i64(value)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<V::Value, E> {
        self.of.visit_u64(value)
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        self.of.visit_f64(value)
    }

    #[inline]
    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.of.visit_str(value)
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.of.visit_borrowed_str(value)
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.of.visit_unit()
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.of.visit_none()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.of.visit_some(Bounded {
            inner,
            depth: self.depth,
        })
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        let items = self.bound(items)?;
        self.of.visit_seq(items)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let map = self.bound(map)?;
        self.of.visit_map(map)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Below<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.of.deserialize(Bounded {
            inner,
            depth: self.depth,
        })
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        of: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let depth = self.depth;
        self.inner.next_element_seed(Below { of, depth })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(seed)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, of: S) -> Result<S::Value, A::Error> {
        let depth = self.depth;
        self.inner.next_value_seed(Below { of, depth })
    }
}

#[cfg(test)]
#[path = "sonic_tests.rs"]
mod tests;
