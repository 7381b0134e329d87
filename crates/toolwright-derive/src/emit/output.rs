//! `#[derive(ToolOutput)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::say::{
    attr::{self, OutputAttrs, Place},
    errors::Errors,
};

pub(crate) fn expand(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let attrs: OutputAttrs = attr::read(&input.attrs, Place::Output, &mut errors);
    let krate = attr::krate(attrs.krate);
    let private = quote!(#krate::__private);
    let ident = &input.ident;
    for lifetime in input.generics.lifetimes() {
        errors.at(
            &lifetime.lifetime,
            "a tool returns owned data: use `String` instead of `&str`",
        );
    }
    let mut generics = input.generics.clone();
    let bound = generics.make_where_clause();
    // Without type parameters, the compiler checks these bounds here, on the user's token.
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
    let text = if attrs.display.is_some_and(|display| display.value) {
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
