//! One serde visitor for all types: it takes whatever stands in the text, so that a wrong value
//! is an issue and not the end of the reading.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::{fmt, marker::PhantomData, sync::LazyLock};

use super::{
    At, FixKind, IssueKind, ToolInput,
    at::Found,
    json::{Broken, Json, Number},
};

/// What a type does with each form of JSON; by default it reports that it wanted another.
pub(super) trait Take: Sized {
    type Out;

    #[cold]
    fn null(self, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Null);
        None
    }

    #[cold]
    fn boolean(self, value: bool, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Boolean(value));
        None
    }

    #[cold]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Integer(value));
        None
    }

    #[cold]
    fn number(self, value: f64, mut at: At<'_>) -> Option<Self::Out> {
        at.mismatch(&Found::Number(value));
        None
    }

    /// A whole number beyond 127 bits, which no type but that of any value has a place for.
    #[cold]
    fn large(self, value: u128, at: At<'_>) -> Option<Self::Out> {
        #[allow(clippy::cast_precision_loss)] // as it would be read from a text
        self.number(value as f64, at)
    }

    #[cold]
    fn text(self, value: &str, at: At<'_>) -> Option<Self::Out> {
        super::meant::structure(self, value, at)
    }

    /// A string that is owned already.
    fn string(self, value: String, at: At<'_>) -> Option<Self::Out> {
        self.text(&value, at)
    }

    #[cold]
    fn array<'de, A: SeqAccess<'de>>(
        self,
        items: A,
        mut at: At<'_>,
    ) -> Result<Option<Self::Out>, A::Error> {
        drain_array(items)?;
        at.mismatch(&Found::Array);
        Ok(None)
    }

    #[cold]
    fn object<'de, A: MapAccess<'de>>(
        self,
        map: A,
        mut at: At<'_>,
    ) -> Result<Option<Self::Out>, A::Error> {
        match drain_object(map)? {
            Some(Digits::Integer(value)) => Ok(self.integer(value, at)),
            Some(Digits::Number(value)) => Ok(self.number(value, at)),
            None => {
                at.mismatch(&Found::Object);
                Ok(None)
            }
        }
    }
}

/// Reads over the items of an array; apart, so that there is one for all types.
#[cold]
#[inline(never)]
fn drain_array<'de, A: SeqAccess<'de>>(mut items: A) -> Result<(), A::Error> {
    while items.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// A number that came as an object.
enum Digits {
    Integer(i128),
    Number(f64),
}

/// The number that such an object holds in its only entry.
fn digits<E: Error>(text: &str) -> Result<Digits, E> {
    if let Ok(value) = text.parse() {
        return Ok(Digits::Integer(value));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Digits::Number(value)),
        _ => Err(E::custom("number out of range")),
    }
}

/// Whether the first key of an object means that it stands for a number: with `serde_json`'s
/// `arbitrary_precision`, which any crate of the program can turn on, numbers come as objects of one
/// certain key. Without it this is a key like any other, and what a model sends under it no number.
#[inline]
pub(super) fn means_number(key: &str) -> bool {
    key == "$serde_json::private::Number" && numbers_are_objects()
}

/// Whether `serde_json` keeps numbers as they are written, for which it hands them out as objects.
pub(super) fn numbers_are_objects() -> bool {
    // Too large for any other form of a number.
    static ARE: LazyLock<bool> =
        LazyLock::new(|| serde_json::from_str::<serde_json::Number>("1e999").is_ok());
    *ARE
}

/// Reads over an object, unless it stands for a number.
#[cold]
#[inline(never)]
fn drain_object<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Digits>, A::Error> {
    let mut first = true;
    while let Some(key) = map.next_key::<KeyName>()? {
        if first && key.0 {
            let text: String = map.next_value()?;
            return digits(&text).map(Some);
        }
        first = false;
        map.next_value::<IgnoredAny>()?;
    }
    Ok(None)
}

/// Whether a key is the one that `serde_json` marks a number with.
struct KeyName(bool);

