//! `#[derive(CommandTools)]`: the commands of a command line become the methods of a block of tools.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Attribute, Data, DeriveInput, Fields, Ident, MacroDelimiter, Meta, MetaList, Variant,
    ext::IdentExt, token::Paren,
};

use super::{attr::ToolAttrs, block, codegen::allow_lints};
use crate::{
    attrs::{clap, errors::AttributeErrors, place::AttributePlace, receivers},
    model::{case::rename_as_clap, types},
};

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let krate = receivers::krate_of(input);
    let mut errors = AttributeErrors::default();
    let (ident, generics) = (&input.ident, &input.generics);
    let Data::Enum(data) = &input.data else {
        errors.at(
            ident,
            "the commands are an enum: derive `CommandTools` there",
        );
        return errors.into_tokens().unwrap_or_default();
    };
    if let Some(param) = generics.params.first() {
        errors.at(
            param,
            "the commands have one schema each: remove the parameter",
        );
        return errors.into_tokens().unwrap_or_default();
    }
    let commands = data.variants.iter().filter_map(|variant| {
        let marks = variant
            .attrs
            .iter()
            .filter(|attr| attr.path().is_ident("tool"));
        let marks: Vec<&Attribute> = marks.collect();
        let first = marks.first()?;
        Some(method(ident, variant, first, &krate, &mut errors))
    });
    let commands: Vec<TokenStream> = commands.collect();
    if commands.is_empty() {
        errors.at(
            ident,
            "no command is a tool: write `#[tool(read_only)]` on those that are",
        );
        return errors.into_tokens().unwrap_or_default();
    }
    let tools = format_ident!("__{}Tools", ident.unraw());
    let items = quote!(impl #tools { #(#commands)* });
    let items = block::expand(quote!(crate = #krate), &items);
    let quiet = allow_lints();
    let errors = errors.into_tokens();
    quote! {
        #quiet
        const _: () = {
            struct #tools;

            #items

            #[automatically_derived]
            impl #krate::CommandTools for #ident {
                fn tools() -> #krate::toolset::Tools {
                    #krate::ToolProvider::tools(#tools)
                }
            }
        };
        #errors
    }
}

/// A command as a method that runs it.
fn method(
    of: &Ident,
    variant: &Variant,
    mark: &Attribute,
    krate: &syn::Path,
    errors: &mut AttributeErrors,
) -> TokenStream {
    // The other derives report mistakes in these.
    let mut clap = clap::read(
        &variant.attrs,
        AttributePlace::Variant,
        true,
        &mut AttributeErrors::default(),
    );
    let about = clap.help().map(|about| about.value);
    let word = variant.ident.unraw().to_string();
    let (name, _) = clap.variant_names(true, errors);
    let name = name.map(|name| name.value.replace('-', "_"));
    let name = name.or_else(|| rename_as_clap(&word, Some("snake")));
    let name = name.unwrap_or(word);
    let mark = named(mark, &name);
    let docs = variant
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg") || about.is_none() && is_doc(attr));
    let docs: Vec<&Attribute> = docs.collect();
    let about = about.map(|about| quote!(#[doc = #about]));
    // Its span is that of the command, where errors about the method point.
    let method = Ident::new(
        &format!("command_{name}").replace('-', "_"),
        variant.ident.span(),
    );
    let command = &variant.ident;
    let (params, made) = match &variant.fields {
        Fields::Unit => (Vec::new(), quote!(#of::#command)),
        Fields::Named(fields) => {
            let fields: Vec<_> = fields.named.iter().collect();
            let names = fields.iter().map(|field| &field.ident);
            let made = quote!(#of::#command { #(#names),* });
            let params = fields.iter().map(|field| {
                let (attrs, name, ty) = (&field.attrs, &field.ident, &field.ty);
                // Fields without an attribute are flags and values of clap too.
                quote!(#[arg()] #(#attrs)* #name: #ty)
            });
            (params.collect(), made)
        }
        Fields::Unnamed(fields) => {
            let Some(field) = fields.unnamed.first() else {
                return TokenStream::new();
            };
            let (attrs, ty) = (&field.attrs, &field.ty);
            let is_nested = variant.attrs.iter().any(is_nested);
            let flat = (!is_nested).then(|| quote!(#[tool_param(flatten)]));
            let name = if is_nested {
                quote!(command)
            } else {
                quote!(arguments)
            };
            (
                vec![quote!(#flat #(#attrs)* #name: #ty)],
                quote!(#of::#command(#name)),
            )
        }
    };
    quote! {
        #(#docs)*
        #about
        #mark
        async fn #method(
            &self,
            #(#params,)*
            __cx: &#krate::ToolContext,
        ) -> <#of as #krate::CommandTool>::Output {
            #krate::CommandTool::run(#made, __cx).await
        }
    }
}

fn is_doc(attr: &Attribute) -> bool {
    attr.path().is_ident("doc")
}

/// Whether the content of a variant is an enum of commands.
fn is_nested(attr: &Attribute) -> bool {
    let Meta::List(list) = &attr.meta else {
        return false;
    };
    let is_word = |name: &Ident| name == "subcommand";
    clap::is_of_clap(attr) && types::find_name(list.tokens.clone(), &is_word).is_some()
}

/// The attribute with a name, unless it has one.
fn named(mark: &Attribute, name: &str) -> Attribute {
    let (tokens, path) = match &mark.meta {
        Meta::List(list) => (list.tokens.clone(), &list.path),
        other => (TokenStream::new(), other.path()),
    };
    let read = ToolAttrs::read(
        tokens.clone(),
        proc_macro2::Span::call_site(),
        &mut AttributeErrors::default(),
    );
    let mut named = mark.clone();
    if read.name.is_none() {
        let comma = (!tokens.is_empty()).then(|| quote!(,));
        named.meta = Meta::List(MetaList {
            path: path.clone(),
            delimiter: MacroDelimiter::Paren(Paren::default()),
            tokens: quote!(#tokens #comma name = #name),
        });
    }
    named
}
