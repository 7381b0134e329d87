//! What a tool function means.

use proc_macro2::Span;
use quote::format_ident;
use syn::{
    Attribute, Expr, FnArg, Generics, Ident, LitStr, Pat, Path, PathArguments, ReturnType,
    Signature, Type, Visibility, ext::IdentExt,
};

use super::{
    attr::{Permission, SecretPaths, ToolAttrs},
    check,
};
use crate::{
    mean::{model::Field, types},
    say::{
        attr::{self, FieldAttrs},
        doc,
        errors::{Errors, nearest},
        serde,
    },
};

/// A function or method that is a tool.
pub(crate) struct Tool {
    pub(crate) krate: Path,
    pub(crate) vis: Visibility,
    /// The function.
    pub(crate) ident: Ident,
    /// The struct of a free function.
    pub(crate) structure: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: Expr,
    pub(crate) permission: Permission,
    pub(crate) secrets: Vec<(String, Span)>,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
    pub(crate) is_async: bool,
    pub(crate) method: Option<Receiver>,
    /// Conditions that everything generated shares.
    pub(crate) cfgs: Vec<Attribute>,
    /// Whether it can be called; otherwise what is generated only keeps the program compiling.
    pub(crate) callable: bool,
}

/// How a method is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    Shared,
    None,
}

/// One parameter of the function, in order.
pub(crate) enum Param {
    /// The model gives it.
    Given {
        ident: Ident,
        ty: Type,
        attrs: Vec<Attribute>,
    },
    /// `ToolContext`, `State<T>` or `Cancellation`.
    Injected { what: Injected, ty: Type },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Injected {
    /// `&ToolContext`
    Borrowed,
    /// `ToolContext`
    Owned,
    /// `State<T>`, which may be missing
    State,
    Cancellation,
}

impl Tool {
    /// Takes what concerns the tool out of the function's signature, and what it means.
    pub(crate) fn new(
        written: ToolAttrs,
        krate: Path,
        attrs: &[Attribute],
        vis: &Visibility,
        signature: &mut Signature,
        block: Option<&Generics>,
        errors: &mut Errors,
    ) -> Self {
        let method = block.is_some();
        let mut callable = check::signature(signature, method, errors);
        let generics = signature.generics.clone();
        let params_of = Generic {
            function: types::params(&generics),
            block: block.map(types::params).unwrap_or_default(),
        };
        let mut params = Vec::new();
        let mut receiver = method.then_some(Receiver::None);
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(_) => receiver = Some(Receiver::Shared),
                FnArg::Typed(input) => match param(input, &params_of, errors) {
                    Some(param) => params.push(param),
                    None => callable = false,
                },
            }
        }
        let output = match &signature.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => {
                callable &= errors.note(check::output_type(ty));
                (**ty).clone()
            }
        };
        let ident = signature.ident.clone();
        let word = ident.unraw().to_string();
        let (name, name_span) = match &written.name {
            Some(name) => (name.value.clone(), name.span),
            None => (word.clone(), ident.span()),
        };
        check::name(&name, name_span, written.name.is_some(), errors);
        let description = written
            .description
            .unwrap_or_else(|| doc_comment(attrs, &ident, errors));
        let secrets = secrets(written.secrets, &params, errors);
        let mut structure = written
            .structure
            .unwrap_or_else(|| Ident::new(&pascal(&word), ident.span()));
        if !method && let Some(ty) = named_alike(signature, &structure) {
            errors.at(
                &ty,
                format!(
                    "`{structure}` is the name of the tool's own struct: give that another, `#[tool(struct = {structure}Tool)]`"
                ),
            );
            structure = format_ident!("__{structure}Tool");
        }
        Self {
            krate,
            vis: vis.clone(),
            structure,
            name,
            name_span,
            description,
            permission: written.permission.0.unwrap_or(Permission::ReadOnly),
            secrets,
            params,
            output,
            is_async: signature.asyncness.is_some(),
            method: receiver,
            cfgs: attrs
                .iter()
                .filter(|attr| attr.path().is_ident("cfg"))
                .cloned()
                .collect(),
            callable,
            ident,
        }
    }

    /// The parameters that the model gives.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&Ident, &Type, &[Attribute])> {
        self.params.iter().filter_map(|param| match param {
            Param::Given { ident, ty, attrs } => Some((ident, ty, attrs.as_slice())),
            Param::Injected { .. } => None,
        })
    }

    /// Whether the call can end before the function is reached.
    pub(crate) fn can_halt(&self) -> bool {
        self.params.iter().any(|param| {
            matches!(
                param,
                Param::Injected {
                    what: Injected::State,
                    ..
                }
            )
        })
    }
}

