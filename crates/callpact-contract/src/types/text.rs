//! Strings, and types that are read from a string.

use std::{borrow::Cow, net, path::PathBuf, rc::Rc, str::FromStr, sync::Arc};

use crate::{
    read::{MapKey, PlaceRules, QuickInput, ToolInput, read_text},
    schema::{CheckedValue, CodeFault, CodeRules, Format, Kind, Literal, Schema, Text},
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

/// The check of a type that is read from a string.
pub(crate) fn check_form(
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

/// The schema of a type with a format, whose code decides.
pub(crate) const fn formatted(
    format: Format,
    words: &'static str,
    check: fn(CheckedValue<'_>) -> Result<(), CodeFault>,
) -> Schema {
    let mut schema = Schema::of(Kind::Text(Text::formatted(format, words)));
    schema.code = CodeRules::check(check);
    schema
}

/// The schema of a type whose text form is described in words, and whose code decides.
pub(crate) const fn form(
    words: &'static str,
    check: fn(CheckedValue<'_>) -> Result<(), CodeFault>,
) -> Schema {
    let mut schema = Schema::of(Kind::Text(Text::form(words)));
    schema.code = CodeRules::check(check);
    schema
}

macro_rules! addresses {
    ($($type:ty: $schema:expr;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &$schema;

            fn read_quick(input: &mut QuickInput<'_>, rules: PlaceRules) -> Option<Self> {
                read_text(input, rules, |text| text.parse().ok())
            }
        }
    )*};
}

addresses! {
    net::IpAddr: form("an IPv4 or IPv6 address", check_parsed::<Self>);
    net::Ipv4Addr: formatted(Format::Ipv4, Format::Ipv4.words(), check_parsed::<Self>);
    net::Ipv6Addr: formatted(Format::Ipv6, Format::Ipv6.words(), check_parsed::<Self>);
    net::SocketAddr: form("an IP address and port such as 192.0.2.1:80", check_parsed::<Self>);
}

/// The check of a type that is parsed from a string.
pub(crate) fn check_parsed<T: FromStr>(value: CheckedValue<'_>) -> Result<(), CodeFault> {
    check_form(value, |text| text.parse::<T>().is_ok())
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
