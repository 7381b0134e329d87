//! The tag stands among the fields of the variant.

use std::{
    cell::{Cell, RefCell},
    fmt,
    marker::PhantomData,
};

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
    value::MapAccessDeserializer,
};
use serde_json::Value;

use super::{
    Union,
    tag::{
        belongs_to_another, no_tag, null_of_another, read_tag, repeated_key, spare_key,
        strict_nulls,
    },
};
use crate::{
    input::{
        At,
        at::Way,
        value::{ANY, Plain},
        visit::{Seed, Take, visit},
    },
    schema::{Union as Rules, Variant},
};

pub(super) struct Internal<U>(
    pub(super) &'static Rules,
    pub(super) &'static str,
    pub(super) PhantomData<U>,
);

impl<U: Union> Take for Internal<U> {
    type Out = U;

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let Self(rules, tag, _) = self;
        // What stands before the tag waits until the variant is known.
        let mut before = Vec::new();
        loop {
            let Some(key) = map.next_key::<String>()? else {
                no_tag(rules, tag, &mut at);
                return Ok(None);
            };
            if key != tag {
                let value = at.below(Way::Key(&key), ANY, |at| {
                    map.next_value_seed(Seed::<Value>::new(at))
                })?;
                before.push((key, value.unwrap_or_default()));
                continue;
            }
            let Some((index, variant)) = read_tag(rules, tag, &mut map, &mut at)? else {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(None);
            };
            let repeated = Cell::new(false);
            let nulls = RefCell::new(Vec::new());
            let rest = Rest {
                tag,
                before: before.into_iter(),
                value: None,
                repeated: &repeated,
                others: strict_nulls(&at).then_some((rules, variant)),
                nulls: &nulls,
                map,
            };
            let source = MapAccessDeserializer::new(rest);
            let out = match &variant.content {
                Some(content) => at
                    .reborrow()
                    .under(content.part(), |at| U::read(index, source, at))?,
                None => {
                    visit(source, Nothing { rules }, at.reborrow())?.and_then(|()| U::unit(index))
                }
            };
            for key in nulls.take() {
                null_of_another(&key, &mut at);
            }
            if repeated.get() {
                repeated_key(tag, &mut at);
            }
            return Ok(out);
        }
    }
}

/// An object that should be empty but for its tag.
struct Nothing {
    rules: &'static Rules,
}

impl Take for Nothing {
    type Out = ();

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<()>, A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            map.next_value::<IgnoredAny>()?;
            spare_key(&key, self.rules, &mut at);
        }
        Ok(Some(()))
    }
}

/// An object without its tag: what stood before it, then what follows.
struct Rest<'a, A> {
    tag: &'static str,
    before: std::vec::IntoIter<(String, Value)>,
    value: Option<Value>,
    repeated: &'a Cell<bool>,
    /// Where null at a key of another variant says nothing: the union, and the variant that it is.
    others: Option<(&'static Rules, &'static Variant)>,
    /// The keys at which that was so.
    nulls: &'a RefCell<Vec<String>>,
    map: A,
}

impl<A> Rest<'_, A> {
    fn is_null_of_another(&self, key: &str, value: &Value) -> bool {
        let of_another = |(rules, own)| belongs_to_another(key, rules, own);
        let skips = value.is_null() && self.others.is_some_and(of_another);
        if skips {
            self.nulls.borrow_mut().push(key.to_owned());
        }
        skips
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some((key, value)) = self.before.next() {
            if self.is_null_of_another(&key, &value) {
                continue;
            }
            self.value = Some(value);
            return seed.deserialize(key.into_deserializer()).map(Some);
        }
        let mut seed = Some(seed);
        loop {
            let next = self.map.next_key_seed(NotTag {
                tag: self.tag,
                others: self.others,
                seed: &mut seed,
            })?;
            match next {
                None => return Ok(None),
                Some(Next::Given(key)) => return Ok(Some(key)),
                Some(Next::Tag) => {
                    self.repeated.set(true);
                    self.map.next_value::<IgnoredAny>()?;
                }
                Some(Next::OfAnother(key)) => {
                    let Plain(value) = self.map.next_value()?;
                    if !self.is_null_of_another(&key, &value)
                        && let Some(seed) = seed.take()
                    {
                        self.value = Some(value);
                        return seed.deserialize(key.into_deserializer()).map(Some);
                    }
                }
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(A::Error::custom),
            None => self.map.next_value_seed(seed),
        }
    }
}

/// A key for somebody else's seed, unless it is the tag once more or another variant's.
struct NotTag<'a, K> {
    tag: &'static str,
    others: Option<(&'static Rules, &'static Variant)>,
    seed: &'a mut Option<K>,
}

enum Next<K> {
    Given(K),
    Tag,
    OfAnother(String),
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for NotTag<'_, K> {
    type Value = Next<K::Value>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for NotTag<'_, K> {
    type Value = Next<K::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        if key == self.tag {
            return Ok(Next::Tag);
        }
        let another = |(rules, own)| belongs_to_another(key, rules, own);
        match self.seed.take() {
            Some(seed) if !self.others.is_some_and(another) => {
                seed.deserialize(key.into_deserializer()).map(Next::Given)
            }
            seed => {
                *self.seed = seed;
                Ok(Next::OfAnother(key.to_owned()))
            }
        }
    }
}
