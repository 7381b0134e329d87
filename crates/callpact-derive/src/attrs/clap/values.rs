//! The values of clap's words.

use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, Meta, RangeLimits, spanned::Spanned};

use crate::attrs::{
    list::value,
    values::{DefaultValue, SpannedLiteral, SpannedStr, ValueKind, expected},
};

/// A text, or an expression whose text is not known here.
#[derive(Clone)]
pub(crate) struct ClapText {
    pub(super) text: Option<String>,
    pub(super) span: Span,
}

impl ClapText {
    pub(super) fn known(self) -> Option<SpannedStr> {
        let span = self.span;
        self.text.map(|value| SpannedStr { value, span })
    }
}

impl FromMeta for ClapText {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value(item).ok_or_else(|| expected(item, "a string", "\"…\""))?;
        let text = match ValueKind::of(expr) {
            Some(ValueKind::Text(text)) => Some(text),
            _ => None,
        };
        Ok(Self {
            text,
            span: expr.span(),
        })
    }
}

/// `long`, or `long = "name"`.
#[derive(Clone)]
pub(crate) struct LongName(pub(super) Option<SpannedStr>);

impl FromMeta for LongName {
    fn from_meta(item: &Meta) -> Result<Self> {
        match item {
            Meta::Path(_) => Ok(Self(None)),
            _ => ClapText::from_meta(item).map(|text| Self(text.known())),
        }
    }
}

/// One name or a list of names.
#[derive(Clone)]
pub(crate) struct ClapNames(pub(super) Vec<SpannedStr>);

impl FromMeta for ClapNames {
    fn from_meta(item: &Meta) -> Result<Self> {
        let SpannedLiteral { kind, span } = SpannedLiteral::from_meta(item)?;
        let name = |kind| match kind {
            ValueKind::Text(value) => Some(SpannedStr { value, span }),
            _ => None,
        };
        let names = match kind {
            ValueKind::List(items) => items.into_iter().filter_map(name).collect(),
            one => name(one).into_iter().collect(),
        };
        Ok(Self(names))
    }
}

/// A value of the field's type; the default of the type without one.
#[derive(Clone)]
pub(crate) struct ClapDefault {
    pub(super) default: DefaultValue,
    pub(super) span: Span,
}

impl FromMeta for ClapDefault {
    fn from_meta(item: &Meta) -> Result<Self> {
        let span = item.path().span();
        let default = match value(item) {
            None => DefaultValue::Trait(span),
            Some(expr) => match ValueKind::of(expr) {
                Some(kind) => DefaultValue::Literal(SpannedLiteral {
                    kind,
                    span: expr.span(),
                }),
                None => DefaultValue::Expression(expr.clone()),
            },
        };
        Ok(Self { default, span })
    }
}

/// Values of a list.
#[derive(Clone)]
pub(crate) struct ClapDefaults(pub(super) DefaultValue);

impl FromMeta for ClapDefaults {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value(item).ok_or_else(|| expected(item, "a list", "[…]"))?;
        Ok(Self(match ValueKind::of(expr) {
            Some(kind @ ValueKind::List(_)) => DefaultValue::Literal(SpannedLiteral {
                kind,
                span: expr.span(),
            }),
            _ => DefaultValue::Expression(syn::parse2(quote! {
                ::core::iter::Iterator::collect(::core::iter::IntoIterator::into_iter(#expr))
            })?),
        }))
    }
}

/// What a flag does with its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClapAction {
    SetFalse,
    Count,
    /// It shows a text and ends the program.
    Show,
    Other,
}

impl FromMeta for ClapAction {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Some(Expr::Path(path)) = value(item) else {
            return Ok(Self::Other);
        };
        let last = path.path.segments.last();
        Ok(match last.map(|last| last.ident.to_string()).as_deref() {
            Some("SetFalse") => Self::SetFalse,
            Some("Count") => Self::Count,
            Some("Help" | "HelpShort" | "HelpLong" | "Version") => Self::Show,
            _ => Self::Other,
        })
    }
}

/// The values that one flag takes.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    /// Whether a list may have any number of items.
    pub(super) is_free: bool,
    pub(super) span: Span,
}

