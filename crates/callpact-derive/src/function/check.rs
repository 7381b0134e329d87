//! Checks whether a function can be a tool, and reports every mistake.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, GenericParam, Receiver, ReceiverKind, Safety, Signature, Type};

use crate::{
    attrs::errors::{AttributeErrors, nearest},
    model::types,
};

/// Checks the words before the name, the generics and the receiver. Returns whether the function can be called.
pub(crate) fn check_signature(
    signature: &Signature,
    method: bool,
    errors: &mut AttributeErrors,
) -> bool {
    let before = errors.len();
    if let Some(word) = &signature.constness {
        errors.at(word, "a tool runs when a model calls it: remove `const`");
    }
    if let Safety::Unsafe(word) = &signature.safety {
        errors.at(
            word,
            "a model cannot keep the promises of an `unsafe` function: wrap it in a safe one",
        );
    }
    if let Some(word) = &signature.abi {
        errors.at(word, "a tool is an ordinary Rust function: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(
            variadic,
            "a tool has a fixed list of parameters: take a `Vec<T>`",
        );
    }
    for param in &signature.generics.params {
        match param {
            GenericParam::Lifetime(param) => errors.at(
                &param.lifetime,
                "a tool owns its arguments: remove the lifetime, and take `String` instead of `&str`",
            ),
            GenericParam::Type(param) => errors.at(
                &param.ident,
                "a tool has one schema: write a type instead of a type parameter",
            ),
            GenericParam::Const(param) => errors.at(
                &param.ident,
                "a tool has one schema: write a number instead of a const parameter",
            ),
        }
    }
    if let Some(receiver) = signature.receiver()
        && let Some(message) = find_receiver_error(receiver, method)
    {
        errors.at(receiver, message);
    }
    errors.len() == before
}

fn find_receiver_error(receiver: &Receiver, method: bool) -> Option<&'static str> {
    if !method {
        return Some("a method is a tool of its `impl` block: write `#[tools]` on the block");
    }
    match &receiver.kind {
        ReceiverKind::Reference(_, _, Some(_)) => Some(
            "calls run side by side and share the object: write `&self`, and keep what changes in a `Mutex`",
        ),
        ReceiverKind::Reference(_, None, None) => None,
        _ => Some("calls share the object: write `&self`"),
    }
}

/// The error in the type of a parameter from the model.
pub(crate) fn find_type_error(ty: &Type) -> Option<syn::Error> {
    let message = match ty {
        Type::Reference(reference) => {
            let owned = match &*reference.elem {
                Type::Slice(slice) => format!("Vec<{}>", show_type(&slice.elem)),
                Type::Path(path) if path.path.is_ident("str") => "String".to_owned(),
                inner => show_type(inner),
            };
            format!("a tool owns its arguments: take `{owned}`")
        }
        Type::ImplTrait(_) => "an `impl Trait` has no schema: write a type".to_owned(),
        Type::Infer(_) => "a parameter needs a type".to_owned(),
        _ => {
            let message = "a tool owns its arguments: nothing in them can be borrowed";
            return find_borrow(ty.to_token_stream()).map(|span| syn::Error::new(span, message));
        }
    };
    Some(syn::Error::new_spanned(ty, message))
}

/// The error in the return type.
pub(crate) fn find_output_error(ty: &Type) -> Option<syn::Error> {
    let (span, message) =
        if let Some(span) = types::find_name(ty.to_token_stream(), &|word| word == "impl") {
            (
                span,
                "a tool returns a named type: a `ToolResult`, a text, `Json<T>` or a `Result`",
            )
        } else {
            (
                find_borrow(ty.to_token_stream())?,
                "a tool returns owned data: write `String` instead of `&str`",
            )
        };
    Some(syn::Error::new(span, message))
}

/// Checks the name of the tool.
pub(crate) fn check_name(name: &str, span: Span, written: bool, errors: &mut AttributeErrors) {
    let fits = (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !fits {
        let advice = if written {
            ""
        } else {
            ": write `name = \"…\"`"
        };
        errors.span(
            span,
            format!("a tool's name is 1 to 64 letters, digits, `_` and `-`{advice}"),
        );
    }
}

/// Whether rustc reads an attribute of a parameter, so that it stays there. Any other attribute is an
/// error.
pub(crate) fn keep_attribute(attr: &Attribute, errors: &mut AttributeErrors) -> bool {
    let name = attr.path().to_token_stream().to_string();
    match name.as_str() {
        "allow" | "expect" | "warn" | "deny" | "forbid" => return true,
        "cfg" | "cfg_attr" => errors.at(
            attr.path(),
            "a tool has the same parameters everywhere: put the condition on the function",
        ),
        _ => {
            let message = match nearest(&name, &["tool_param", "serde"]) {
                Some(near) => format!("unknown attribute `{name}`: did you mean `{near}`?"),
                None => format!(
                    "`{name}` does not belong on a parameter: write what the model is told in \
                     `#[tool_param(…)]`"
                ),
            };
            errors.at(attr.path(), message);
        }
    }
    false
}

/// The span of a reference or of a lifetime other than `'static`.
fn find_borrow(tokens: TokenStream) -> Option<Span> {
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let next = trees.peek();
        let borrows = match &tree {
            TokenTree::Group(group) => {
                if let Some(span) = find_borrow(group.stream()) {
                    return Some(span);
                }
                false
            }
            // The next iteration checks a lifetime that follows.
            TokenTree::Punct(punct) if punct.as_char() == '&' => {
                !matches!(next, Some(TokenTree::Punct(next)) if next.as_char() == '\'')
            }
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                !matches!(next, Some(TokenTree::Ident(name)) if name == "static")
            }
            _ => false,
        };
        if borrows {
            return Some(tree.span());
        }
    }
    None
}

/// A type as a person would write it.
fn show_type(ty: &Type) -> String {
    ty.to_token_stream()
        .to_string()
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" :: ", "::")
        .replace(" ,", ",")
}
