//! `#[tools]` on an `impl` block.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, ImplItem, Item, ItemImpl, Meta, spanned::Spanned};

use super::{attr::ToolAttrs, codegen, model::ToolFunction};
use crate::attrs::{
    errors::AttributeErrors,
    place::AttributePlace,
    receivers::{self, BlockAttrs},
};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut block = match syn::parse2::<ItemImpl>(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let error = syn::parse2::<Item>(item.clone()).map_or(error, |other| {
                let message = "`#[tools]` belongs on an `impl` block";
                syn::Error::new_spanned(codegen::keyword(&other), message)
            });
            let error = error.into_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors = AttributeErrors::default();
    let attrs: BlockAttrs = receivers::read_tokens(attr, AttributePlace::Block, &mut errors);
    let krate = receivers::krate(attrs.krate);
    for param in block.generics.lifetimes() {
        errors.at(
            &param.lifetime,
            "the tools outlive this block: the object cannot borrow anything",
        );
    }
    let tools = take_tools(&mut block, &krate, &mut errors);
    if let Some((path, _)) = &block.trait_ {
        errors.at(
            path,
            "`#[tools]` belongs on the type's own `impl` block, not on that of a trait",
        );
    } else if tools.is_empty() {
        errors.at(
            &block.self_ty,
            "no method of this block is a tool: write `#[tool(read_only)]` on those that are",
        );
    }
    check_names(&tools, &mut errors);
    let borrows = block.generics.lifetimes().next().is_some();
    let generated = (block.trait_.is_none() && !borrows)
        .then(|| codegen::block(&krate, &block.self_ty, &block.generics, &tools));
    let errors = errors.into_tokens();
    quote! {
        #block
        #generated
        #errors
    }
}

/// Takes `#[tool]` off the methods of the block, and reads those that have it.
fn take_tools(
    block: &mut ItemImpl,
    krate: &syn::Path,
    errors: &mut AttributeErrors,
) -> Vec<ToolFunction> {
    let generics = &block.generics;
    let mut tools = Vec::new();
    for item in &mut block.items {
        let attrs = match item {
            ImplItem::Fn(method) => &mut method.attrs,
            ImplItem::Const(item) => &mut item.attrs,
            ImplItem::Type(item) => &mut item.attrs,
            _ => continue,
        };
        let (marks, rest): (Vec<_>, Vec<_>) = std::mem::take(attrs)
            .into_iter()
            .partition(is_tool_attribute);
        *attrs = rest;
        let Some(mark) = marks.first() else { continue };
        for again in marks.iter().skip(1) {
            errors.at(again.path(), "`#[tool]` is given twice: keep one");
        }
        let ImplItem::Fn(method) = item else {
            errors.at(mark.path(), "`#[tool]` belongs on a method");
            continue;
        };
        let tokens = match &mark.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) => TokenStream::new(),
            Meta::NameValue(pair) => {
                errors.at(&pair.value, "expected a list: `#[tool(read_only)]`");
                continue;
            }
        };
        let mut attrs = ToolAttrs::read(tokens, mark.path().span(), errors);
        if let Some(name) = attrs.structure.take() {
            errors.at(
                &name.0,
                "the tools of a block have no structs: the object stands for all of them",
            );
        }
        if let Some(path) = &attrs.krate {
            errors.at(
                &path.0,
                "`crate` belongs on the block: `#[tools(crate = path)]`",
            );
        }
        tools.push(ToolFunction::new(
            attrs,
            krate.clone(),
            &method.attrs,
            &method.vis,
            &mut method.sig,
            Some(generics),
            errors,
        ));
        method.attrs.insert(0, codegen::allow_owned());
    }
    tools
}

/// Whether an attribute is `#[tool]`, with or without a path before it.
fn is_tool_attribute(attr: &Attribute) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|segment| segment.ident == "tool")
}

/// Refuses two tools with one name. Two methods with `cfg` attributes may share a name.
fn check_names(tools: &[ToolFunction], errors: &mut AttributeErrors) {
    let mut seen: HashMap<&str, &ToolFunction> = HashMap::new();
    for tool in tools {
        if let Some(first) = seen.get(tool.name.as_str()) {
            if tool.cfgs.is_empty() || first.cfgs.is_empty() {
                errors.span(
                    tool.name_span,
                    format!(
                        "`{}` is already the name of the tool `{}`: write another `name = \"…\"`",
                        tool.name, first.ident
                    ),
                );
            }
        } else {
            seen.insert(&tool.name, tool);
        }
    }
}