impl<'de> serde::Deserialize<'de> for KeyName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = KeyName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            #[inline]
            fn visit_str<E: Error>(self, key: &str) -> Result<KeyName, E> {
                Ok(KeyName(means_number(key)))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

pub(super) struct Visit<'a, T> {
    pub(super) take: T,
    pub(super) at: At<'a>,
}

/// Reads any value with a taker.
#[inline]
pub(super) fn visit<'de, D, T>(source: D, take: T, at: At<'_>) -> Result<Option<T::Out>, D::Error>
where
    D: Deserializer<'de>,
    T: Take,
{
    source.deserialize_any(Visit { take, at })
}

/// The same, one function for all who call it: what takes objects is large.
#[inline(never)]
pub(super) fn visit_apart<'de, D, T>(
    source: D,
    take: T,
    at: At<'_>,
) -> Result<Option<T::Out>, D::Error>
where
    D: Deserializer<'de>,
    T: Take,
{
    visit(source, take, at)
}

/// Reads a value from a text that is most often a plain string.
#[inline]
pub(super) fn text<T: Take>(
    json: &mut Json<'_>,
    take: T,
    mut at: At<'_>,
) -> Result<Option<T::Out>, Broken> {
    if !json.is_at(b'"') {
        return visit_apart(json, take, at);
    }
    match json.plain_string() {
        Some(text) => {
            if text.is_empty() && stands_for_absent(&mut at) {
                return Ok(None);
            }
            Ok(take.text(text, at))
        }
        None => visit_apart(json, take, at),
    }
}

/// Reads a value from a text that is most often a short number without a sign.
#[inline]
pub(super) fn number<T: Take>(
    json: &mut Json<'_>,
    take: T,
    at: At<'_>,
) -> Result<Option<T::Out>, Broken> {
    match json.short_number() {
        Some(Number::Positive(value)) => Ok(take.integer(value.into(), at)),
        Some(Number::Float(value)) => Ok(take.number(value, at)),
        _ => visit_apart(json, take, at),
    }
}

impl<'de, T: Take> Visitor<'de> for Visit<'_, T> {
    type Value = Option<T::Out>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    #[inline]
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(self.take.boolean(value, self.at))
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        Ok(self.take.integer(value.into(), self.at))
    }

    #[cold]
    fn visit_i128<E: Error>(self, value: i128) -> Result<Self::Value, E> {
        Ok(self.take.integer(value, self.at))
    }

    /// As `serde_json` hands out whole numbers of a value that keeps its digits.
    #[cold]
    fn visit_u128<E: Error>(self, value: u128) -> Result<Self::Value, E> {
        Ok(match i128::try_from(value) {
            Ok(value) => self.take.integer(value, self.at),
            Err(_) => self.take.large(value, self.at),
        })
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        Ok(self.take.integer(value.into(), self.at))
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        Ok(self.take.number(value, self.at))
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(mut self, value: &'de str) -> Result<Self::Value, E> {
        if value.is_empty() && stands_for_absent(&mut self.at) {
            return Ok(None);
        }
        Ok(self.take.text(value, self.at))
    }

    // The same once more, out of line: a string with escapes in it is the rarer one.
    #[inline(never)]
    fn visit_str<E: Error>(mut self, value: &str) -> Result<Self::Value, E> {
        if value.is_empty() && stands_for_absent(&mut self.at) {
            return Ok(None);
        }
        Ok(self.take.text(value, self.at))
    }

    #[inline]
    fn visit_string<E: Error>(mut self, value: String) -> Result<Self::Value, E> {
        if value.is_empty() && stands_for_absent(&mut self.at) {
            return Ok(None);
        }
        Ok(self.take.string(value, self.at))
    }

    fn visit_unit<E: Error>(mut self) -> Result<Self::Value, E> {
        if self.at.takes_absent() {
            self.at.absent(FixKind::NullAsAbsent, &Found::Null);
            return Ok(None);
        }
        Ok(self.take.null(self.at))
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        source: D,
    ) -> Result<Self::Value, D::Error> {
        source.deserialize_any(self)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(mut self, items: A) -> Result<Self::Value, A::Error> {
        if self.at.too_deep() {
            drain_array(items)?;
            refuse_depth(&mut self.at);
            return Ok(None);
        }
        self.take.array(items, self.at)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(mut self, map: A) -> Result<Self::Value, A::Error> {
        if self.at.too_deep() {
            drain_object(map)?;
            refuse_depth(&mut self.at);
            return Ok(None);
        }
        self.take.object(map, self.at)
    }
}

#[cold]
fn stands_for_absent(at: &mut At<'_>) -> bool {
    let absent = at.takes_empty();
    if absent {
        at.absent(FixKind::EmptyAsAbsent, &Found::Text(""));
    }
    absent
}

#[cold]
fn refuse_depth(at: &mut At<'_>) {
    let limit = crate::policy::MAX_DEPTH;
    at.issue(
        IssueKind::TooDeep,
        format!("at most {limit} levels of nesting"),
        "",
    );
}

/// A value of a type, as a serde seed; `OWN` where no field adds a rule to those of the type, see
/// [`ToolInput::read_own`].
pub(super) struct Seed<'a, T, const OWN: bool = false> {
    at: At<'a>,
    type_: PhantomData<T>,
}

impl<'a, T, const OWN: bool> Seed<'a, T, OWN> {
    #[inline]
    pub(super) fn new(at: At<'a>) -> Self {
        Self {
            at,
            type_: PhantomData,
        }
    }
}

impl<'de, T: ToolInput, const OWN: bool> DeserializeSeed<'de> for Seed<'_, T, OWN> {
    type Value = Option<T>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Option<T>, D::Error> {
        if OWN {
            T::read_own(source, self.at)
        } else {
            T::read(source, self.at)
        }
    }
}

