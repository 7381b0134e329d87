//! `#[derive(ToolOutput)]`: a value as the structured output of a tool.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{DeriveInput, Path, meta::ParseNestedMeta};

use crate::say::errors::{Errors, nearest};

struct Output {
    krate: Path,
    /// The text is that of `Display`, and not the JSON.
    display: bool,
}

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let output = parse(input, &mut errors);
    let krate = &output.krate;
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    for lifetime in input.generics.lifetimes() {
        errors.push(syn::Error::new_spanned(
            &lifetime.lifetime,
            "a tool gives back what it owns: use `String` instead of `&str`",
        ));
    }
    let mut generics = input.generics.clone();
    let bound = generics.make_where_clause();
    // Where the type has no parameters these are checked at once, on the user's token.
    bound
        .predicates
        .push(syn::parse_quote!(#ident: #private::Serialize + #krate::ToolInput));
    if !input.generics.params.is_empty() {
        let (_, types, _) = input.generics.split_for_impl();
        bound.predicates.pop();
        bound
            .predicates
            .push(syn::parse_quote!(#ident #types: #private::Serialize + #krate::ToolInput));
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = input.generics.split_for_impl();
    let text = if output.display {
        quote!(#private::structured_display(&self))
    } else {
        quote!(#private::structured(&self))
    };
    let errors = errors.finish().map(syn::Error::into_compile_error);
    quote! {
        #errors
        #[allow(deprecated)]
        #[automatically_derived]
        impl #impl_generics #private::IntoToolResult for #ident #type_generics #where_clause {
            fn into_tool_result(self) -> #private::ToolResult {
                #text
            }

            fn output_schema() -> #private::Option<&'static #private::Schema> {
                const { #private::output_of(<Self as #krate::ToolInput>::SCHEMA) }
            }
        }
    }
}

fn parse(input: &DeriveInput, errors: &mut Errors) -> Output {
    let mut out = Output {
        krate: syn::parse_quote!(::toolwright),
        display: false,
    };
    for attr in input
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("tool_output"))
    {
        let mut faults = Vec::new();
        let parsed = attr.parse_nested_meta(|meta: ParseNestedMeta<'_>| {
            if meta.path.is_ident("display") {
                out.display = true;
            } else if meta.path.is_ident("crate") {
                let value = meta.value()?;
                out.krate = if value.peek(syn::LitStr) {
                    value.parse::<syn::LitStr>()?.parse()?
                } else {
                    value.parse()?
                };
            } else {
                let name = meta.path.to_token_stream().to_string();
                faults.push(syn::Error::new_spanned(
                    &meta.path,
                    match nearest(&name, &["display", "crate"]) {
                        Some(near) => format!("unknown attribute `{name}`: did you mean `{near}`?"),
                        None => format!("unknown attribute `{name}`: known are `display`, `crate`"),
                    },
                ));
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                }
            }
            Ok(())
        });
        for fault in faults.into_iter().chain(parsed.err()) {
            errors.push(fault);
        }
    }
    out
}
