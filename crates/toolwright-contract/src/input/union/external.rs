//! `{"variant": content}`, and a name alone for a variant without content.

use std::{fmt, marker::PhantomData};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::{
    Content, Union, find, no_such,
    tag::{null_of_another, strict_nulls},
};
use crate::{
    input::{At, IssueKind, Step, at::Way, keys::unknown_key, meant, visit::Take},
    schema::{Union as Rules, Variant, expected},
    text::quoted,
};

pub(super) struct External<U>(pub(super) &'static Rules, pub(super) PhantomData<U>);

impl<U: Union> Take for External<U> {
    type Out = U;

    fn text(self, value: &str, mut at: At<'_>) -> Option<U> {
        match find(value, self.0, &mut at) {
            Some((index, Variant { content: None, .. })) => U::unit(index),
            Some((_, variant)) => {
                let words = format!(
                    "an object whose single key is {}",
                    quoted(variant.name.part())
                );
                at.issue(IssueKind::WrongType, words, quoted(value));
                None
            }
            None if meant::holds(value, &mut at) => meant::structure(self, value, at),
            None => {
                no_such(value, self.0, expected(at.schema()), &mut at);
                None
            }
        }
    }

    fn object<'de, A: MapAccess<'de>>(
        self,
        mut map: A,
        mut at: At<'_>,
    ) -> Result<Option<U>, A::Error> {
        let mut out = None;
        let mut count = 0;
        let mut wrong = None;
        let strict = strict_nulls(&at);
        // Of the keys whose value is null: how many, the first variant that can carry it, and the first
        // that cannot.
        let (mut nulls, mut other_null) = (0, None);
        let mut null = None;
        while let Some(key) = map.next_key::<String>()? {
            count += 1;
            match find(&key, self.0, &mut at) {
                Some((
                    index,
                    Variant {
                        content: Some(content),
                        name,
                        ..
                    },
                )) if strict || count == 1 => {
                    let read = at.below(Way::Key(name), content, |mut at| {
                        let seed = Content::new(index, at.reborrow());
                        map.next_value_seed(UnlessNull { strict, seed })
                            .inspect_err(|_| at.note_broken())
                    })?;
                    if let Some(read) = read {
                        // Of more than one none counts.
                        out = read;
                        continue;
                    }
                    count -= 1;
                    nulls += 1;
                    let here = Some((index, content, name));
                    if content.nullable && null.is_none() {
                        null = here;
                    } else {
                        other_null = other_null.or(here);
                        null_of_another(name, &mut at);
                    }
                }
                Some((
                    _,
                    Variant {
                        content: None,
                        name,
                        ..
                    },
                )) if count == 1 => {
                    map.next_value::<IgnoredAny>()?;
                    at.issue(IssueKind::WrongType, quoted(name), "an object");
                }
                found => {
                    map.next_value::<IgnoredAny>()?;
                    if found.is_none() && wrong.is_none() {
                        wrong = Some(key);
                    }
                }
            }
        }
        if let Some(key) = wrong {
            let names = self
                .0
                .variants
                .iter()
                .filter(|v| v.content.is_some())
                .map(|v| v.name.part());
            let names: Vec<&str> = names.collect();
            let path = at.path().join(Step::Key(key.clone()));
            let issue = unknown_key(path, &key, &names);
            at.state().push(issue);
            return Ok(None);
        }
        if nulls == 1 && count == 0 {
            // The only key: its variant is meant, whatever may be said against its content.
            null = null.or(other_null);
        }
        match null {
            Some((index, content, name)) if count == 0 => {
                count = 1;
                out = at.below(Way::Key(name), content, |at| {
                    U::read(index, &Value::Null, at).map_err(A::Error::custom)
                })?;
            }
            Some((_, _, name)) => null_of_another(name, &mut at),
            None => {}
        }
        if count != 1 {
            let words = expected(at.schema());
            at.issue(
                IssueKind::NoVariant,
                words,
                format!("an object of {count} keys"),
            );
            return Ok(None);
        }
        Ok(out)
    }
}

/// A value, and `None` for null where that stands for an absent one.
struct UnlessNull<S> {
    strict: bool,
    seed: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for UnlessNull<S> {
    type Value = Option<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        if self.strict {
            source.deserialize_option(self)
        } else {
            self.seed.deserialize(source).map(Some)
        }
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for UnlessNull<S> {
    type Value = Option<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        self.seed.deserialize(source).map(Some)
    }
}
