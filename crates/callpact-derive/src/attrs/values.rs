//! Values inside attributes: numbers, strings, lists, paths, types.

use darling::{Error, FromMeta, Result};
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprLit, ExprUnary, Lit, Meta, UnOp, spanned::Spanned};

use super::list::{value, word};

/// An error that shows what to write. darling adds the span of the item.
pub(crate) fn expected(item: &Meta, what: &str, example: &str) -> Error {
    Error::custom(format!("expected {what}: `{} = {example}`", word(item)))
}

/// A literal and its span.
#[derive(Clone, Debug)]
pub(crate) struct SpannedLiteral {
    pub(crate) kind: ValueKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueKind {
    Boolean(bool),
    Integer(i128),
    Number(f64),
    Text(String),
    List(Vec<ValueKind>),
}

impl ValueKind {
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Bool(value) => Some(Self::Boolean(value.value)),
                Lit::Int(value) => value.base10_parse().ok().map(Self::Integer),
                Lit::Float(value) => value
                    .base10_parse()
                    .ok()
                    .filter(|v: &f64| v.is_finite())
                    .map(Self::Number),
                Lit::Str(value) => Some(Self::Text(value.value())),
                Lit::Char(value) => Some(Self::Text(value.value().to_string())),
                _ => None,
            },
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => match Self::of(expr)? {
                Self::Integer(value) => Some(Self::Integer(-value)),
                Self::Number(value) => Some(Self::Number(-value)),
                _ => None,
            },
            Expr::Array(array) => {
                let items: Option<_> = array.elems.iter().map(Self::of).collect();
                items.map(Self::List)
            }
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            _ => None,
        }
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Whether this is a list of whole numbers.
    pub(crate) fn whole_numbers(&self) -> bool {
        let whole = |item: &Self| matches!(item, Self::Integer(_));
        !self.items().is_empty() && self.items().iter().all(whole)
    }

    #[allow(clippy::cast_precision_loss)] // only to compare two bounds
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }
}

/// The literal of an item, if it is one.
fn literal(item: &Meta) -> Option<SpannedLiteral> {
    let expr = value(item)?;
    let (kind, span) = (ValueKind::of(expr)?, expr.span());
    Some(SpannedLiteral { kind, span })
}

impl FromMeta for SpannedLiteral {
    fn from_meta(item: &Meta) -> Result<Self> {
        literal(item).ok_or_else(|| {
            let is_list =
                matches!(item, Meta::List(_)) || matches!(value(item), Some(Expr::Tuple(_)));
            if is_list {
                return expected(item, "a list in brackets", "[…]");
            }
            Error::custom("expected a literal: a number, a string, true, false, or a list of these")
        })
    }
}

/// A number.
#[derive(Clone, Debug)]
pub(crate) struct NumberValue(pub(crate) SpannedLiteral);

impl FromMeta for NumberValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        literal(item)
            .filter(|value| value.kind.as_number().is_some())
            .map(Self)
            .ok_or_else(|| not_a_number(item, "a number"))
    }
}

/// Why a value is not a number, with a hint if there is one.
fn not_a_number(item: &Meta, what: &str) -> Error {
    let expr = value(item).map(unsigned);
    match expr {
        Some(Expr::Lit(ExprLit {
            lit: Lit::Int(_), ..
        })) => Error::custom(
            "a whole number is read in the range of 64 bits: this one lies outside of it",
        ),
        Some(Expr::Lit(ExprLit {
            lit: Lit::Float(_), ..
        })) => Error::custom("this number is larger than any `f64`: write a smaller one"),
        Some(
            Expr::Path(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Call(_) | Expr::MethodCall(_),
        ) => Error::custom(format!(
            "the schema is written from literals, so a constant or a calculation cannot stand here: write the number itself, as in `{} = 5`",
            word(item)
        )),
        _ => expected(item, what, "5"),
    }
}

/// An expression without a sign and parentheses.
fn unsigned(expr: &Expr) -> &Expr {
    match expr {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => unsigned(expr),
        Expr::Paren(paren) => unsigned(&paren.expr),
        Expr::Group(group) => unsigned(&group.expr),
        other => other,
    }
}

/// A count of characters or items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountValue {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

impl From<CountValue> for SpannedLiteral {
    fn from(count: CountValue) -> Self {
        Self {
            kind: ValueKind::Integer(count.value.into()),
            span: count.span,
        }
    }
}

impl FromMeta for CountValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        match literal(item) {
            Some(SpannedLiteral {
                kind: ValueKind::Integer(value),
                span,
            }) => u64::try_from(value).ok().map(|value| Self { value, span }),
            _ => None,
        }
        .ok_or_else(|| match literal(item) {
            Some(_) => expected(item, "a count", "5"),
            None => not_a_number(item, "a count"),
        })
    }
}

