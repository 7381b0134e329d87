//! The defaults that the model is shown: literals, variants of plain enums, constant numbers.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Expr, ExprPath, Type, ext::IdentExt, spanned::Spanned};

use crate::{
    attrs::values::DefaultValue,
    model::{
        declaration::{FieldModel, InputModel, VariantModel},
        types,
    },
};

/// The default as a reference to a `Literal`, with its span, if the value is a literal or a constant.
pub(crate) fn literal_default(field: &FieldModel) -> Option<(Span, TokenStream)> {
    let expr = match field.default.as_ref()? {
        DefaultValue::Literal(value) => {
            let literal = value.kind.tokens();
            return Some((value.span, quote!(&#literal)));
        }
        DefaultValue::Expression(expr) => expr,
        DefaultValue::Trait(_) | DefaultValue::Function(_) => return None,
    };
    let (expr, ty) = inside_some(expr, field)?;
    let number = types::last_segment(ty)?.ident.to_string();
    let kind = match number.as_str() {
        "bool" => quote!(Boolean(__default)),
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => {
            quote!(Integer(__default as i128))
        }
        _ => return None,
    };
    let literal = quote!(const {
        let __default: #ty = #expr;
        &__private::Literal::#kind
    });
    is_constant(expr).then(|| (expr.span(), literal))
}

/// The default as the name of a variant, with the const that lists the names of the type.
pub(crate) fn named_default(field: &FieldModel) -> Option<(TokenStream, String)> {
    let DefaultValue::Expression(expr) = field.default.as_ref()? else {
        return None;
    };
    let (
        Expr::Path(ExprPath {
            path, qself: None, ..
        }),
        ty,
    ) = inside_some(expr, field)?
    else {
        return None;
    };
    let name = path.segments.last().filter(|_| path.segments.len() > 1)?;
    Some((quote!(<#ty>::__VARIANTS), name.ident.unraw().to_string()))
}

/// The expression inside `Some(…)` and the type inside `Option<…>`; both unchanged for any other type.
/// `None` for a field with `with`, whose schema is that of another type.
fn inside_some<'a>(expr: &'a Expr, field: &'a FieldModel) -> Option<(&'a Expr, &'a Type)> {
    if field.attrs.with.is_some() {
        return None;
    }
    match (expr, types::inside_option(&field.ty)) {
        (_, None) => Some((expr, &field.ty)),
        (Expr::Call(call), Some(ty)) => {
            let some = matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some"));
            call.args
                .first()
                .filter(|_| some)
                .map(|inside| (inside, ty))
        }
        _ => None,
    }
}

/// Whether an expression consists only of literals and constants.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.chars().all(|c| !c.is_lowercase())
        }),
        Expr::Unary(unary) => is_constant(&unary.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Paren(paren) => is_constant(&paren.expr),
        Expr::Group(group) => is_constant(&group.expr),
        _ => false,
    }
}

/// An inherent const with the names of the variants, in Rust and on the wire.
pub(crate) fn variants(model: &InputModel, variants: &[VariantModel]) -> TokenStream {
    let ident = &model.ident;
    let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
    let names = variants.iter().map(|variant| {
        let (rust, wire) = (variant.ident.unraw().to_string(), &variant.name);
        quote!((#rust, #wire))
    });
    quote! {
        impl #impl_generics #ident #type_generics #where_clause {
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const __VARIANTS: __private::VariantNames = &[#(#names),*];
        }
    }
}
