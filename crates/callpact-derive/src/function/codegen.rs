//! Writes a tool: the hidden input, the type of the tool, and the call of the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, Generics, Type, ext::IdentExt, spanned::Spanned};

use super::{
    model::{FunctionParam, InjectedParam, ToolFunction, given},
    secret_paths,
};
use crate::{
    attrs::values::{PathValue, SpannedStr, SwitchValue},
    model::{declaration::FieldModel, types},
};

/// The type that becomes the tool.
struct TargetType<'a> {
    /// The type that implements the trait.
    ident: Ident,
    generics: &'a Generics,
    /// The type of the block, for a method.
    holds: Option<&'a Type>,
}

/// Allows lints in generated code.
pub(super) fn allow_lints() -> TokenStream {
    quote! {
        #[allow(
            dead_code, deprecated, missing_docs, non_snake_case, unreachable_pub, unused_mut,
            missing_debug_implementations, missing_copy_implementations, unnameable_types,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// A tool owns its arguments and is not a `const fn`, so clippy must not ask for references or `const`.
pub(crate) fn allow_owned() -> syn::Attribute {
    syn::parse_quote!(#[allow(clippy::missing_const_for_fn, clippy::needless_pass_by_value)])
}

/// The keyword of an item.
pub(crate) fn keyword(item: &syn::Item) -> TokenStream {
    match item {
        syn::Item::Struct(item) => item.struct_token.to_token_stream(),
        syn::Item::Enum(item) => item.enum_token.to_token_stream(),
        syn::Item::Trait(item) => item.trait_token.to_token_stream(),
        syn::Item::Mod(item) => item.mod_token.to_token_stream(),
        syn::Item::Fn(item) => item.sig.fn_token.to_token_stream(),
        other => other.to_token_stream(),
    }
}

/// The tool of a free function: a unit struct beside it.
pub(crate) fn function(tool: &ToolFunction) -> TokenStream {
    let ToolFunction {
        structure,
        vis,
        cfgs,
        ..
    } = tool;
    let description = &tool.description;
    let doc = if let Expr::Lit(_) | Expr::Macro(_) = description {
        quote!(#description)
    } else {
        // `#[doc = …]` takes no path.
        let text = format!("The tool `{}`.", tool.name);
        quote!(#text)
    };
    let generics = Generics::default();
    let target = TargetType {
        ident: structure.clone(),
        generics: &generics,
        holds: None,
    };
    let items = items(tool, &target);
    let quiet = allow_lints();
    // Only the compiler sees another type with this name, and then the error points at the function's name.
    let place = Span::call_site().located_at(structure.span());
    let declared = quote_spanned!(place=> #vis struct #structure;);
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::default::Default
        )]
        #declared

        #(#cfgs)*
        #quiet
        const _: () = {
            #items
        };
    }
}

/// The tools of a block: for each method a struct that holds the object.
pub(crate) fn block(
    krate: &syn::Path,
    self_ty: &Type,
    generics: &Generics,
    tools: &[ToolFunction],
) -> TokenStream {
    let private = quote!(#krate::__private);
    let quiet = allow_lints();
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let hidden: Vec<Ident> = tools
        .iter()
        .map(|tool| format_ident!("__{}", tool.structure.unraw()))
        .collect();
    let items = tools.iter().zip(&hidden).map(|(tool, ident)| {
        let target = TargetType {
            ident: ident.clone(),
            generics,
            holds: Some(self_ty),
        };
        let items = items(tool, &target);
        let cfgs = &tool.cfgs;
        // In a block, so that one `cfg` covers all of it.
        quote! {
            #(#cfgs)*
            struct #ident #impl_generics (#private::Arc<#self_ty>) #where_clause;

            #(#cfgs)*
            const _: () = {
                #items
            };
        }
    });
    let pushes = tools.iter().zip(&hidden).map(|(tool, ident)| {
        let cfgs = &tool.cfgs;
        quote! {
            #(#cfgs)*
            __tools.push(#ident(#private::Clone::clone(&self)));
        }
    });
    quote! {
        #quiet
        const _: () = {
            #(#items)*

            #[automatically_derived]
            impl #impl_generics #private::ToolMethods for #self_ty #where_clause {
                fn method_tools(self: #private::Arc<Self>) -> #private::Tools {
                    let mut __tools = #private::Tools::new();
                    #(#pushes)*
                    __tools
                }
            }

            #[automatically_derived]
            impl #impl_generics #private::ToolProvider for #self_ty #where_clause {
                fn tools(self) -> #private::Tools {
                    #private::ToolMethods::method_tools(#private::Arc::new(self))
                }
            }
        };
    }
}

/// The hidden input and the impl of `TypedAgentTool`.
fn items(tool: &ToolFunction, target: &TargetType<'_>) -> TokenStream {
    let krate = &tool.krate;
    let private = quote!(#krate::__private);
    let input = format_ident!("__{}Input", tool.structure.unraw());
    let fields = given(&tool.params).map(|field| syn::Field {
        ty: owned_self(&field.ty, target.holds),
        ..field.clone()
    });
    let secrets = tool.secrets.iter().map(|(path, _)| path);
    let input_type = quote!(#input);
    let paths = tool
        .secrets
        .iter()
        .map(|(path, span)| secret_paths::emit_check(path, *span, &input_type, krate));
    let permission = tool.attrs.permission();
    let text_types = given(&tool.params)
        .filter(|_| tool.attrs.is_text() && given(&tool.params).count() == 1)
        .map(|field| &field.ty);
    let is_text = text_types.map(|ty| {
        quote_spanned! {syn::spanned::Spanned::span(ty)=>
            const _: () = ::core::assert!(
                ::core::matches!(
                    <#ty as #krate::ToolInput>::SCHEMA.kind,
                    #krate::schema::Kind::Text(_)
                ),
                "a tool with `text` has one parameter, a string"
            );
        }
    });
    let hints = hints(tool, &private);
    let questions = questions(tool, target, &input, &private);
    let (name, description) = (&tool.name, &tool.description);
    // As visible as the tool, and so never more visible than the types of its parameters.
    let vis = target.holds.is_none().then_some(&tool.vis);
    let (output, body) = call(tool, target);
    let ident = &target.ident;
    let (impl_generics, type_generics, where_clause) = target.generics.split_for_impl();
    // The error about a future that is not `Send` points at the function.
    let execute = quote_spanned!(tool.ident.span()=> async fn execute);
    quote! {
        #[derive(#krate::ToolInput)]
        #[tool_input(crate = #krate)]
        #vis struct #input {
            #(#fields,)*
        }

        #(#paths)*
        #(#is_text)*

        #[automatically_derived]
        impl #impl_generics #private::TypedAgentTool for #ident #type_generics #where_clause {
            type Input = #input;
            type Output = #output;
            const SECRET_PARAMS: &'static [&'static #private::str] = &[#(#secrets),*];

            fn name(&self) -> &#private::str {
                #name
            }

            fn description(&self) -> &#private::str {
                #description
            }

            fn permission(&self) -> #private::Permission {
                #private::Permission::#permission
            }

            #hints

            #questions

            #execute(&self, __input: #input, __cx: &#private::ToolContext) -> #output {
                #body
            }
        }
    }
}

