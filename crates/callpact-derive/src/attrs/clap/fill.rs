//! Puts what clap's words mean for a field into the settings of the field.

use proc_macro2::Span;
use syn::{Type, spanned::Spanned};

use super::{
    ClapAttrs,
    values::{ClapAction, ClapText, ValueParser},
};
use crate::attrs::{
    errors::AttributeErrors,
    receivers::FieldAttrs,
    values::{
        CountValue, DefaultValue, NumberValue, SpannedLiteral, SpannedStr, SwitchValue, ValueKind,
    },
};

/// A field of a type that clap reads too.
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(crate) struct ClapField<'a> {
    pub(crate) ty: &'a Type,
    /// The type of one value: that inside `Option`, and that of the items of a list.
    pub(crate) item: &'a Type,
    pub(crate) is_list: bool,
    /// Whether an absent value needs no default: an `Option`, or a field without a key.
    pub(crate) may_be_absent: bool,
    pub(crate) has_docs: bool,
    /// Whether serde's attributes have a default.
    pub(crate) has_default: bool,
}

impl ClapAttrs {
    /// The name that `long` gives a parameter, and its aliases, in the case of parameters.
    pub(crate) fn names(&self) -> (Option<SpannedStr>, Vec<SpannedStr>) {
        let snake = |name: &SpannedStr| SpannedStr {
            value: name.value.replace('-', "_"),
            span: name.span,
        };
        let name = self.long.as_ref().and_then(|long| long.0.as_ref());
        let aliases = self.alias.iter().flat_map(|names| &names.0);
        (name.map(snake), aliases.map(snake).collect())
    }

    /// The name of a variant, and its aliases.
    pub(crate) fn variant_names(
        &mut self,
        has_name: bool,
        errors: &mut AttributeErrors,
    ) -> (Option<SpannedStr>, Vec<SpannedStr>) {
        let name = self.name.take().and_then(|name| {
            let span = name.span;
            let name = name.known();
            if name.is_none() && !has_name {
                errors.span(span, NOT_KNOWN);
            }
            name
        });
        let aliases = std::mem::take(&mut self.alias);
        (
            name,
            aliases.into_iter().flat_map(|names| names.0).collect(),
        )
    }

    /// The text of `about` or `help`, if it is known.
    pub(crate) fn help(&self) -> Option<SpannedStr> {
        self.help.clone().and_then(ClapText::known)
    }

    /// Whether the field or variant is left out.
    pub(crate) fn skipped(&self) -> Option<Span> {
        self.skip.as_ref().map(|skip| skip.span)
    }

    /// Adds the settings to those of `tool_param`, which come first.
    pub(crate) fn fill(
        self,
        field: &mut FieldAttrs,
        of: &ClapField<'_>,
        errors: &mut AttributeErrors,
    ) {
        let on = |span| Some(SwitchValue { value: true, span });
        if let Some(help) = self.help
            && field.description.is_none()
        {
            if help.text.is_none() && !of.has_docs {
                errors.span(help.span, NOT_KNOWN);
            }
            field.description = help.known();
        }
        if let Some(flatten) = self.flatten {
            field.flatten = field.flatten.or(on(flatten.span));
            return;
        }
        if let Some(skip) = self.skip {
            field.skip = field.skip.or(on(skip.span));
            if !matches!(skip.default, DefaultValue::Trait(_)) {
                field.default.get_or_insert(skip.default);
            }
            return;
        }
        fill_parser(self.value_parser, field, errors);
        if let Some(amount) = self.num_args
            && of.is_list
            && !amount.is_free
            && field.min_items.is_none()
            && field.max_items.is_none()
        {
            errors.span(
                amount.span,
                "how many items a list has is not clear from this: write it, `#[tool_param(min_items = …, max_items = …)]`",
            );
        }
        let typed = self.default_value_t.map(|default| default.default);
        let mut default = typed.or(self.default_values_t.map(|list| list.0));
        if let Some(SpannedLiteral { kind, span }) = self.default_value.or(self.default_values) {
            match read_default(&kind, of) {
                Some(kind) => default = Some(DefaultValue::Literal(SpannedLiteral { kind, span })),
                None if field.default.is_none() => errors.span(
                    span,
                    "this text is no value of the type: write the value itself, `default_value_t = …`",
                ),
                None => {}
            }
        }
        let is_required = self.required.filter(|required| required.value);
        field.required = field.required.or(is_required);
        if field.default.is_none() {
            field.default = default;
        }
        let is_given = |switch: Option<SwitchValue>| switch.is_some_and(|switch| switch.value);
        if is_given(field.required) {
            if of.is_list && field.min_items.is_none() {
                let span = is_required.map_or_else(Span::call_site, |required| required.span);
                field.min_items = Some(CountValue { value: 1, span });
            }
            return;
        }
        if self.action == Some(ClapAction::Show) {
            errors.at(
                of.ty,
                "this flag shows a text and ends the program: add `#[tool_param(skip)]`",
            );
        }
        if field.default.is_none() && !of.has_default {
            field.default = default_of_absent(self.action, of);
        }
    }
}

