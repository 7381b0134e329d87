//! `Option`, boxes and shared pointers: they add nothing to the contract but optionality.

use std::{fmt, marker::PhantomData, rc::Rc, sync::Arc};

use serde::de::{Deserializer, Error, Visitor};

use crate::{
    input::{
        At, ToolInput,
        json::{Broken, Json},
    },
    schema::{Schema, nullable},
};

impl<T: ToolInput> ToolInput for Option<T> {
    const SCHEMA: &'static Schema = &nullable(T::SCHEMA);
    const PRESENT: &'static Schema = T::SCHEMA;
    const OPTIONAL: bool = true;
    const AGAIN: &'static Schema = &nullable(T::AGAIN);

    fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
        if !at.optional() {
            return source.deserialize_option(Nullable {
                at,
                type_: PhantomData,
            });
        }
        // A field that may be left out: null is not one of its values, unless the type inside
        // says so once more.
        if at.schema().nullable {
            return at.nullable(|at| Ok(T::read(source, at)?.map(Some)));
        }
        Ok(T::read(source, at)?.map(Some))
    }

    #[inline]
    fn read_own<'de, D: Deserializer<'de>>(
        source: D,
        at: At<'_>,
    ) -> Result<Option<Self>, D::Error> {
        if !at.optional() || T::SCHEMA.nullable {
            return Self::read(source, at);
        }
        Ok(T::read_own(source, at)?.map(Some))
    }

    fn read_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        if !at.optional() {
            if json.null()? {
                return Ok(Some(None));
            }
        } else if at.schema().nullable {
            return at.nullable(|at| some(T::read_text(json, at)));
        }
        some(T::read_text(json, at))
    }

    #[inline]
    fn read_own_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        if !at.optional() || T::SCHEMA.nullable {
            return Self::read_text(json, at);
        }
        some(T::read_own_text(json, at))
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A value that is there.
#[inline]
#[allow(clippy::option_option)] // read or not, and present or not
fn some<T>(read: Result<Option<T>, Broken>) -> Result<Option<Option<T>>, Broken> {
    match read {
        Ok(Some(value)) => Ok(Some(Some(value))),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    }
}

struct Nullable<'a, T> {
    at: At<'a>,
    type_: PhantomData<T>,
}

impl<'de, T: ToolInput> Visitor<'de> for Nullable<'_, T> {
    type Value = Option<Option<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Some(None))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Some(None))
    }

    fn visit_some<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        Ok(T::read(source, self.at)?.map(Some))
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: ToolInput> ToolInput for $pointer<T> {
            const SCHEMA: &'static Schema = T::SCHEMA;
            const PRESENT: &'static Schema = T::PRESENT;
            const OPTIONAL: bool = T::OPTIONAL;
            const AGAIN: &'static Schema = T::AGAIN;

            fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
                Ok(T::read(source, at)?.map(Self::new))
            }

            #[inline]
            fn read_own<'de, D: Deserializer<'de>>(
                source: D,
                at: At<'_>,
            ) -> Result<Option<Self>, D::Error> {
                Ok(T::read_own(source, at)?.map(Self::new))
            }

            fn read_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
                Ok(T::read_text(json, at)?.map(Self::new))
            }

            #[inline]
            fn read_own_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
                Ok(T::read_own_text(json, at)?.map(Self::new))
            }

            fn absent() -> Option<Self> {
                T::absent().map(Self::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);
