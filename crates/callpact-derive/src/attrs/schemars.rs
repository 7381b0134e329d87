//! The attributes of schemars: each has a meaning here, or is an error that says what to write.

use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use syn::{Attribute, Expr, LitStr, Meta, spanned::Spanned};

use super::{
    errors::AttributeErrors,
    list::{parse_attributes, value, word},
    place::AttributePlace,
    receivers::{FieldAttrs, NestedItems, receive, receivers},
    serde::ValueDirection,
    values::{
        CountValue, NumberValue, SpannedLiteral, SpannedStr, SwitchValue, TypeValue, ValueKind,
    },
};

receivers! {
    /// `#[schemars(…)]`, without the words that schemars shares with serde.
    SchemarsAttrs {
        title: Option<SpannedStr>,
        description: Option<SpannedStr>,
        example: Option<Example>,
        range: Option<NestedItems<Range>>,
        length: Option<NestedItems<Length>>,
        regex: Option<NestedItems<Regex>>,
        pattern: Option<Pattern>,
        required: Option<SwitchValue>,
        with: Option<TypeValue>,
    }

    /// `range(min = 1, max = 5)`.
    Range {
        min: Option<NumberValue>,
        max: Option<NumberValue>,
    }

    /// `length(min = 1, max = 5)`, of text or of a list.
    Length {
        min: Option<CountValue>,
        max: Option<CountValue>,
        equal: Option<CountValue>,
    }

    /// `regex(pattern = "…")`.
    Regex {
        pattern: Option<SpannedStr>,
    }
}

/// `pattern("…")`, or `pattern = "…"`.
#[derive(Clone)]
pub(crate) struct Pattern(SpannedStr);

impl FromMeta for Pattern {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else {
            return SpannedStr::from_meta(item).map(Self);
        };
        let text: LitStr = list.parse_args().map_err(Error::from)?;
        let (value, span) = (text.value(), text.span());
        Ok(Self(SpannedStr { value, span }))
    }
}

/// A literal, or a reference to one.
#[derive(Clone)]
pub(crate) struct Example(SpannedLiteral);

impl FromMeta for Example {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Some(Expr::Reference(reference)) = value(item) else {
            return SpannedLiteral::from_meta(item).map(Self);
        };
        let kind = ValueKind::of(&reference.expr);
        let kind = kind.ok_or_else(|| Error::custom("expected a literal behind the `&`"))?;
        let span = reference.expr.span();
        Ok(Self(SpannedLiteral { kind, span }))
    }
}

/// Reads the attributes of schemars. Returns serde's words among them too, which replace those of serde.
pub(crate) fn read(
    attrs: &[Attribute],
    place: AttributePlace,
    direction: ValueDirection,
    errors: &mut AttributeErrors,
) -> (SchemarsAttrs, Vec<Meta>) {
    let items = parse_attributes(attrs, "schemars", "an attribute of schemars", errors);
    let (mut ours, mut of_serde) = (Vec::new(), Vec::new());
    for item in items {
        let word = word(&item);
        match SchemarsUse::of(&word, place, direction) {
            SchemarsUse::Here => ours.push(item),
            SchemarsUse::AsSerde => of_serde.push(item),
            SchemarsUse::Nowhere => {}
            SchemarsUse::Refused(advice) => {
                let message = format!("`#[schemars({word})]` cannot be honoured here: {advice}");
                errors.at(item.path(), message);
                errors.lose_form();
            }
        }
    }
    (receive(&ours, AttributePlace::Nested, errors), of_serde)
}

