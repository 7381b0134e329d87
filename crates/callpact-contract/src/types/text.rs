//! Strings, and types that are read from a string.

use std::{borrow::Cow, net, path::PathBuf, rc::Rc, str::FromStr, sync::Arc};

use super::partial::strings;
use crate::{
    read::{MapKey, PlaceRules, QuickInput, ToolInput, read_text},
    schema::{CheckedValue, CodeFault, Format, Kind, Literal, Schema, Text},
};

impl ToolInput for String {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::ANY));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_text(input, rules, |text| Some(text.into_owned()))
    }

    fn from_literal(literal: &'static Literal) -> Option<Self> {
        match literal {
            Literal::Text(text) => Some(text.part().to_owned()),
            _ => None,
        }
    }
}

macro_rules! from_string {
    ($($type:ty),*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = String::SCHEMA;

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                read_text(input, rules, |text| Some(Self::from(text.into_owned())))
            }
        }

        strings!($type);
    )*};
}

from_string!(Box<str>, Rc<str>, Arc<str>, PathBuf);

impl ToolInput for Cow<'static, str> {
    const SCHEMA: &'static Schema = String::SCHEMA;

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        String::read_quick(input, rules).map(Self::Owned)
    }
}

impl ToolInput for char {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text {
        min_length: Some(1),
        max_length: Some(1),
        ..Text::ANY
    }));

    fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
        read_text(input, rules, |text| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        })
    }
}

/// Types that a function reads from a string, each with its schema. The code of the type decides what is of its form.
macro_rules! read_from_text {
    ($($type:ty: $schema:expr, $parse:expr;)*) => {$(
        $crate::types::text::read_from_text!(@one $type, $schema, $parse);
        $crate::types::partial::whole!($type);
    )*};
    (feature $feature:literal; $($type:ty: $schema:expr, $parse:expr;)*) => {$(
        $crate::types::text::read_from_text!(
            @one $type, $schema, $parse, #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
        );
        $crate::types::partial::whole!($type);
    )*};
    (@one $type:ty, $schema:expr, $parse:expr $(, #[$feature:meta])?) => {
        $(#[$feature])?
        impl $crate::read::ToolInput for $type {
            const SCHEMA: &'static $crate::schema::Schema = &$schema.with_check(|value| {
                let parse: fn(&str) -> Option<Self> = $parse;
                $crate::types::text::check_form(value, |text| parse(text).is_some())
            });

            fn read_quick(
                input: &mut $crate::read::QuickInput<'_>,
                rules: $crate::read::PlaceRules,
            ) -> Option<Self> {
                let parse: fn(&str) -> Option<Self> = $parse;
                $crate::read::read_text(input, rules, |text| parse(&text))
            }
        }
    };
}
pub(super) use read_from_text;

/// The check of a type that is read from a string.
pub(super) fn check_form(
    value: CheckedValue<'_>,
    is_form: impl FnOnce(&str) -> bool,
) -> Result<(), CodeFault> {
    let text = serde_json::from_str::<String>(value.text).unwrap_or_default();
    if is_form(&text) {
        Ok(())
    } else {
        Err(CodeFault::Form)
    }
}

/// The schema of a type with a format, in the words of the type.
pub(super) const fn formatted(format: Format, words: &'static str) -> Schema {
    Schema::of(Kind::Text(Text::formatted(format, words)))
}

/// The schema of a type with a format, in the words of the format.
pub(super) const fn of_format(format: Format) -> Schema {
    formatted(format, format.words())
}

/// The schema of a type whose form has only words.
pub(super) const fn form(words: &'static str) -> Schema {
    Schema::of(Kind::Text(Text::form(words)))
}

fn parse<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

read_from_text! {
    net::IpAddr: form("an IPv4 or IPv6 address"), parse;
    net::Ipv4Addr: of_format(Format::Ipv4), parse;
    net::Ipv6Addr: of_format(Format::Ipv6), parse;
    net::SocketAddr: form("an IP address and port such as 192.0.2.1:80"), parse;
}

macro_rules! keys {
    ($($type:ty),*) => {$(
        impl MapKey for $type {
            fn from_text(text: &str) -> Option<Self> {
                Some(text.into())
            }
        }
    )*};
}

keys!(String, Box<str>, Rc<str>, Arc<str>, PathBuf);

impl MapKey for Cow<'static, str> {
    fn from_text(text: &str) -> Option<Self> {
        Some(Self::Owned(text.to_owned()))
    }
}