impl FromMeta for Amount {
    fn from_meta(item: &Meta) -> Result<Self> {
        let expr = value(item).ok_or_else(|| expected(item, "a number or a range", "1.."))?;
        let (min, max) = match expr {
            Expr::Range(range) => ends(range),
            one => (RangeEnd::of(one), RangeEnd::of(one)),
        };
        let is_small = matches!(min, RangeEnd::Open | RangeEnd::At(0 | 1));
        let is_large = matches!(max, RangeEnd::Open | RangeEnd::At(1));
        Ok(Self {
            is_free: is_small && is_large,
            span: expr.span(),
        })
    }
}

/// What a parser accepts.
#[derive(Clone)]
pub(crate) enum ValueParser {
    /// The type decides.
    OfType,
    Range {
        min: Option<SpannedLiteral>,
        max: Option<SpannedLiteral>,
    },
    Names(SpannedLiteral),
    NotEmpty(Span),
    /// A function, or numbers that are not known here.
    Unknown(Span),
}

impl FromMeta for ValueParser {
    fn from_meta(item: &Meta) -> Result<Self> {
        value(item)
            .map(Self::of)
            .ok_or_else(|| Error::custom("expected a parser"))
    }
}

impl ValueParser {
    fn of(expr: &Expr) -> Self {
        let unknown = Self::Unknown(expr.span());
        match expr {
            Expr::Array(_) => names(expr).unwrap_or(unknown),
            Expr::Range(range) => bounds(range).unwrap_or(unknown),
            Expr::Macro(_) => Self::OfType,
            Expr::MethodCall(call) if call.method == "range" => match call.args.first() {
                Some(Expr::Range(range)) => bounds(range).unwrap_or(unknown),
                _ => unknown,
            },
            Expr::Call(call) => Self::of_new(expr, call).unwrap_or(unknown),
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            _ => unknown,
        }
    }

    /// One of clap's parsers: `PossibleValuesParser::new(["…"])`.
    fn of_new(expr: &Expr, call: &syn::ExprCall) -> Option<Self> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let parser = path.path.segments.iter().rev().nth(1)?;
        match (parser.ident.to_string().as_str(), call.args.first()) {
            ("PossibleValuesParser", Some(list)) => names(list),
            ("NonEmptyStringValueParser", None) => Some(Self::NotEmpty(expr.span())),
            (name, None) if name.ends_with("ValueParser") => Some(Self::OfType),
            _ => None,
        }
    }
}

fn names(list: &Expr) -> Option<ValueParser> {
    let kind = ValueKind::of(list)?;
    let is_text = |item: &ValueKind| matches!(item, ValueKind::Text(_));
    let span = list.span();
    (!kind.items().is_empty() && kind.items().iter().all(is_text))
        .then_some(ValueParser::Names(SpannedLiteral { kind, span }))
}

/// The bounds of whole numbers, both included.
fn bounds(range: &syn::ExprRange) -> Option<ValueParser> {
    let (min, max) = ends(range);
    let literal = |end, expr: &Option<Box<Expr>>| match end {
        RangeEnd::Open => Some(None),
        RangeEnd::At(number) => {
            let kind = ValueKind::Integer(number);
            let span = expr.as_ref().map_or_else(Span::call_site, Spanned::span);
            Some(Some(SpannedLiteral { kind, span }))
        }
        RangeEnd::Unknown => None,
    };
    Some(ValueParser::Range {
        min: literal(min, &range.start)?,
        max: literal(max, &range.end)?,
    })
}

/// The ends of a range of whole numbers, both included.
fn ends(range: &syn::ExprRange) -> (RangeEnd, RangeEnd) {
    let end = |expr: Option<&Expr>| expr.map_or(RangeEnd::Open, RangeEnd::of);
    let max = match (end(range.end.as_deref()), &range.limits) {
        (RangeEnd::At(max), RangeLimits::HalfOpen(_)) => RangeEnd::At(max.saturating_sub(1)),
        (max, _) => max,
    };
    (end(range.start.as_deref()), max)
}

/// An end of a range.
#[derive(Clone, Copy)]
enum RangeEnd {
    Open,
    At(i128),
    /// A constant or a calculation.
    Unknown,
}

impl RangeEnd {
    fn of(expr: &Expr) -> Self {
        match ValueKind::of(expr) {
            Some(ValueKind::Integer(number)) => Self::At(number),
            _ => Self::Unknown,
        }
    }
}
