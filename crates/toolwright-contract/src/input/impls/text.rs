//! Strings, and types that are read from a string.

use std::{borrow::Cow, net, path::PathBuf, rc::Rc, sync::Arc};

use serde::de::Deserializer;

use crate::{
    input::{
        At, IssueKind, ToolInput,
        at::Found,
        json::{Broken, Json},
        leaks, meant,
        visit::{Take, text, visit},
    },
    schema::{Choice, Kind, Schema, Text},
    text::{nearest, quoted},
};

/// Takes a string; `OWN` when no field adds a rule to those of the type.
struct TakeText<const OWN: bool>;

impl<const OWN: bool> TakeText<OWN> {
    /// Whether nothing is asked of the string.
    #[inline]
    fn is_free(at: &At<'_>) -> bool {
        !at.repairs() && (OWN || at.schema().takes_any_text())
    }
}

impl<const OWN: bool> Take for TakeText<OWN> {
    type Out = String;

    #[inline]
    fn text(self, value: &str, at: At<'_>) -> Option<String> {
        if Self::is_free(&at) {
            return Some(value.to_owned());
        }
        ruled(value, at)
    }

    #[inline]
    fn string(self, value: String, at: At<'_>) -> Option<String> {
        if Self::is_free(&at) {
            return Some(value);
        }
        ruled(&value, at)
    }

    #[cold]
    #[inline(never)]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<String> {
        let hint = Some("put it in quotes".to_owned());
        at.fault_with(IssueKind::WrongType, &Found::Integer(value), hint);
        None
    }
}

/// A string under the repairing policy: never changed, except from a closed list where only one
/// value can be meant; refused where markup of the call leaked into it.
#[cold]
fn looked_at(value: &str, at: &mut At<'_>) -> Option<String> {
    leaks::look_for_markup(value, at);
    if let Kind::Text(Text { choices, .. }) = &at.schema().kind
        && !choices.iter().any(|choice| choice.name == value)
        && let Some(name) = meant::choice_by_case(value, choices.part(), at)
    {
        return Some(name.to_owned());
    }
    fits(value, at.reborrow()).then(|| value.to_owned())
}

#[inline(never)]
fn ruled(value: &str, mut at: At<'_>) -> Option<String> {
    if at.repairs() {
        return looked_at(value, &mut at);
    }
    fits(value, at).then(|| value.to_owned())
}

/// Whether a string follows the rules of its schema; reports what it does not.
fn fits(value: &str, mut at: At<'_>) -> bool {
    match &at.schema().kind {
        Kind::Text(rules) => follows(value, rules, &mut at),
        _ => true,
    }
}

fn follows(value: &str, rules: &'static Text, at: &mut At<'_>) -> bool {
    if !rules.choices.is_empty() && !rules.choices.iter().any(|choice| choice.name == value) {
        not_a_choice(value, rules.choices.part(), at);
        return false;
    }
    if rules.min_length.is_some() || rules.max_length.is_some() {
        let length = value.chars().count() as u64;
        if rules.min_length.is_some_and(|min| length < min)
            || rules.max_length.is_some_and(|max| length > max)
        {
            wrong_length(value, length, at);
            return false;
        }
    }
    if let Some(pattern) = &rules.pattern
        && !pattern.is_match(value)
    {
        at.fault(IssueKind::Pattern, &Found::Text(value));
        return false;
    }
    true
}

#[cold]
fn wrong_length(value: &str, length: u64, at: &mut At<'_>) {
    // Long texts say their length already, and that of a secret is nobody's business.
    let hint = (length <= 60 && length > 0 && !at.secret()).then(|| {
        format!(
            "it has {length} character{}",
            if length == 1 { "" } else { "s" }
        )
    });
    at.fault_with(IssueKind::Length, &Found::Text(value), hint);
}

/// Reports a value outside a closed list, with the nearest one of it.
#[cold]
pub(super) fn not_a_choice(value: &str, choices: &'static [Choice], at: &mut At<'_>) {
    let hint = nearest(value, choices.iter().map(|choice| choice.name.part()))
        .filter(|_| !at.secret())
        .map(|name| format!("did you mean {}?", quoted(name)));
    at.fault_with(IssueKind::NotAChoice, &Found::Text(value), hint);
}

impl ToolInput for String {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::ANY));

    fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
        visit(source, TakeText::<false>, at)
    }

    fn read_own<'de, D: Deserializer<'de>>(
        source: D,
        at: At<'_>,
    ) -> Result<Option<Self>, D::Error> {
        visit(source, TakeText::<true>, at)
    }

    fn read_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        text(json, TakeText::<false>, at)
    }

    fn read_own_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
        text(json, TakeText::<true>, at)
    }
}

macro_rules! from_string {
    ($($type:ty),*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = String::SCHEMA;

            fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
                Ok(String::read(source, at)?.map(Self::from))
            }

            fn read_text(json: &mut Json<'_>, at: At<'_>) -> Result<Option<Self>, Broken> {
                Ok(String::read_text(json, at)?.map(Self::from))
            }
        }
    )*};
}

from_string!(Box<str>, Rc<str>, Arc<str>, PathBuf);

impl ToolInput for Cow<'static, str> {
    const SCHEMA: &'static Schema = String::SCHEMA;

    fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
        Ok(String::read(source, at)?.map(Self::Owned))
    }
}

impl ToolInput for char {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text {
        min_length: Some(1),
        max_length: Some(1),
        ..Text::ANY
    }));

    fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
        // The schema allows exactly one character.
        Ok(String::read(source, at)?.and_then(|text| text.chars().next()))
    }
}

/// Reads a type from its text form.
pub(crate) fn read_form<'de, D: Deserializer<'de>, T>(
    source: D,
    mut at: At<'_>,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    Ok(String::read(source, at.reborrow())?.and_then(|text| {
        parse(&text).or_else(|| {
            at.fault(IssueKind::Pattern, &Found::Text(&text));
            None
        })
    }))
}

macro_rules! addresses {
    ($($type:ty: $form:literal;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::form($form)));

            fn read<'de, D: Deserializer<'de>>(source: D, at: At<'_>) -> Result<Option<Self>, D::Error> {
                read_form(source, at, |text| text.parse().ok())
            }
        }
    )*};
}

addresses! {
    net::IpAddr: "an IPv4 or IPv6 address";
    net::Ipv4Addr: "an IPv4 address such as 192.0.2.1";
    net::Ipv6Addr: "an IPv6 address such as 2001:db8::1";
    net::SocketAddr: "an IP address and port such as 192.0.2.1:80";
}

/// A type that the keys of a map are read as: strings, and enums of unit variants.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map",
    label = "the key of this map",
    note = "keys are strings, or an enum of unit variants that derives `ToolInput`"
)]
pub trait MapKey: Sized {
    /// When not empty, the only keys.
    const KEYS: &'static [Choice] = &[];

    /// The key of this text.
    fn from_text(text: &str) -> Option<Self>;

    /// The key that stands at this place in [`KEYS`](Self::KEYS).
    #[doc(hidden)]
    fn nth(number: usize) -> Option<Self> {
        Self::from_text(Self::KEYS.get(number)?.name.part())
    }
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
