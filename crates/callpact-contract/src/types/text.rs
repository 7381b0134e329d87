//! Strings, and types that are read from a string.

use std::{borrow::Cow, net, path::PathBuf, rc::Rc, sync::Arc};

use serde_json::Value;

use crate::{
    json::Json,
    read::{
        at::At,
        found::Found,
        input::Input,
        leaks::look_for_markup,
        list::{read_list, read_plain},
        meant::choice_by_case,
        take::{Take, give_text, take_other},
        tool_input::{MapKey, ReadVec, ToolInput},
    },
    report::IssueKind,
    schema::{Fault, Kind, Schema, Text},
};

struct TakeText;

impl Take for TakeText {
    type Out = String;

    fn text(self, value: Cow<'_, str>, at: At<'_>) -> Option<String> {
        if is_free(&at) {
            return Some(value.into_owned());
        }
        read_ruled(&value, at)
    }

    #[cold]
    #[inline(never)]
    fn integer(self, value: i128, mut at: At<'_>) -> Option<String> {
        at.fault(IssueKind::WrongType, &Found::Integer(value));
        None
    }
}

/// Whether every string is taken as it is.
#[inline]
fn is_free(at: &At<'_>) -> bool {
    at.schema().takes_any_text() && !at.repairs()
}

/// Reads a string under the repairing policy. A string is changed only to the one value of a closed list that it can
/// mean. A string into which markup of the call leaked is refused.
#[cold]
fn read_looking(value: &str, at: &mut At<'_>) -> Option<String> {
    let choices = match &at.schema().kind {
        Kind::Text(rules) => rules.choices.part(),
        _ => &[],
    };
    // A string with leaked markup is not a value of a closed list.
    if choices.is_empty() {
        look_for_markup(value, at);
    } else if !choices.iter().any(|choice| choice.name == value)
        && let Some(name) = choice_by_case(value, choices, at)
    {
        return Some(name.to_owned());
    }
    fits(value, at.reborrow()).then(|| value.to_owned())
}

#[inline(never)]
fn read_ruled(value: &str, mut at: At<'_>) -> Option<String> {
    if at.repairs() {
        return read_looking(value, &mut at);
    }
    fits(value, at).then(|| value.to_owned())
}

/// Whether a string follows the rules of its schema; reports the first rule that it breaks.
fn fits(value: &str, mut at: At<'_>) -> bool {
    let Kind::Text(rules) = &at.schema().kind else {
        return true;
    };
    let kind = match rules.broken_rule(value) {
        Fault::None => return true,
        Fault::Choice => IssueKind::NotAChoice,
        Fault::Form => IssueKind::Pattern,
        Fault::Length => {
            wrong_length(value, &mut at);
            return false;
        }
        Fault::Type | Fault::Range | Fault::Step | Fault::Items | Fault::Twice => {
            IssueKind::Invalid
        }
    };
    at.fault(kind, &Found::Text(value));
    false
}

#[cold]
fn wrong_length(value: &str, at: &mut At<'_>) {
    let length = value.chars().count();
    // A long text is shown with its length anyway, and the length of a secret stays hidden.
    let hint = (length <= 60 && length > 0 && !at.secret()).then(|| {
        format!(
            "it has {length} character{}",
            if length == 1 { "" } else { "s" }
        )
        .into()
    });
    at.fault_with(IssueKind::Length, &Found::Text(value), hint);
}

impl ToolInput for String {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::ANY));
    const PLAIN: u64 = 3;

    const READ_VEC: Option<ReadVec<Self>> =
        Some(|input, at| read_texts(input, &at).or_else(|| read_list(input, at)));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        match input.as_string() {
            // Most strings in memory take this branch; reading a text needs more registers.
            Some(text) if is_free(&at) => Some(text.to_owned()),
            _ => read_any_text(input, at),
        }
    }
}