/// A string and its span.
#[derive(Clone, Debug)]
pub(crate) struct SpannedStr {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl SpannedStr {
    pub(crate) fn into_parts(self) -> (String, Span) {
        (self.value, self.span)
    }
}

impl FromMeta for SpannedStr {
    fn from_meta(item: &Meta) -> Result<Self> {
        match literal(item) {
            Some(SpannedLiteral {
                kind: ValueKind::Text(value),
                span,
            }) => Ok(Self { value, span }),
            _ => Err(expected(item, "a string", "\"…\"")),
        }
    }
}

/// `true`, `false`, or the bare word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchValue {
    pub(crate) value: bool,
    pub(crate) span: Span,
}

impl FromMeta for SwitchValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let on = match (item, literal(item).map(|value| value.kind)) {
            (Meta::Path(_), _) => true,
            (_, Some(ValueKind::Boolean(value))) => value,
            _ => return Err(Error::custom("expected true or false")),
        };
        let start = item.path().span();
        let end = value(item).and_then(|expr| start.join(expr.span()));
        let span = end.unwrap_or(start);
        Ok(Self { value: on, span })
    }
}

/// A word whose value, if there is one, does not count.
#[derive(Clone, Debug)]
pub(crate) struct BareWord {
    pub(crate) span: Span,
    /// Whether nothing follows the word.
    pub(crate) is_bare: bool,
}

impl FromMeta for BareWord {
    fn from_meta(item: &Meta) -> Result<Self> {
        Ok(Self {
            span: item.path().span(),
            is_bare: matches!(item, Meta::Path(_)),
        })
    }
}

/// The errors of syn as errors of darling, each with its span.
pub(crate) fn split(all: syn::Error) -> Error {
    Error::multiple(all.into_iter().map(Error::from).collect())
}

/// A path, bare or in quotes as in serde.
#[derive(Clone, Debug)]
pub(crate) struct PathValue(pub(crate) syn::Path);

impl FromMeta for PathValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let path = match (value(item), literal(item).map(|value| value.kind)) {
            (Some(Expr::Path(path)), _) => Some(path.path.clone()),
            (_, Some(ValueKind::Text(text))) => syn::parse_str(&text).ok(),
            _ => None,
        };
        path.map(Self)
            .ok_or_else(|| expected(item, "a path", "path::to::it"))
    }
}

/// A type, bare or in quotes.
#[derive(Clone, Debug)]
pub(crate) struct TypeValue(pub(crate) syn::Type);

impl FromMeta for TypeValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let ty = match (value(item), literal(item).map(|value| value.kind)) {
            (_, Some(ValueKind::Text(text))) => syn::parse_str(&text).ok(),
            (Some(expr), _) => syn::parse2(quote!(#expr)).ok(),
            (None, _) => None,
        };
        ty.map(Self).ok_or_else(|| expected(item, "a type", "Type"))
    }
}

/// The value of an absent field.
#[derive(Clone, Debug)]
pub(crate) enum DefaultValue {
    /// `default` alone: the default of the type.
    Trait(Span),
    /// A literal.
    Literal(SpannedLiteral),
    /// The path of a function that returns it.
    Function(syn::Path),
    /// Any other expression, such as a constant or a variant.
    Expression(Expr),
}

impl DefaultValue {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Trait(span) => *span,
            Self::Literal(value) => value.span,
            Self::Function(path) => path.span(),
            Self::Expression(expr) => expr.span(),
        }
    }
}

impl FromMeta for DefaultValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Some(value) = literal(item) {
            return Ok(Self::Literal(value));
        }
        match (item, value(item)) {
            (Meta::Path(path), _) => Ok(Self::Trait(path.span())),
            (_, Some(Expr::Path(path))) if names_a_function(&path.path) => {
                Ok(Self::Function(path.path.clone()))
            }
            (_, Some(expr)) => Ok(Self::Expression(expr.clone())),
            (_, None) => Err(expected(item, "a value", "…")),
        }
    }
}

/// Whether a path names a function, which starts with a lower-case letter, and not a constant or variant.
fn names_a_function(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        name.starts_with(|c: char| c.is_lowercase() || c == '_')
    })
}
