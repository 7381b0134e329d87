//! What can be said of a type from its tokens: whether it contains itself, which parameters it uses.

use syn::{
    GenericArgument, Ident, PathArguments, QSelf, Type, TypePath,
    visit_mut::{self, VisitMut},
};

/// Whether one of these names stands in the type.
pub(crate) fn mentions(ty: &Type, names: &[&Ident]) -> bool {
    let mut found = Mentions {
        names,
        found: false,
    };
    found.visit_type_mut(&mut ty.clone());
    found.found
}

struct Mentions<'a> {
    names: &'a [&'a Ident],
    found: bool,
}

impl VisitMut for Mentions<'_> {
    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        self.found |= self.names.iter().any(|name| *ident == **name);
    }
}

/// The parameters that the type uses, `T`, and what it takes from them, `T::Item` or
/// `<T as Iterator>::Item`.
pub(crate) fn uses(ty: &Type, params: &[&Ident]) -> Vec<TypePath> {
    let mut out = Uses {
        params,
        found: Vec::new(),
    };
    out.visit_type_mut(&mut ty.clone());
    out.found
}

struct Uses<'a> {
    params: &'a [&'a Ident],
    found: Vec<TypePath>,
}

impl VisitMut for Uses<'_> {
    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        let takes = match &path.qself {
            None => path
                .path
                .segments
                .first()
                .is_some_and(|first| self.params.contains(&&first.ident)),
            Some(_) => mentions(&Type::Path(path.clone()), self.params),
        };
        if takes {
            self.found.push(path.clone());
            return;
        }
        visit_mut::visit_type_path_mut(self, path);
    }
}

/// The type with `Self` written out, since parts of it end up in other impls.
pub(crate) fn spelled_out(ty: &Type, itself: &Type) -> Type {
    let mut ty = ty.clone();
    SpellOut(itself).visit_type_mut(&mut ty);
    ty
}

struct SpellOut<'a>(&'a Type);

impl VisitMut for SpellOut<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path
                .path
                .segments
                .first()
                .is_some_and(|first| first.ident == "Self")
        {
            if path.path.segments.len() == 1 {
                *ty = self.0.clone();
            } else {
                let segments = path.path.segments.clone().into_iter().skip(1);
                path.path.leading_colon = Some(syn::token::PathSep::default());
                path.path.segments = segments.collect();
                path.qself = Some(QSelf {
                    lt_token: syn::token::Lt::default(),
                    ty: Box::new(self.0.clone()),
                    position: 0,
                    as_token: None,
                    gt_token: syn::token::Gt::default(),
                });
            }
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Whether the type is the container itself or holds it. A path of several segments may be a
/// type of the same name elsewhere.
pub(crate) fn holds_itself(ty: &Type, container: &Ident) -> bool {
    let mut found = false;
    let mut itself = Itself {
        container,
        change: &mut |_| found = true,
    };
    itself.visit_type_mut(&mut ty.clone());
    found
}

/// The type with every mention of the container as what it is `again`, or every innermost type when the
/// recursion goes through another type.
pub(crate) fn opened(ty: &Type, container: &Ident, again: &mut dyn FnMut(&mut Type)) -> Type {
    let mut out = ty.clone();
    if holds_itself(ty, container) {
        Itself {
            container,
            change: again,
        }
        .visit_type_mut(&mut out);
    } else {
        Innermost(again).visit_type_mut(&mut out);
    }
    out
}

struct Itself<'a> {
    container: &'a Ident,
    change: &'a mut dyn FnMut(&mut Type),
}

impl VisitMut for Itself<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && let Some(name) = path.path.segments.first()
            && path.path.segments.len() == 1
            && name.ident == *self.container
        {
            (self.change)(ty);
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

struct Innermost<'a>(&'a mut dyn FnMut(&mut Type));

impl VisitMut for Innermost<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let leaf = match ty {
            Type::Path(path) => {
                path.path
                    .segments
                    .last()
                    .is_none_or(|last| match &last.arguments {
                        PathArguments::AngleBracketed(args) => !args
                            .args
                            .iter()
                            .any(|arg| matches!(arg, GenericArgument::Type(_))),
                        _ => true,
                    })
            }
            _ => false,
        };
        if leaf {
            (self.0)(ty);
        } else {
            visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// The `T` of a type written as `Option<T>`.
pub(crate) fn inside_option(ty: &Type) -> Option<&Type> {
    let path = match ty {
        Type::Path(path) => path,
        // A macro hands a type over in a group.
        Type::Group(group) => return inside_option(&group.elem),
        Type::Paren(paren) => return inside_option(&paren.elem),
        _ => return None,
    };
    let last = path.path.segments.last()?;
    if last.ident != "Option" {
        return None;
    }
    let PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.first()? {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    }
}
