//! `#[tool]` on a free function.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{
    Attribute, Item, Signature, Visibility,
    parse::{ParseStream, Parser},
};

use super::{attr::ToolAttrs, codegen, model::ToolFunction};
use crate::attrs::{errors::AttributeErrors, receivers};

/// `#[tool(…)]` on a free function. Its body is not parsed, so that rustc reports the mistakes in it.
pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let parsed = (|input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let (vis, signature): (Visibility, Signature) = (input.parse()?, input.parse()?);
        Ok((attrs, vis, signature, input.parse::<TokenStream>()?))
    })
    .parse2(item.clone());
    let Ok((attrs, vis, mut signature, body)) = parsed else {
        return refuse(item);
    };
    let mut errors = AttributeErrors::default();
    let written = ToolAttrs::read(attr, Span::call_site(), &mut errors);
    let krate = receivers::krate(written.krate.clone());
    let tool = ToolFunction::new(
        written,
        krate,
        &attrs,
        &vis,
        &mut signature,
        None,
        &mut errors,
    );
    let errors = errors.into_tokens();
    let allow_owned = codegen::allow_owned();
    // rustc also reports a receiver outside an `impl` block: a generated tool would repeat the
    // error.
    let generated = signature
        .receiver()
        .is_none()
        .then(|| codegen::function(&tool));
    quote! {
        #allow_owned
        #(#attrs)*
        #vis #signature #body
        #generated
        #errors
    }
}

/// An item that is not a function: it stays, with an error that says what to write.
fn refuse(item: &TokenStream) -> TokenStream {
    let error = match syn::parse2::<Item>(item.clone()) {
        Err(error) => error,
        Ok(Item::Impl(block)) => syn::Error::new(
            block.impl_token.span,
            "`#[tool]` belongs on a function: write `#[tools]` on the block, and `#[tool(…)]` on \
             each method that is a tool",
        ),
        Ok(item) => syn::Error::new_spanned(
            codegen::keyword(&item),
            "`#[tool]` belongs on a function; a type becomes a tool by implementing `TypedAgentTool`",
        ),
    };
    let error = error.into_compile_error();
    quote!(#item #error)
}
