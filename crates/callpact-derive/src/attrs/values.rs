//! Values inside attributes: numbers, strings, lists, paths, types.

use proc_macro2::Span;
use quote::quote;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp, spanned::Spanned};

use super::item::{Form, Item};

/// A value that can be read from an item.
pub(crate) trait Read: Sized {
    fn read(item: &Item) -> syn::Result<Self>;
}

/// A literal and its span.
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
fn literal(item: &Item) -> Option<Value> {
    let expr = item.value()?;
    let (kind, span) = (ValueKind::of(expr)?, expr.span());
    Some(Value { kind, span })
}

impl Read for Value {
    fn read(item: &Item) -> syn::Result<Self> {
        literal(item).ok_or_else(|| {
            let is_list =
                matches!(item.form, Form::List(_)) || matches!(item.value(), Some(Expr::Tuple(_)));
            if is_list {
                return item.expected("a list in brackets", "[…]");
            }
            item.fault("expected a literal: a number, a string, true, false, or a list of these")
        })
    }
}

/// A number.
#[derive(Clone, Debug)]
pub(crate) struct NumberValue(pub(crate) Value);

impl Read for NumberValue {
    fn read(item: &Item) -> syn::Result<Self> {
        literal(item)
            .filter(|value| value.kind.as_number().is_some())
            .map(Self)
            .ok_or_else(|| not_a_number(item, "a number"))
    }
}

/// Why a value is not a number, with a hint if there is one.
fn not_a_number(item: &Item, what: &str) -> syn::Error {
    let expr = item.value().map(unsigned);
    match expr {
        Some(Expr::Lit(ExprLit {
            lit: Lit::Int(_), ..
        })) => item.fault("a whole number is read in the range of 64 bits: this one lies outside of it"),
        Some(Expr::Lit(ExprLit {
            lit: Lit::Float(_), ..
        })) => item.fault("this number is larger than any `f64`: write a smaller one"),
        Some(Expr::Path(_) | Expr::Binary(_) | Expr::Cast(_) | Expr::Call(_) | Expr::MethodCall(_)) => {
            item.fault(format!(
                "the schema is written from literals, so a constant or a calculation cannot stand here: write the number itself, as in `{} = 5`",
                item.name()
            ))
        }
        _ => item.expected(what, "5"),
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
pub(crate) struct Count {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

impl From<Count> for Value {
    fn from(count: Count) -> Self {
        Self {
            kind: ValueKind::Integer(count.value.into()),
            span: count.span,
        }
    }
}

impl Read for Count {
    fn read(item: &Item) -> syn::Result<Self> {
        match literal(item) {
            Some(Value {
                kind: ValueKind::Integer(value),
                span,
            }) => u64::try_from(value).ok().map(|value| Self { value, span }),
            _ => None,
        }
        .ok_or_else(|| match literal(item) {
            Some(_) => item.expected("a count", "5"),
            None => not_a_number(item, "a count"),
        })
    }
}

/// A string and its span.
#[derive(Clone, Debug)]
pub(crate) struct Str {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl Str {
    pub(crate) fn into_parts(self) -> (String, Span) {
        (self.value, self.span)
    }
}

impl Read for Str {
    fn read(item: &Item) -> syn::Result<Self> {
        match literal(item) {
            Some(Value {
                kind: ValueKind::Text(value),
                span,
            }) => Ok(Self { value, span }),
            _ => Err(item.expected("a string", "\"…\"")),
        }
    }
}

/// `true`, `false`, or the bare word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch {
    pub(crate) value: bool,
    pub(crate) span: Span,
}

impl Read for Switch {
    fn read(item: &Item) -> syn::Result<Self> {
        let value = match (&item.form, literal(item).map(|value| value.kind)) {
            (Form::Word, _) => true,
            (_, Some(ValueKind::Boolean(value))) => value,
            _ => return Err(item.fault("expected true or false")),
        };
        let span = match item.value() {
            Some(expr) => item
                .word
                .span()
                .join(expr.span())
                .unwrap_or_else(|| item.word.span()),
            None => item.word.span(),
        };
        Ok(Self { value, span })
    }
}

/// A path, bare or in quotes as in serde.
#[derive(Clone, Debug)]
pub(crate) struct PathValue(pub(crate) syn::Path);

impl Read for PathValue {
    fn read(item: &Item) -> syn::Result<Self> {
        let path = match (item.value(), literal(item).map(|value| value.kind)) {
            (Some(Expr::Path(path)), _) => Some(path.path.clone()),
            (_, Some(ValueKind::Text(text))) => syn::parse_str(&text).ok(),
            _ => None,
        };
        path.map(Self)
            .ok_or_else(|| item.expected("a path", "path::to::it"))
    }
}

/// A type, bare or in quotes.
#[derive(Clone, Debug)]
pub(crate) struct TypeValue(pub(crate) syn::Type);

impl Read for TypeValue {
    fn read(item: &Item) -> syn::Result<Self> {
        let ty = match (item.value(), literal(item).map(|value| value.kind)) {
            (_, Some(ValueKind::Text(text))) => syn::parse_str(&text).ok(),
            (Some(expr), _) => syn::parse2(quote!(#expr)).ok(),
            (None, _) => None,
        };
        ty.map(Self).ok_or_else(|| item.expected("a type", "Type"))
    }
}

/// The value of an absent field.
#[derive(Clone, Debug)]
pub(crate) enum DefaultValue {
    /// `default` alone: the default of the type.
    Trait(Span),
    /// A literal.
    Literal(Value),
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

impl Read for DefaultValue {
    fn read(item: &Item) -> syn::Result<Self> {
        if let Some(value) = literal(item) {
            return Ok(Self::Literal(value));
        }
        match &item.form {
            Form::Word => Ok(Self::Trait(item.word.span())),
            Form::Value(Expr::Path(path)) if names_a_function(&path.path) => {
                Ok(Self::Function(path.path.clone()))
            }
            Form::Value(expr) => Ok(Self::Expression(expr.clone())),
            Form::List(_) => Err(item.expected("a value", "…")),
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
