//! The meaning of a tool function.

use proc_macro2::Span;
use quote::{format_ident, quote};
use syn::{
    Attribute, Expr, FnArg, Generics, Ident, LitStr, Pat, Path, PathArguments, ReturnType,
    Signature, Type, Visibility, ext::IdentExt, parse::Parser,
};

use super::{attr::ToolAttrs, check, secret_paths::SecretPaths};
use crate::{
    attrs::{
        clap, doc,
        errors::{AttributeErrors, nearest},
        serde::ValueDirection,
    },
    model::{declaration::FieldModel, reader::DeclarationReader, types},
};

/// A function or method that is a tool.
#[allow(clippy::struct_excessive_bools)] // four independent facts
pub(crate) struct ToolFunction {
    pub(crate) attrs: ToolAttrs,
    pub(crate) krate: Path,
    pub(crate) vis: Visibility,
    /// The function.
    pub(crate) ident: Ident,
    /// The struct of a free function.
    pub(crate) structure: Ident,
    pub(crate) name: String,
    pub(crate) name_span: Span,
    pub(crate) description: Expr,
    /// Whether the function runs off the executor.
    pub(crate) blocking: bool,
    pub(crate) secrets: Vec<(String, Span)>,
    pub(crate) params: Vec<FunctionParam>,
    pub(crate) output: Type,
    pub(crate) is_async: bool,
    pub(crate) takes_self: bool,
    /// The `cfg` attributes, repeated on every generated item.
    pub(crate) cfgs: Vec<Attribute>,
    /// Whether generated code can call it. Otherwise that code only keeps the rest of the program compiling.
    pub(crate) callable: bool,
}

/// One parameter of the function, in order.
pub(crate) enum FunctionParam {
    /// The model gives it: a field of the input.
    Given(Box<syn::Field>),
    /// `ToolContext`, `State<T>` or `Cancellation`.
    Injected { what: InjectedParam, ty: Box<Type> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum InjectedParam {
    /// `&ToolContext`
    Borrowed,
    /// `ToolContext`
    Owned,
    /// `State<T>`, which may be missing
    State,
    Cancellation,
}

impl ToolFunction {
    /// Reads a function, and removes the attributes of its parameters.
    pub(crate) fn new(
        mut written: ToolAttrs,
        krate: Path,
        attrs: &[Attribute],
        vis: &Visibility,
        signature: &mut Signature,
        block: Option<&Generics>,
        errors: &mut AttributeErrors,
    ) -> Self {
        let method = block.is_some();
        let mut callable = check::check_signature(signature, method, errors);
        let generics = signature.generics.clone();
        let params_of = ScopeParams {
            function: types::params(&generics),
            block: block.map(types::params).unwrap_or_default(),
        };
        let mut params = Vec::new();
        let takes_self = signature.receiver().is_some();
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(_) => {}
                FnArg::Typed(input) => match read_param(input, &params_of, errors) {
                    Some(param) => params.push(param),
                    None => callable = false,
                },
            }
        }
        let output = match &signature.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => {
                callable &= errors.note(check::find_output_error(ty));
                (**ty).clone()
            }
        };
        let ident = signature.ident.clone();
        let word = ident.unraw().to_string();
        let (name, name_span) = match &written.name {
            Some(name) => (name.value.clone(), name.span),
            None => (word.clone(), ident.span()),
        };
        check::check_name(&name, name_span, written.name.is_some(), errors);
        let description = written.description.take().map(|description| description.0);
        let description = description.unwrap_or_else(|| read_doc_comment(attrs, &ident, errors));
        let secrets = resolve_secrets(written.secrets.take(), &params, errors);
        let structure = written.structure.take().map(|name| name.0);
        let mut structure =
            structure.unwrap_or_else(|| Ident::new(&to_pascal_case(&word), ident.span()));
        if !method && let Some(ty) = find_type_named(signature, &structure) {
            errors.at(
                &ty,
                format!(
                    "`{structure}` is the name of the tool's own struct: give that another, `#[tool(struct = {structure}Tool)]`"
                ),
            );
            structure = format_ident!("__{structure}Tool");
        }
        let blocking = written.blocking.filter(|blocking| blocking.value);
        if let (Some(blocking), Some(_)) = (blocking, &signature.asyncness) {
            errors.span(
                blocking.span,
                "`blocking` belongs on a function that is not `async`: remove one of the two",
            );
        }
        if let Some(text) = written.text.filter(|text| text.value) {
            name_text_param(&mut params, text.span, errors);
        }
        Self {
            attrs: written,
            blocking: blocking.is_some() && signature.asyncness.is_none(),
            krate,
            vis: vis.clone(),
            structure,
            name,
            name_span,
            description,
            secrets,
            params,
            output,
            is_async: signature.asyncness.is_some(),
            takes_self,
            cfgs: attrs
                .iter()
                .filter(|attr| attr.path().is_ident("cfg"))
                .cloned()
                .collect(),
            callable,
            ident,
        }
    }

    /// Whether a call can end before the function runs.
    pub(crate) fn can_halt(&self) -> bool {
        let state = |param: &FunctionParam| matches!(param, FunctionParam::Injected { what, .. } if *what == InjectedParam::State);
        self.params.iter().any(state)
    }
}