/// The method that returns the hints; nothing if there are none.
fn hints(tool: &ToolFunction, private: &TokenStream) -> TokenStream {
    let attrs = &tool.attrs;
    let grammar = |name: &str, grammar: &SpannedStr| {
        let (name, grammar) = (format_ident!("{name}"), &grammar.value);
        quote!(#name(#private::Cow::Borrowed(#grammar)))
    };
    let text = attrs.is_text().then(|| match (&attrs.lark, &attrs.regex) {
        (Some(lark), _) => grammar("Lark", lark),
        (None, Some(regex)) => grammar("Regex", regex),
        (None, None) => quote!(Any),
    });
    let hints = [
        attrs
            .title
            .as_ref()
            .map(|SpannedStr { value, .. }| quote!(.with_title(#value))),
        attrs
            .idempotent
            .map(|SwitchValue { value, .. }| quote!(.idempotent(#value))),
        attrs
            .open_world
            .map(|SwitchValue { value, .. }| quote!(.open_world(#value))),
        text.map(|text| quote!(.with_text(#private::TextInput::#text))),
    ];
    if hints.iter().all(Option::is_none) {
        return TokenStream::new();
    }
    quote! {
        fn hints(&self) -> #private::ToolHints {
            #private::ToolHints::new() #(#hints)*
        }
    }
}

/// The methods that belong to the question about a call.
fn questions(
    tool: &ToolFunction,
    target: &TargetType<'_>,
    input: &Ident,
    private: &TokenStream,
) -> TokenStream {
    let asks_itself = FieldModel::is(tool.attrs.asks_itself).then(|| {
        quote! {
            fn asks_itself(&self) -> #private::bool {
                true
            }
        }
    });
    let call = |path: &syn::Path| {
        let span = path.span();
        let arguments = given(&tool.params).map(|field| {
            let ident = &field.ident;
            quote_spanned!(span=> &__input.#ident)
        });
        // In a block, a name alone is a method of the object.
        if let (Some(ty), Some(method)) = (target.holds, path.get_ident()) {
            quote_spanned!(span=> <#ty>::#method(&self.0, #(#arguments),*))
        } else {
            quote_spanned!(span=> #path(#(#arguments),*))
        }
    };
    let path = |path: &Option<PathValue>| path.clone().filter(|_| tool.callable);
    let preview = path(&tool.attrs.preview).map(|PathValue(path)| {
        let call = call(&path);
        quote_spanned! {path.span()=>
            fn preview(&self, __input: &#input) -> #private::Option<#private::Preview> {
                #private::IntoPreview::into_preview(#call)
            }
        }
    });
    let precheck = path(&tool.attrs.precheck).map(|PathValue(path)| {
        let call = call(&path);
        quote_spanned! {path.span()=>
            fn precheck(&self, __input: &#input) -> #private::Result<(), #private::String> {
                #private::precheck(#call)
            }
        }
    });
    quote!(#asks_itself #preview #precheck)
}

/// The output type and the body of `execute`.
fn call(tool: &ToolFunction, target: &TargetType<'_>) -> (TokenStream, TokenStream) {
    let krate = &tool.krate;
    let private = quote!(#krate::__private);
    if !tool.callable {
        return (
            quote!(#private::ToolResult),
            quote!(#private::unusable_tool()),
        );
    }
    let output = owned_self(&tool.output, target.holds);
    let mut before = TokenStream::new();
    let mut arguments = Vec::new();
    if tool.takes_self && tool.blocking {
        before.extend(quote!(let __self = #private::Clone::clone(&self.0);));
        arguments.push(quote!(&__self));
    } else if tool.takes_self {
        arguments.push(quote!(&self.0));
    }
    for (i, param) in tool.params.iter().enumerate() {
        let (what, ty) = match param {
            FunctionParam::Given(field) => {
                let ident = &field.ident;
                arguments.push(quote!(__input.#ident));
                continue;
            }
            FunctionParam::Injected { what, ty } => (what, owned_self(ty, target.holds)),
        };
        arguments.push(match what {
            InjectedParam::Borrowed if tool.blocking => {
                before.extend(quote!(let __own_cx = #private::Clone::clone(__cx);));
                quote!(&__own_cx)
            }
            InjectedParam::Borrowed => quote!(__cx),
            InjectedParam::Owned | InjectedParam::Cancellation => {
                let local = format_ident!("__value_{i}");
                let value = if matches!(what, InjectedParam::Owned) {
                    quote!(#private::Clone::clone(__cx))
                } else {
                    quote!(#private::cancellation(__cx))
                };
                before.extend(quote!(let #local = #value;));
                quote!(#local)
            }
            InjectedParam::State => {
                let local = format_ident!("__state_{i}");
                before.extend(quote! {
                    let #local = match #private::state::<#ty>(__cx) {
                        #private::Result::Ok(__state) => __state,
                        #private::Result::Err(__halt) => return #private::Result::Err(__halt),
                    };
                });
                quote!(#local)
            }
        });
    }
    let function = &tool.ident;
    let ty = target.holds;
    let callee = ty.map_or_else(|| quote!(#function), |ty| quote!(<#ty>::#function));
    let wait = tool.is_async.then(|| quote!(.await));
    let call = quote!(#callee(#(#arguments),*) #wait);
    let call = if tool.blocking {
        quote!(#private::blocking(move || #call).await)
    } else {
        call
    };
    if tool.can_halt() {
        (
            quote!(#private::Result<#output, #private::Halt>),
            quote!(#before #private::Result::Ok(#call)),
        )
    } else {
        (quote!(#output), quote!(#before #call))
    }
}

/// A type with the block's type in place of `Self`, which means another type in the generated items.
fn owned_self(ty: &Type, holds: Option<&Type>) -> Type {
    holds.map_or_else(|| ty.clone(), |itself| types::spell_out_self(ty, itself))
}