/// Reads a list of strings that follow the rules; `None` for any other list.
#[inline]
fn read_texts(input: &mut Input<'_>, at: &At<'_>) -> Option<Vec<String>> {
    let Kind::List(list) = &at.schema().kind else {
        return None;
    };
    let Kind::Text(rules) = &list.items.kind else {
        return None;
    };
    if at.repairs() {
        return None;
    }
    let takes_any = rules.takes_any();
    let fits = |text: &str| takes_any || rules.broken_rule(text) == Fault::None;
    let scan = |json: &mut Json<'_>| {
        let text = json.next_text()?;
        fits(&text).then(|| text.into_owned())
    };
    let of = |value: &Value| {
        let text = value.as_str()?;
        fits(text).then(|| text.to_owned())
    };
    read_plain(input, at, scan, of)
}

#[inline(never)]
fn read_any_text(input: &mut Input<'_>, at: At<'_>) -> Option<String> {
    match input.next_text() {
        Ok(text) if !text.is_empty() && is_free(&at) => Some(text.into_owned()),
        Ok(text) => give_text(text, TakeText, at),
        Err(form) => take_other(input, form, TakeText, at),
    }
}

macro_rules! from_string {
    ($($type:ty),*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = String::SCHEMA;

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                String::read(input, at).map(Self::from)
            }
        }
    )*};
}

from_string!(Box<str>, Rc<str>, Arc<str>, PathBuf);

impl ToolInput for Cow<'static, str> {
    const SCHEMA: &'static Schema = String::SCHEMA;

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        String::read(input, at).map(Self::Owned)
    }
}

impl ToolInput for char {
    const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text {
        min_length: Some(1),
        max_length: Some(1),
        ..Text::ANY
    }));

    fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
        // The schema allows exactly one character.
        String::read(input, at)?.chars().next()
    }
}

/// Reads a type from its text form.
pub(crate) fn read_form<T>(
    input: &mut Input<'_>,
    mut at: At<'_>,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let text = String::read(input, at.reborrow())?;
    let value = parse(&text);
    if value.is_none() {
        refuse_form(&text, &mut at);
    }
    value
}

#[cold]
fn refuse_form(text: &str, at: &mut At<'_>) {
    let found = Found::Text(text);
    let dated = match &at.schema().kind {
        Kind::Text(rules) => ["a date", "a time with"]
            .iter()
            .any(|words| rules.form.starts_with(words)),
        _ => false,
    };
    let hint = if dated && !at.hides(&found) {
        missing_day(text)
    } else {
        None
    };
    at.fault_with(IssueKind::Pattern, &found, hint.map(Into::into));
}

/// A hint that the day at the start of a text does not exist.
fn missing_day(text: &str) -> Option<String> {
    const MONTHS: [(&str, u32); 12] = [
        ("January", 31),
        ("February", 29),
        ("March", 31),
        ("April", 30),
        ("May", 31),
        ("June", 30),
        ("July", 31),
        ("August", 31),
        ("September", 30),
        ("October", 31),
        ("November", 30),
        ("December", 31),
    ];
    let mut parts = text.get(..10)?.splitn(3, '-');
    let mut number = |digits: usize| -> Option<u32> {
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then_some(())?;
        part.parse().ok()
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    let Some((name, days)) = MONTHS.get(usize::try_from(month).ok()?.wrapping_sub(1)) else {
        return Some(format!("there is no month {month}"));
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    if day == 29 && month == 2 && !leap {
        return Some(format!("there is no 29 February in {year}"));
    }
    (day == 0 || day > *days).then(|| format!("there is no {day} {name}"))
}

macro_rules! addresses {
    ($($type:ty: $form:literal;)*) => {$(
        impl ToolInput for $type {
            const SCHEMA: &'static Schema = &Schema::of(Kind::Text(Text::form($form)));

            fn read(input: &mut Input<'_>, at: At<'_>) -> Option<Self> {
                read_form(input, at, |text| text.parse().ok())
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