#[cfg(test)]
mod tests {
    //! Sources that are neither a text nor a value: what a reader written by hand may read from.

    use serde::de::{
        Deserializer, IntoDeserializer, Visitor,
        value::{BytesDeserializer, Error, MapDeserializer, U128Deserializer},
    };

    use serde_json::{Value, json};

    use super::{Digits, means_number};
    use crate::{
        At, Policy, ToolInput,
        input::at::{Here, State},
    };

    fn read<'de, T: ToolInput>(
        source: impl Deserializer<'de, Error = Error>,
    ) -> Result<Option<T>, String> {
        let policy = Policy::exact();
        let mut state = State::new(&policy);
        let here = Here::root(T::SCHEMA);
        let read = T::read(source, At::new(&mut state, &here));
        match state.issues.first() {
            // A value and an issue is what no reader gives.
            Some(issue) => {
                Err(issue.to_string()).inspect_err(|_| assert!(matches!(read, Ok(None))))
            }
            None => read.map_err(|error| error.to_string()),
        }
    }

    /// What formats with types of their own give for a value.
    enum Form {
        None,
        Some(i64),
        Newtype(i64),
    }

    impl<'de> Deserializer<'de> for Form {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self {
                Self::None => visitor.visit_none(),
                Self::Some(value) => visitor.visit_some(value.into_deserializer()),
                Self::Newtype(value) => visitor.visit_newtype_struct(value.into_deserializer()),
            }
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
            unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
            option
        }
    }

    #[test]
    fn what_wraps_a_value_is_looked_through() {
        assert_eq!(read::<u8>(Form::Some(7)), Ok(Some(7)));
        assert_eq!(read::<u8>(Form::Newtype(7)), Ok(Some(7)));
        assert_eq!(read::<Option<u8>>(Form::Some(7)), Ok(Some(Some(7))));
        assert_eq!(read::<Option<u8>>(Form::None), Ok(Some(None)));
        let words = "arguments: expected an integer from 0 to 255, found ";
        assert_eq!(read::<u8>(Form::None), Err(format!("{words}null")));
        assert_eq!(read::<u8>(Form::Some(300)), Err(format!("{words}300")));
    }

    /// No text and no value has one, but other formats do.
    #[test]
    fn a_number_beyond_any_type() {
        let large = || U128Deserializer::new(u128::MAX);
        let words = "found 3.402823669209385e+38";
        assert_eq!(
            read::<u8>(large()),
            Err(format!(
                "arguments: expected an integer from 0 to 255, {words}"
            ))
        );
        assert_eq!(
            read::<bool>(large()),
            Err(format!("arguments: expected true or false, {words}"))
        );
        let any = read::<Value>(large()).map(|any| any.and_then(|any| any.as_f64()));
        assert_eq!(any, Ok(Some(3.402_823_669_209_385e38)));
        // Of this size, but within what a type has a place for.
        let some = U128Deserializer::new(7);
        assert_eq!(read::<u8>(some), Ok(Some(7)));
    }

    #[derive(ToolInput, Debug, PartialEq)]
    struct Point {
        x: u8,
    }

    #[test]
    fn what_json_does_not_know_is_an_error_of_the_source() {
        let bytes = || BytesDeserializer::new(b"x");
        let error = read::<u8>(bytes()).expect_err("bytes");
        assert_eq!(error, "invalid type: byte array, expected a JSON value");

        let numbered = || MapDeserializer::new([(1_u8, 2_u8)].into_iter());
        let error = "invalid type: integer `1`, expected a key";
        assert_eq!(read::<Point>(numbered()).expect_err("a key"), error);
        assert_eq!(read::<u8>(numbered()).expect_err("a key"), error);
    }

    const KEY: &str = "$serde_json::private::Number";

    /// With `arbitrary_precision` of `serde_json`, which any crate of the program can turn on; without it
    /// no object is a number.
    #[test]
    fn a_number_may_come_as_an_object() {
        let number = |digits| MapDeserializer::new([(KEY, digits)].into_iter());
        let words = "expected an integer from 0 to 255, found an object";
        let no_number = Err(format!("arguments: {words}"));
        if means_number(KEY) {
            assert_eq!(read::<u8>(number("7")), Ok(Some(7)));
            assert_eq!(read::<f64>(number("-2.5e1")), Ok(Some(-25.0)));
            let any = read::<Value>(number("-2.5e1"));
            assert_eq!(
                any.map(|any| any.map(|any| any.as_f64())),
                Ok(Some(Some(-25.0)))
            );
            let beyond = Err("number out of range".to_owned());
            assert_eq!(read::<u8>(number("1e309")), beyond);
            let any = read::<Value>(number("no number")).map(|_| None);
            assert_eq!(any, beyond);
        } else {
            assert_eq!(read::<u8>(number("7")), no_number);
            let object = json!({ KEY: "[7]" });
            assert_eq!(read::<Value>(number("[7]")), Ok(Some(object)));
        }
        // Only as the first key of an object.
        let behind = MapDeserializer::new([("a", "1"), (KEY, "7")].into_iter());
        assert_eq!(read::<u8>(behind), no_number);
        assert!(!means_number("$serde_json::private::RawValue"));
    }

    #[test]
    fn the_number_in_an_object() {
        let digits = |text| super::digits::<Error>(text).map_err(|error| error.to_string());
        for (text, value) in [
            ("7", 7),
            ("-70", -70),
            ("340282366920938463463", 340_282_366_920_938_463_463),
        ] {
            assert!(
                matches!(digits(text), Ok(Digits::Integer(read)) if read == value),
                "{text}"
            );
        }
        for (text, value) in [("7.0", 7.0), ("-2.5e1", -25.0), ("1e308", 1e308)] {
            assert!(
                matches!(digits(text), Ok(Digits::Number(read)) if read.to_bits() == f64::to_bits(value)),
                "{text}"
            );
        }
        for beyond in ["1e309", "-1e999", "inf", "NaN", "", "x"] {
            assert_eq!(
                digits(beyond).err().as_deref(),
                Some("number out of range"),
                "{beyond}"
            );
        }
    }
}