const NOT_KNOWN: &str = "the text is not known here: write it out, or in `#[tool_param(…)]`";

/// The value of a parameter that the command line leaves out without a default.
fn default_of_absent(action: Option<ClapAction>, of: &ClapField<'_>) -> Option<DefaultValue> {
    let span = of.ty.span();
    let boolean = |value| {
        let kind = ValueKind::Boolean(value);
        Some(DefaultValue::Literal(SpannedLiteral { kind, span }))
    };
    if of.may_be_absent {
        return None;
    }
    match action {
        Some(ClapAction::SetFalse) => boolean(true),
        Some(ClapAction::Count) => Some(DefaultValue::Trait(span)),
        _ if name_of(of.ty) == "bool" => boolean(false),
        _ if of.is_list => Some(DefaultValue::Trait(span)),
        _ => None,
    }
}

fn fill_parser(parser: Option<ValueParser>, field: &mut FieldAttrs, errors: &mut AttributeErrors) {
    let has_rules = field.with.is_some()
        || field.pattern.is_some()
        || field.one_of.is_some()
        || field.min_length.is_some()
        || field.max_length.is_some()
        || field.min.is_some()
        || field.max.is_some()
        || field.exclusive_min.is_some()
        || field.exclusive_max.is_some();
    match parser {
        None | Some(ValueParser::OfType) => {}
        Some(_) if has_rules => {}
        Some(ValueParser::Range { min, max }) => {
            field.min = min.map(NumberValue);
            field.max = max.map(NumberValue);
        }
        Some(ValueParser::Names(list)) => field.one_of = Some(list),
        Some(ValueParser::NotEmpty(span)) => field.min_length = Some(CountValue { value: 1, span }),
        Some(ValueParser::Unknown(span)) => errors.span(
            span,
            "what this parser accepts is not known here: name a type that reads the text, `#[tool_param(with = Type)]`, or write its rule, such as `#[tool_param(min = 1, max = 9)]`",
        ),
    }
}

/// The last name of a type.
fn name_of(ty: &Type) -> String {
    match ty {
        Type::Path(path) => {
            let last = path.path.segments.last();
            last.map_or_else(String::new, |last| last.ident.to_string())
        }
        _ => String::new(),
    }
}

/// The texts of a default as values of the type.
fn read_default(written: &ValueKind, of: &ClapField<'_>) -> Option<ValueKind> {
    let texts = match written {
        ValueKind::List(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let name = name_of(of.item);
    let values: Option<Vec<ValueKind>> = texts.iter().map(|text| read_text(text, &name)).collect();
    let mut values = values?;
    if of.is_list {
        return Some(ValueKind::List(values));
    }
    values.pop().filter(|_| values.is_empty())
}

fn read_text(text: &ValueKind, name: &str) -> Option<ValueKind> {
    let ValueKind::Text(text) = text else {
        return None;
    };
    Some(match name {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => ValueKind::Integer(text.parse().ok()?),
        "f32" | "f64" => ValueKind::Number(text.parse().ok().filter(|v: &f64| v.is_finite())?),
        "bool" => ValueKind::Boolean(text.parse().ok()?),
        _ => ValueKind::Text(text.clone()),
    })
}