/// A type in the signature that has the name of the struct, so that there would be two of them.
fn named_alike(signature: &Signature, structure: &Ident) -> Option<Type> {
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(input) => Some(&*input.ty),
    });
    let output = match &signature.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(&**ty),
    };
    inputs
        .chain(output)
        .find(|ty| types::holds_itself(ty, structure))
        .cloned()
}

/// The doc comment, or what to say of its absence.
fn doc_comment(attrs: &[Attribute], ident: &Ident, errors: &mut Errors) -> Expr {
    let text = doc::description(attrs);
    if let Some(made) = doc::made(attrs) {
        errors.at(
            made,
            "the model cannot be told what a macro makes here: write it as `description = …` in `#[tool(…)]`",
        );
        return syn::parse_quote!("…");
    }
    if text.is_empty() {
        errors.span(
            ident.span(),
            "a tool needs a description for the model: write a doc comment on the function, or \
             `description = \"…\"`",
        );
        return syn::parse_quote!("…");
    }
    let text = LitStr::new(&text, ident.span());
    syn::parse_quote!(#text)
}

/// The parameters of types that are in scope.
struct Generic<'a> {
    function: Vec<&'a Ident>,
    block: Vec<&'a Ident>,
}

/// What a parameter is; its attributes move to the field of the input.
fn param(input: &mut syn::PatType, generic: &Generic<'_>, errors: &mut Errors) -> Option<Param> {
    let ty = (*input.ty).clone();
    let (moving, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut input.attrs)
        .into_iter()
        .partition(moved);
    input.attrs = rest
        .into_iter()
        .filter(|attr| check::stays(attr, errors))
        .collect();
    if let Some(what) = injected(&ty) {
        for attr in moving.iter().filter(|attr| !attr.path().is_ident("doc")) {
            errors.at(
                attr.path(),
                "this parameter is injected and no model ever sees it: remove the attribute",
            );
        }
        return Some(Param::Injected { what, ty });
    }
    // A mention of a parameter of the function was reported where that is declared.
    let mut sound =
        errors.note(check::parameter_type(&ty)) && !types::mentions(&ty, &generic.function);
    if types::mentions(&ty, &generic.block) {
        errors.at(
            &ty,
            "a tool has one schema: this type cannot depend on a parameter of the `impl` block",
        );
        sound = false;
    }
    let Pat::Ident(pattern) = &*input.pat else {
        errors.at(
            &input.pat,
            "a parameter needs a name that the model can use: write `name: Type`, and take it \
             apart in the body",
        );
        return None;
    };
    if pattern.by_ref.is_some() || pattern.subpat.is_some() {
        errors.at(
            pattern,
            "a parameter is a plain name here: take it apart in the body",
        );
        return None;
    }
    sound.then(|| Param::Given {
        ident: pattern.ident.clone(),
        ty,
        attrs: moving,
    })
}

/// What the derive reads, and so must stand on the field.
fn moved(attr: &Attribute) -> bool {
    ["doc", "tool_param", "tool_input", "serde"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// Types are known by the last segment of their path, as they are written.
fn injected(ty: &Type) -> Option<Injected> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => {
            (last(&reference.elem)?.0 == "ToolContext").then_some(Injected::Borrowed)
        }
        Type::Group(group) => injected(&group.elem),
        Type::Paren(paren) => injected(&paren.elem),
        _ => {
            let (name, with_arguments) = last(ty)?;
            match (name.as_str(), with_arguments) {
                ("ToolContext", false) => Some(Injected::Owned),
                ("State", true) => Some(Injected::State),
                ("Cancellation", false) => Some(Injected::Cancellation),
                _ => None,
            }
        }
    }
}

