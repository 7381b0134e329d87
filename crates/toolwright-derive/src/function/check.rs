//! What a function must be to be a tool. Everything that is wrong is said at once.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, FnArg, GenericParam, Generics, Receiver, ReceiverKind, Safety, Signature, Type,
};

use crate::say::errors::{Errors, nearest};

fn at(place: &impl ToTokens, message: impl std::fmt::Display, errors: &mut Errors) {
    errors.at(&place, message);
}

/// The words before the name, the generics and the receiver.
pub(crate) fn signature(signature: &Signature, method: bool, errors: &mut Errors) -> bool {
    let mut sound = true;
    let mut wrong = |place: &dyn ToTokens, message: &str| {
        errors.at(&place, message);
        sound = false;
    };
    if let Some(word) = &signature.constness {
        wrong(word, "a tool runs when a model calls it: remove `const`");
    }
    if let Safety::Unsafe(word) = &signature.safety {
        wrong(
            word,
            "a model cannot keep the promises of an `unsafe` function: wrap it in a safe one",
        );
    }
    if let Some(word) = &signature.abi {
        wrong(word, "a tool is an ordinary Rust function: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        wrong(
            variadic,
            "a tool has a fixed list of parameters: take a `Vec<T>`",
        );
    }
    for param in &signature.generics.params {
        match param {
            GenericParam::Lifetime(param) => wrong(
                &param.lifetime,
                "a tool owns its arguments: remove the lifetime, and take `String` instead of `&str`",
            ),
            GenericParam::Type(param) => wrong(
                &param.ident,
                "a tool has one schema: write a type instead of a type parameter",
            ),
            GenericParam::Const(param) => wrong(
                &param.ident,
                "a tool has one schema: write a number instead of a const parameter",
            ),
        }
    }
    for input in &signature.inputs {
        if let FnArg::Receiver(receiver) = input
            && let Some(message) = receiver_fault(receiver, method)
        {
            wrong(receiver, message);
        }
    }
    sound
}

fn receiver_fault(receiver: &Receiver, method: bool) -> Option<&'static str> {
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

/// The names of the parameters in a list of generics.
pub(crate) fn names(generics: &Generics) -> Vec<String> {
    generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.to_string()),
            GenericParam::Const(param) => Some(param.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        })
        .collect()
}

/// The type of a parameter that the model gives. A mention of a type parameter was reported
/// where that was declared.
pub(crate) fn ty(ty: &Type, generics: &[String], errors: &mut Errors) -> bool {
    match ty {
        Type::Reference(reference) => {
            let inner = &reference.elem;
            let owned = match &**inner {
                Type::Slice(slice) => {
                    let item = &slice.elem;
                    format!("Vec<{}>", plain(&quote!(#item)))
                }
                inner if quote!(#inner).to_string() == "str" => "String".to_owned(),
                inner => plain(&quote!(#inner)),
            };
            at(
                ty,
                format!("a tool owns its arguments: take `{owned}`"),
                errors,
            );
            return false;
        }
        Type::ImplTrait(_) => {
            at(
                ty,
                "there is no schema of an `impl Trait`: write a type",
                errors,
            );
            return false;
        }
        Type::Infer(_) => {
            at(ty, "a parameter needs a type", errors);
            return false;
        }
        _ => {}
    }
    let tokens = quote!(#ty);
    if let Some(span) = borrowed(&tokens) {
        errors.span(
            span,
            "a tool owns its arguments: nothing in them can be borrowed",
        );
        return false;
    }
    !mentions(&tokens, generics)
}

/// What the function gives back must be a type that can be written down.
pub(crate) fn output(ty: &Type, errors: &mut Errors) -> bool {
    let tokens = quote!(#ty);
    if let Some(span) = word(&tokens, "impl") {
        errors.span(
            span,
            "what a tool gives back is a named type: a `ToolResult`, a text, `Json<T>` or a `Result`",
        );
        return false;
    }
    if let Some(span) = borrowed(&tokens) {
        errors.span(
            span,
            "a tool gives back what it owns: write `String` instead of `&str`",
        );
        return false;
    }
    true
}

/// The name that the model calls it by.
pub(crate) fn name(name: &str, span: Span, written: bool, errors: &mut Errors) {
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

/// Whether the compiler itself reads an attribute of a parameter, so that it may stay there. Any
/// other is a mistake.
pub(crate) fn stays(attr: &Attribute, errors: &mut Errors) -> bool {
    let name = attr.path().to_token_stream().to_string();
    match name.as_str() {
        "allow" | "expect" | "warn" | "deny" | "forbid" => return true,
        "cfg" | "cfg_attr" => at(
            attr.path(),
            "a tool has the same parameters everywhere: put the condition on the function",
            errors,
        ),
        _ => {
            let message = match nearest(&name, &["tool_param", "serde"]) {
                Some(near) => format!("unknown attribute `{name}`: did you mean `{near}`?"),
                None => format!(
                    "`{name}` does not belong on a parameter: what the model is told stands in \
                     `#[tool_param(…)]`"
                ),
            };
            at(attr.path(), message, errors);
        }
    }
    false
}

/// A reference or a lifetime other than `'static`.
fn borrowed(tokens: &TokenStream) -> Option<Span> {
    let mut trees = tokens.clone().into_iter().peekable();
    while let Some(tree) = trees.next() {
        match &tree {
            TokenTree::Group(group) => {
                if let Some(span) = borrowed(&group.stream()) {
                    return Some(span);
                }
            }
            TokenTree::Punct(punct) => {
                let next = trees.peek();
                let borrows = match punct.as_char() {
                    // A lifetime after it is looked at next.
                    '&' => !matches!(next, Some(TokenTree::Punct(next)) if next.as_char() == '\''),
                    '\'' => !matches!(next, Some(TokenTree::Ident(name)) if name == "static"),
                    _ => false,
                };
                if borrows {
                    return Some(punct.span());
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}

fn word(tokens: &TokenStream, wanted: &str) -> Option<Span> {
    tokens.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if ident == wanted => Some(ident.span()),
        TokenTree::Group(group) => word(&group.stream(), wanted),
        _ => None,
    })
}

/// Whether one of the names stands among the tokens.
pub(crate) fn mentions(tokens: &TokenStream, names: &[String]) -> bool {
    names.iter().any(|name| word(tokens, name).is_some())
}

/// Tokens as a person writes them.
fn plain(tokens: &TokenStream) -> String {
    tokens
        .to_string()
        .replace(" < ", "<")
        .replace(" >", ">")
        .replace(" :: ", "::")
        .replace(" ,", ",")
}
