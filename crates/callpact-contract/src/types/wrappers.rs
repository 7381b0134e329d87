//! `Option`, boxes and shared pointers. Only `Option` adds to the contract: optionality.

use std::{rc::Rc, sync::Arc};

use crate::{
    read::{PlaceRules, QuickInput, ToolInput},
    schema::{Schema, nullable},
};

impl<T: ToolInput> ToolInput for Option<T> {
    const SCHEMA: &'static Schema = &nullable(T::SCHEMA);
    const PRESENT: &'static Schema = T::SCHEMA;
    const OPTIONAL: bool = true;
    const AGAIN: &'static Schema = &nullable(T::AGAIN);

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        if input.is_null() {
            return input.take_null().map(|()| None);
        }
        T::read_quick(input, rules).map(Some)
    }

    fn read_present(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        T::read_quick(input, rules).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: ToolInput> ToolInput for $pointer<T> {
            const SCHEMA: &'static Schema = T::SCHEMA;
            const PRESENT: &'static Schema = T::PRESENT;
            const OPTIONAL: bool = T::OPTIONAL;
            const AGAIN: &'static Schema = T::AGAIN;

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                T::read_quick(input, rules).map(Self::new)
            }

            fn read_present(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                T::read_present(input, rules).map(Self::new)
            }

            fn absent() -> Option<Self> {
                T::absent().map(Self::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);
