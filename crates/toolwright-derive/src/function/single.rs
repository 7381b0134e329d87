//! `#[tool]` on a free function.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Item, Signature, Visibility,
    parse::{Parse, ParseStream},
};

use super::{attr::ToolAttrs, emit, model::Tool};
use crate::say::{attr, errors::Errors};

/// A function whose body is not parsed, so that rustc reports the mistakes in it.
struct Function {
    attrs: Vec<Attribute>,
    vis: Visibility,
    signature: Signature,
    body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attr in &self.attrs {
            attr.to_tokens(tokens);
        }
        self.vis.to_tokens(tokens);
        self.signature.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// `#[tool(…)]` on a free function.
pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let Ok(mut function) = syn::parse2::<Function>(item.clone()) else {
        return refuse(item);
    };
    let mut errors = Errors::default();
    let attrs = ToolAttrs::read(attr, Span::call_site(), &mut errors);
    let krate = attr::krate(attrs.krate.clone());
    let tool = Tool::new(
        attrs,
        krate,
        &function.attrs,
        &function.vis,
        &mut function.signature,
        None,
        &mut errors,
    );
    let errors = errors.finish().map(syn::Error::into_compile_error);
    function.attrs.insert(0, emit::allow_owned());
    // rustc also reports a receiver outside of an `impl` block: a generated tool would repeat it.
    let method = function.signature.receiver().is_some();
    let generated = (!method).then(|| emit::function(&tool));
    quote! {
        #function
        #generated
        #errors
    }
}

/// An item that is not a function: it stays, beside an error that says what to write.
fn refuse(item: &TokenStream) -> TokenStream {
    let error = match syn::parse2::<Item>(item.clone()) {
        Err(error) => error,
        Ok(Item::Impl(block)) => syn::Error::new(
            block.impl_token.span,
            "`#[tool]` belongs on a function: write `#[tools]` on the block, and `#[tool(…)]` on \
             each method that is a tool",
        ),
        Ok(item) => syn::Error::new_spanned(
            emit::keyword(&item),
            "`#[tool]` belongs on a function; a type becomes a tool by implementing `TypedAgentTool`",
        ),
    };
    let error = error.into_compile_error();
    quote!(#item #error)
}
