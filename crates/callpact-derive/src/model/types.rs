//! Facts from the tokens of a type: whether it contains itself, which parameters it uses.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, GenericParam, Generics, Ident, PathArguments, PathSegment, Type, TypePath,
    visit_mut::{self, VisitMut},
};

/// The names of the type and const parameters.
pub(crate) fn params(generics: &Generics) -> Vec<&Ident> {
    generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => Some(&param.ident),
            GenericParam::Const(param) => Some(&param.ident),
            GenericParam::Lifetime(_) => None,
        })
        .collect()
}

/// The span of the first identifier that matches.
pub(crate) fn find_name(tokens: TokenStream, is: &impl Fn(&Ident) -> bool) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) if is(&ident) => Some(ident.span()),
        TokenTree::Group(group) => find_name(group.stream(), is),
        _ => None,
    })
}

/// The names of types without fields, and of what can be around them.
const PLAIN: &[&str] = &[
    "std",
    "collections",
    "BTreeMap",
    "HashMap",
    "Option",
    "String",
    "Vec",
    "bool",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
];

/// Whether the type is written with names of plain types only.
pub(crate) fn has_plain_name(ty: &Type) -> bool {
    let is_other = |name: &Ident| !PLAIN.iter().any(|plain| name == plain);
    find_name(ty.to_token_stream(), &is_other).is_none()
}

/// Whether the type contains one of these names.
pub(crate) fn mentions(ty: &Type, names: &[&Ident]) -> bool {
    find_name(ty.to_token_stream(), &|ident| names.contains(&ident)).is_some()
}

/// The parameters in a type, such as `T`, and their associated types, such as `T::Item` or
/// `<T as Iterator>::Item`.
pub(crate) fn uses(ty: &Type, params: &[&Ident]) -> Vec<TypePath> {
    let mut found = Vec::new();
    walk(ty, &mut |ty| {
        let Type::Path(path) = &*ty else {
            return false;
        };
        let takes = match &path.qself {
            None => path
                .path
                .segments
                .first()
                .is_some_and(|first| params.contains(&&first.ident)),
            Some(_) => mentions(ty, params),
        };
        if takes {
            found.push(path.clone());
        }
        takes
    });
    found
}

/// The type with `Self` written out, since parts of the type are used in other impls.
pub(crate) fn spell_out_self(ty: &Type, itself: &Type) -> Type {
    let tokens = ty.to_token_stream();
    if find_name(tokens.clone(), &|name| name == "Self").is_none() {
        return ty.clone();
    }
    let spelled_out = replace_self(tokens, &itself.to_token_stream());
    syn::parse2(spelled_out).unwrap_or_else(|_| ty.clone())
}

fn replace_self(tokens: TokenStream, itself: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(ident) if ident == "Self" => {
                // `Self::Name` needs the brackets, and `Self` alone must not have them.
                let path =
                    matches!(trees.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                out.extend(if path {
                    quote!(<#itself>)
                } else {
                    itself.clone()
                });
            }
            TokenTree::Group(group) => {
                let inside = replace_self(group.stream(), itself);
                let mut new = Group::new(group.delimiter(), inside);
                new.set_span(group.span());
                out.extend([TokenTree::Group(new)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// Whether the type is the container, or contains it.
pub(crate) fn holds_itself(ty: &Type, container: &Ident) -> bool {
    let mut found = false;
    walk(ty, &mut |ty| {
        found |= is_named(ty, container);
        found
    });
    found
}

/// The type with every mention of the container changed. If there is none, the recursion goes through
/// another type, and every innermost type is changed.
pub(crate) fn open(ty: &Type, container: &Ident, change: &mut dyn FnMut(&mut Type)) -> Type {
    let itself = holds_itself(ty, container);
    walk(ty, &mut |ty| {
        let here = if itself {
            is_named(ty, container)
        } else {
            is_innermost(ty)
        };
        if here {
            change(ty);
        }
        here
    })
}

/// Whether a type is this name. A path of several segments may be another type with this name.
fn is_named(ty: &Type, name: &Ident) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    let segments = &path.path.segments;
    let first = segments.first().is_some_and(|first| first.ident == *name);
    path.qself.is_none() && segments.len() == 1 && first
}

/// Whether a type is a path without type arguments.
fn is_innermost(ty: &Type) -> bool {
    let Type::Path(path) = ty else {
        return false;
    };
    match path.path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(args)) => {
            let is_type = |arg: &GenericArgument| matches!(arg, GenericArgument::Type(_));
            !args.args.iter().any(is_type)
        }
        _ => true,
    }
}

/// Visits a type and the types inside it. `visit` may change each, and returns whether to skip the
/// types inside.
fn walk(ty: &Type, visit: &mut dyn FnMut(&mut Type) -> bool) -> Type {
    struct Walk<'a>(&'a mut dyn FnMut(&mut Type) -> bool);

    impl VisitMut for Walk<'_> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            if !(self.0)(ty) {
                visit_mut::visit_type_mut(self, ty);
            }
        }
    }

    let mut out = ty.clone();
    Walk(visit).visit_type_mut(&mut out);
    out
}

/// The type inside parentheses and the invisible groups that `macro_rules!` adds.
pub(crate) fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        _ => ty,
    }
}

/// The last segment of a path.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ungroup(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// Whether the type is a list by its name, also inside an `Option`.
pub(crate) fn is_list(ty: &Type) -> bool {
    match ungroup(inside_option(ty).unwrap_or(ty)) {
        Type::Array(_) => true,
        ty => last_segment(ty).is_some_and(|last| {
            [
                "Vec",
                "VecDeque",
                "LinkedList",
                "HashSet",
                "BTreeSet",
                "IndexSet",
            ]
            .iter()
            .any(|name| last.ident == name)
        }),
    }
}

/// The `T` of `Option<T>`.
pub(crate) fn inside_option(ty: &Type) -> Option<&Type> {
    last_segment(ty).filter(|last| last.ident == "Option")?;
    first_argument(ty)
}

/// The first type between the brackets of a type.
pub(crate) fn first_argument(ty: &Type) -> Option<&Type> {
    let last = last_segment(ty)?;
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}