/// The last segment of a path, and whether it has type arguments.
fn last(ty: &Type) -> Option<(String, bool)> {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            let arguments = matches!(last.arguments, PathArguments::AngleBracketed(_));
            Some((last.ident.to_string(), arguments))
        }
        Type::Group(group) => last(&group.elem),
        Type::Paren(paren) => last(&paren.elem),
        _ => None,
    }
}

/// The paths on the wire, each of which starts with a parameter.
fn secrets(
    paths: Option<SecretPaths>,
    params: &[Param],
    errors: &mut Errors,
) -> Vec<(String, Span)> {
    let given: Vec<(&Ident, String, Said)> = params
        .iter()
        .filter_map(|param| match param {
            Param::Given { ident, attrs, .. } => {
                Some((ident, ident.unraw().to_string(), Said::of(attrs)))
            }
            Param::Injected { .. } => None,
        })
        .collect();
    let Some(SecretPaths(paths)) = paths else {
        for (ident, own, _) in given.iter().filter(|(.., said)| said.secret) {
            errors.span(
                ident.span(),
                format!(
                    "`{own}` is secret: say whether it may hold a reference to one, \
                     `secrets({own})`, or that it may not, `secrets()`"
                ),
            );
        }
        return Vec::new();
    };
    // A flattened parameter brings names of its own, which are checked against the schema.
    let open = given.iter().any(|(.., said)| said.flatten);
    paths
        .into_iter()
        .filter_map(|path| {
            let found = given.iter().find(|(_, own, said)| {
                let wire = said.rename.as_ref().unwrap_or(own);
                if path.on_the_wire {
                    *wire == path.first
                } else {
                    *own == path.first
                }
            });
            let first = match found {
                Some((_, own, said)) => said.rename.clone().unwrap_or_else(|| own.clone()),
                None if open => path.first,
                None => {
                    let names: Vec<&str> = given.iter().map(|(_, own, _)| own.as_str()).collect();
                    errors.span(path.span, no_parameter(&path.first, &names));
                    return None;
                }
            };
            Some((format!("{first}{}", path.rest), path.span))
        })
        .collect()
}

fn no_parameter(name: &str, names: &[&str]) -> String {
    match (nearest(name, names), names) {
        (Some(near), _) => format!("there is no parameter `{name}`: did you mean `{near}`?"),
        (None, []) => format!("there is no parameter `{name}`: the tool takes none"),
        (None, [only]) => format!("there is no parameter `{name}`: there is only `{only}`"),
        (None, _) => format!(
            "there is no parameter `{name}`: there are `{}`",
            names.join("`, `")
        ),
    }
}

/// What the attributes of a parameter say, as the derive will read them; mistakes in them are its to tell.
struct Said {
    rename: Option<String>,
    flatten: bool,
    secret: bool,
}

impl Said {
    fn of(attrs: &[Attribute]) -> Self {
        let mut errors = Errors::default();
        let own: FieldAttrs = attr::read(attrs, attr::Place::Field, &mut errors);
        let serde = serde::read(attrs, attr::Place::Field, &mut errors);
        Self {
            rename: own.rename.or(serde.rename).map(|name| name.value),
            flatten: Field::is(own.flatten) || serde.flatten.is_some(),
            secret: Field::is(own.secret),
        }
    }
}

/// `web_search` as `WebSearch`.
pub(crate) fn pascal(name: &str) -> String {
    let out: String = name
        .split('_')
        .flat_map(|word| {
            let mut chars = word.chars();
            let first: Vec<char> = chars
                .next()
                .map(|c| c.to_uppercase().collect())
                .unwrap_or_default();
            first.into_iter().chain(chars).collect::<Vec<_>>()
        })
        .collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() || out == "Self" {
        return format!("Tool{out}");
    }
    out
}
