//! The attributes of schemars: each has a meaning here, or is an error that says what to write.

use darling::{Error, FromMeta, Result};
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
            SchemarsUse::Refused(advice) => errors.refuse(&item, "schemars", advice),
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

impl SchemarsAttrs {
    /// Adds the rules to those of `tool_param`, which come first. A length of a list counts its items.
    pub(crate) fn fill(&mut self, field: &mut FieldAttrs, is_list: bool) {
        if let Some(NestedItems(range)) = self.range.take() {
            field.min = field.min.take().or(range.min);
            field.max = field.max.take().or(range.max);
        }
        if let Some(NestedItems(length)) = self.length.take() {
            let (min, max) = if is_list {
                (&mut field.min_items, &mut field.max_items)
            } else {
                (&mut field.min_length, &mut field.max_length)
            };
            *min = min.or(length.min).or(length.equal);
            *max = max.or(length.max).or(length.equal);
        }
        let pattern = self.regex.take().and_then(|regex| regex.0.pattern);
        let pattern = pattern.or(self.pattern.take().map(|pattern| pattern.0));
        field.pattern = field.pattern.take().or(pattern);
        let example = self.example.take().map(|example| example.0);
        field.example = field.example.take().or(example);
        field.required = field.required.or(self.required);
        field.with = field.with.take().or(self.with.take());
        field.description = field.description.take().or(self.description.take());
        let given = self.given.iter().filter(|(word, _)| *word != "title");
        field.given.extend(given);
    }
}
