//! `Option`, boxes and shared pointers. Only `Option` adds to the contract: optionality.

use std::{rc::Rc, sync::Arc};

use crate::{
    json::{Form, Source},
    read::{at::At, input::Input, tool_input::ToolInput},
    schema::{Ready, Schema, nullable, wrapped},
};

impl<T: ToolInput> ToolInput for Option<T> {
    const SCHEMA: &'static Schema = &nullable(T::SCHEMA);
    const PRESENT: &'static Schema = T::SCHEMA;
    const OPTIONAL: bool = true;
    const AGAIN: &'static Schema = &nullable(T::AGAIN);
    const PLAIN: u64 = wrapped(T::PLAIN, 16);
    // In an option inside an option, null is a value.
    const TEXT: Option<&'static Ready> = if T::OPTIONAL { None } else { T::TEXT };

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        if !at.optional() {
            if input.form() == Form::Null {
                return input.take_word().then_some(None);
            }
        } else if at.schema().nullable {
            // A field that may be left out. Null is one of its values only if the type inside is nullable too.
            return at.nullable(|at| T::read(input, at)).map(Some);
        }
        T::read(input, at).map(Some)
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

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                T::read(input, at).map(Self::new)
            }

            fn absent() -> Option<Self> {
                T::absent().map(Self::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);