/// Gives the only parameter of a tool that takes free text the name that providers are shown.
fn name_text_param(params: &mut [FunctionParam], text: Span, errors: &mut AttributeErrors) {
    let mut given = params.iter_mut().filter_map(|param| match param {
        FunctionParam::Given(field) => Some(field),
        FunctionParam::Injected { .. } => None,
    });
    match (given.next(), given.next()) {
        (Some(field), None) => {
            if field.ident.as_ref().is_none_or(|ident| ident != "input") {
                field
                    .attrs
                    .push(syn::parse_quote!(#[tool_param(rename = "input")]));
            }
        }
        _ => errors.span(text, "a tool with `text` has one parameter, a string"),
    }
}

/// A type in the signature with the name of the generated struct.
fn find_type_named(signature: &Signature, structure: &Ident) -> Option<Type> {
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

/// The doc comment as the description; an error if there is none.
fn read_doc_comment(attrs: &[Attribute], ident: &Ident, errors: &mut AttributeErrors) -> Expr {
    let text = doc::description(attrs);
    if let Some(made) = doc::find_macro(attrs) {
        errors.at(
            made,
            "the text of a macro is not known here: write it as `description = …` in `#[tool(…)]`",
        );
        return syn::parse_quote!("…");
    }
    if text.is_empty() {
        errors.span(
            ident.span(),
            "a tool needs a description for the model: write a doc comment, or \
             `description = \"…\"`",
        );
        return syn::parse_quote!("…");
    }
    let text = LitStr::new(&text, ident.span());
    syn::parse_quote!(#text)
}

/// The type and const parameters in scope.
struct ScopeParams<'a> {
    function: Vec<&'a Ident>,
    block: Vec<&'a Ident>,
}

/// Reads a parameter, and moves its attributes to the field of the input.
fn read_param(
    input: &mut syn::PatType,
    generic: &ScopeParams<'_>,
    errors: &mut AttributeErrors,
) -> Option<FunctionParam> {
    let ty = (*input.ty).clone();
    let (moving, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut input.attrs)
        .into_iter()
        .partition(moves_to_the_field);
    input.attrs = rest
        .into_iter()
        .filter(|attr| check::keep_attribute(attr, errors))
        .collect();
    if let Some(what) = find_injected(&ty) {
        for attr in moving.iter().filter(|attr| !attr.path().is_ident("doc")) {
            errors.at(
                attr.path(),
                "this parameter is injected, and the model does not see it: remove the attribute",
            );
        }
        return Some(FunctionParam::Injected {
            what,
            ty: Box::new(ty),
        });
    }
    // The generics of the function are reported where they are declared.
    let mut sound =
        errors.note(check::find_type_error(&ty)) && !types::mentions(&ty, &generic.function);
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
    let ident = &pattern.ident;
    let field = syn::Field::parse_named.parse2(quote!(#(#moving)* #ident: #ty));
    field
        .ok()
        .filter(|_| sound)
        .map(|field| FunctionParam::Given(Box::new(field)))
}

/// Whether the derive reads an attribute, which then moves to the field.
fn moves_to_the_field(attr: &Attribute) -> bool {
    let ours = ["doc", "tool_param", "tool_input", "serde", "schemars"];
    ours.iter().any(|name| attr.path().is_ident(name)) || clap::is_of_clap(attr)
}

/// Recognizes injected types by the last segment of their path.
fn find_injected(ty: &Type) -> Option<InjectedParam> {
    if let Type::Reference(reference) = types::ungroup(ty) {
        let context = types::last_segment(&reference.elem)?.ident == "ToolContext";
        return (context && reference.mutability.is_none()).then_some(InjectedParam::Borrowed);
    }
    let last = types::last_segment(ty)?;
    let generic = matches!(last.arguments, PathArguments::AngleBracketed(_));
    match (last.ident.to_string().as_str(), generic) {
        ("ToolContext", false) => Some(InjectedParam::Owned),
        ("State", true) => Some(InjectedParam::State),
        ("Cancellation", false) => Some(InjectedParam::Cancellation),
        _ => None,
    }
}

/// Resolves the paths of secrets to names on the wire.
fn resolve_secrets(
    paths: Option<SecretPaths>,
    params: &[FunctionParam],
    errors: &mut AttributeErrors,
) -> Vec<(String, Span)> {
    // The derive reports mistakes in the attributes.
    let mut ignored = AttributeErrors::default();
    let fields: Vec<(&Ident, String, FieldModel)> = given(params)
        .filter_map(|param| {
            let ident = param.ident.as_ref()?;
            let (itself, direction) = (param.ty.clone(), ValueDirection::Input);
            let mut reader = DeclarationReader::alone(ident, itself, direction, &mut ignored);
            let field = reader.field(0, param, None);
            Some((ident, ident.unraw().to_string(), field))
        })
        .collect();
    let Some(SecretPaths(paths)) = paths else {
        for (ident, name, field) in &fields {
            if FieldModel::is(field.attrs.secret) {
                errors.span(
                    ident.span(),
                    format!(
                        "`{name}` is secret: say whether it may hold a reference to one, \
                         `secrets({name})`, or that it may not, `secrets()`"
                    ),
                );
            }
        }
        return Vec::new();
    };
    // A flattened parameter adds names that only the schema knows, so the path is checked there.
    let open = fields.iter().any(|(.., field)| field.flatten.is_some());
    let mut out = Vec::new();
    for path in paths {
        let found = fields.iter().find(|(_, name, field)| {
            let named = if path.on_the_wire { &field.name } else { name };
            *named == path.first
        });
        let first = match found {
            Some((.., field)) => &field.name,
            None if open => &path.first,
            None => {
                let names: Vec<&str> = fields.iter().map(|(_, name, _)| name.as_str()).collect();
                errors.span(path.span, describe_missing(&path.first, &names));
                continue;
            }
        };
        out.push((format!("{first}{}", path.rest), path.span));
    }
    out
}

/// The parameters that the model gives.
pub(crate) fn given(params: &[FunctionParam]) -> impl Iterator<Item = &syn::Field> {
    params.iter().filter_map(|param| match param {
        FunctionParam::Given(field) => Some(&**field),
        FunctionParam::Injected { .. } => None,
    })
}

fn describe_missing(name: &str, names: &[&str]) -> String {
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

/// `web_search` as `WebSearch`.
pub(crate) fn to_pascal_case(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_') {
        let mut chars = word.chars();
        out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(chars.as_str());
    }
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() || out == "Self" {
        return format!("Tool{out}");
    }
    out
}