/// The use of a word of schemars.
enum SchemarsUse {
    Here,
    AsSerde,
    /// It concerns only the impl that schemars writes, or the other direction.
    Nowhere,
    Refused(&'static str),
}

impl SchemarsUse {
    fn of(word: &str, place: AttributePlace, direction: ValueDirection) -> Self {
        let only = |wanted, otherwise| {
            if direction == wanted {
                Self::AsSerde
            } else {
                otherwise
            }
        };
        match word {
            "crate" | "inline" | "bound" => Self::Nowhere,
            "rename" if place == AttributePlace::Container => Self::Nowhere,
            "default" | "skip_deserializing" | "deny_unknown_fields" => {
                only(ValueDirection::Input, Self::Nowhere)
            }
            "rename" | "rename_all" | "rename_all_fields" | "tag" | "content" | "untagged"
            | "skip" | "flatten" | "transparent" => only(ValueDirection::Input, BY_SERDE),
            "skip_serializing" | "skip_serializing_if" | "into" => match direction {
                ValueDirection::Input => Self::Nowhere,
                ValueDirection::Output => BY_SERDE,
            },
            _ => match advise(word) {
                Some(advice) => Self::Refused(advice),
                None if place == AttributePlace::Field => Self::Here,
                None => match word {
                    "title" | "description" => Self::Here,
                    _ => Self::Refused("write it on a field"),
                },
            },
        }
    }
}

const BY_SERDE: SchemarsUse =
    SchemarsUse::Refused("serde writes the value, so write this in `#[serde(…)]`");

/// What to write instead of a word without a meaning here.
fn advise(word: &str) -> Option<&'static str> {
    Some(match word {
        "email" | "contains" => "write the form as `pattern = \"…\"`",
        "url" => "make the type `url::Url`, or write `pattern = \"…\"`",
        "ip" => "make the type `std::net::IpAddr`",
        "ipv4" => "make the type `std::net::Ipv4Addr`",
        "ipv6" => "make the type `std::net::Ipv6Addr`",
        "inner" => "give the items a type of their own, with `#[tool_param(…)]` on its only field",
        "extend" | "transform" => {
            "the schema has the rules that the reader checks: write them in `#[tool_param(…)]`"
        }
        "schema_with" => "name a type with this schema: `#[tool_param(with = Type)]`",
        "deprecated" => "write it in the description",
        "from" | "try_from" | "remote" => "put `#[tool_param(with = Type)]` on the fields",
        "serialize_with" | "deserialize_with" => "name a type: `#[tool_param(with = Type)]`",
        _ => return None,
    })
}

/// A description below a title, if there is one.
pub(crate) fn add_title(title: Option<SpannedStr>, description: String) -> String {
    match title {
        None => description,
        Some(title) if description.is_empty() => title.value,
        Some(title) => format!("{}\n\n{description}", title.value),
    }
}

impl SchemarsAttrs {
    /// Adds the rules to those of `tool_param`, which come first. A length of a list counts its items.
    pub(crate) fn fill(self, field: &mut FieldAttrs, is_list: bool) {
        let given = &mut field.given;
        let mut note = |word, span| given.push((word, span));
        if let Some(NestedItems(range)) = self.range {
            fill("min", &mut field.min, range.min, &mut note);
            fill("max", &mut field.max, range.max, &mut note);
        }
        if let Some(NestedItems(length)) = self.length {
            let (min, max) = (length.min.or(length.equal), length.max.or(length.equal));
            if is_list {
                fill("min_items", &mut field.min_items, min, &mut note);
                fill("max_items", &mut field.max_items, max, &mut note);
            } else {
                fill("min_length", &mut field.min_length, min, &mut note);
                fill("max_length", &mut field.max_length, max, &mut note);
            }
        }
        let pattern = self.regex.and_then(|regex| regex.0.pattern);
        let pattern = pattern.or(self.pattern.map(|pattern| pattern.0));
        fill("pattern", &mut field.pattern, pattern, &mut note);
        let example = self.example.map(|example| example.0);
        fill("example", &mut field.example, example, &mut note);
        fill("required", &mut field.required, self.required, &mut note);
        fill("with", &mut field.with, self.with, &mut note);
        fill(
            "description",
            &mut field.description,
            self.description,
            &mut note,
        );
    }
}

/// Fills a setting that is not given, and notes it as given.
fn fill<T: HasSpan>(
    word: &'static str,
    setting: &mut Option<T>,
    value: Option<T>,
    note: &mut impl FnMut(&'static str, Span),
) {
    if setting.is_none()
        && let Some(value) = value
    {
        note(word, value.place());
        *setting = Some(value);
    }
}

/// A value that knows its place.
trait HasSpan {
    fn place(&self) -> Span;
}

impl HasSpan for NumberValue {
    fn place(&self) -> Span {
        self.0.span
    }
}

impl HasSpan for TypeValue {
    fn place(&self) -> Span {
        self.0.span()
    }
}

macro_rules! has_span {
    ($($name:ident),*) => {$(
        impl HasSpan for $name {
            fn place(&self) -> Span {
                self.span
            }
        }
    )*};
}

has_span!(CountValue, SpannedStr, SwitchValue, SpannedLiteral);
