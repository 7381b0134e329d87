//! Values inside attributes: numbers, strings, lists, functions.

use darling::FromMeta;
use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp, spanned::Spanned};

/// A literal, with its place.
#[derive(Clone, Debug)]
pub(crate) struct Value {
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
    fn of(expr: &Expr) -> Option<Self> {
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
            Expr::Array(array) => array
                .elems
                .iter()
                .map(Self::of)
                .collect::<Option<_>>()
                .map(Self::List),
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

    #[allow(clippy::cast_precision_loss)] // for comparing two bounds
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }
}

impl FromMeta for Value {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let span = expr.span();
        ValueKind::of(expr)
            .map(|kind| Self { kind, span })
            .ok_or_else(|| {
                darling::Error::custom(
                    "expected a literal: a number, a string, true, false, or a list of these",
                )
                .with_span(&span)
            })
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a value: `= …`"))
    }
}

/// A number.
#[derive(Clone, Debug)]
pub(crate) struct NumberValue(pub(crate) Value);

impl FromMeta for NumberValue {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let value = Value::from_expr(expr)?;
        if value.kind.as_number().is_none() {
            return Err(darling::Error::custom("expected a number: `= 5`").with_span(&value.span));
        }
        Ok(Self(value))
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a number: `= 5`"))
    }
}

/// A count of characters or items.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

impl FromMeta for Count {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let span = expr.span();
        match ValueKind::of(expr) {
            Some(ValueKind::Integer(value)) => u64::try_from(value).ok(),
            _ => None,
        }
        .map(|value| Self { value, span })
        .ok_or_else(|| darling::Error::custom("expected a count: `= 5`").with_span(&span))
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a count: `= 5`"))
    }
}

/// A string, with its place.
#[derive(Clone, Debug)]
pub(crate) struct Str {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl FromMeta for Str {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let span = expr.span();
        match ValueKind::of(expr) {
            Some(ValueKind::Text(value)) => Ok(Self { value, span }),
            _ => Err(darling::Error::custom("expected a string: `= \"…\"`").with_span(&span)),
        }
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a string: `= \"…\"`"))
    }
}

/// `true`, `false`, or the bare word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    pub(crate) value: bool,
    pub(crate) span: Span,
}

impl FromMeta for Switch {
    fn from_meta(item: &syn::Meta) -> darling::Result<Self> {
        let span = item.span();
        match item {
            syn::Meta::Path(_) => Ok(Self { value: true, span }),
            syn::Meta::NameValue(pair) => match ValueKind::of(&pair.value) {
                Some(ValueKind::Boolean(value)) => Ok(Self { value, span }),
                _ => Err(darling::Error::custom("expected true or false").with_span(&pair.value)),
            },
            syn::Meta::List(_) => {
                Err(darling::Error::custom("expected true or false").with_span(item))
            }
        }
    }
}

/// A path, written bare or in quotes as serde wants it.
#[derive(Clone, Debug)]
pub(crate) struct PathValue(pub(crate) syn::Path);

impl FromMeta for PathValue {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let error = || darling::Error::custom("expected a path: `= path::to::it`").with_span(expr);
        match expr {
            Expr::Path(path) => Ok(Self(path.path.clone())),
            Expr::Group(group) => Self::from_expr(&group.expr),
            _ => match ValueKind::of(expr) {
                Some(ValueKind::Text(text)) => syn::parse_str(&text).map(Self).map_err(|_| error()),
                _ => Err(error()),
            },
        }
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a path: `= path::to::it`"))
    }
}

/// A type, written bare or in quotes.
#[derive(Clone, Debug)]
pub(crate) struct TypeValue(pub(crate) syn::Type);

impl FromMeta for TypeValue {
    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        let ty = match ValueKind::of(expr) {
            Some(ValueKind::Text(text)) => syn::parse_str(&text),
            _ => syn::parse2(quote!(#expr)),
        };
        ty.map(Self)
            .map_err(|_| darling::Error::custom("expected a type: `with = Type`").with_span(expr))
    }

    fn from_word() -> darling::Result<Self> {
        Err(darling::Error::custom("expected a type: `with = Type`"))
    }
}

/// What fills a field that was left out.
#[derive(Clone, Debug)]
pub(crate) enum DefaultValue {
    /// `default`: the type's own.
    Trait(Span),
    /// A literal, shown to the model.
    Literal(Value),
    /// A function that makes it.
    Function(syn::Path),
    /// A constant or a variant.
    Constant(Expr),
}

impl DefaultValue {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Trait(span) => *span,
            Self::Literal(value) => value.span,
            Self::Function(path) => path.span(),
            Self::Constant(expr) => expr.span(),
        }
    }
}

impl FromMeta for DefaultValue {
    fn from_meta(item: &syn::Meta) -> darling::Result<Self> {
        match item {
            syn::Meta::Path(path) => Ok(Self::Trait(path.span())),
            syn::Meta::NameValue(pair) => Self::from_expr(&pair.value),
            syn::Meta::List(_) => {
                Err(darling::Error::custom("expected a value: `default = …`").with_span(item))
            }
        }
    }

    fn from_expr(expr: &Expr) -> darling::Result<Self> {
        match expr {
            Expr::Path(path) => {
                // A function starts in lower case; a constant or a variant does not.
                let name = path.path.segments.last().map(|last| last.ident.to_string());
                let function = name
                    .is_some_and(|name| name.starts_with(|c: char| c.is_lowercase() || c == '_'));
                Ok(if function {
                    Self::Function(path.path.clone())
                } else {
                    Self::Constant(expr.clone())
                })
            }
            Expr::Group(group) => Self::from_expr(&group.expr),
            _ => Value::from_expr(expr).map(Self::Literal).map_err(|_| {
                darling::Error::custom(
                    "expected a literal, or the path of a function or a constant: `default = path`",
                )
                .with_span(expr)
            }),
        }
    }
}
