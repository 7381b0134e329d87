//! Emits the impl: the const schema, the checks that need types, and the reader's parts.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Type, spanned::Spanned};

use crate::{
    literal::{DefaultValue, ValueKind},
    model::{Body, Field, Model, Shape, Tagging, Unknown, Variant},
    pattern, read, types,
};

pub(crate) fn expand(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let private = model.private();
    let ident = &model.ident;
    let generics = bounded(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let parts = Parts::of(model);
    let Parts {
        schema,
        extra_consts,
        read,
        items,
    } = &parts;
    let checks = checks(model);
    // A const that depends on a parameter can only be checked where the parameter is known.
    let (outside, inside) = if model.is_generic() {
        (TokenStream::new(), quote!(const { #checks }))
    } else {
        (checks, TokenStream::new())
    };
    quote! {
        const _: () = {
            #outside

            #[automatically_derived]
            impl #impl_generics #krate::ToolInput for #ident #type_generics #where_clause {
                const SCHEMA: &'static #private::Schema = #schema;
                #extra_consts

                fn read<'__de, __D: #private::Deserializer<'__de>>(
                    __source: __D,
                    mut __at: #krate::At<'_>,
                ) -> #private::Result<#private::Option<Self>, __D::Error> {
                    #inside
                    #read
                }
            }

            #items
        };
    }
}

/// The generics with `ToolInput` demanded of each parameter that a field uses.
fn bounded(model: &Model) -> syn::Generics {
    let mut generics = model.generics.clone();
    let krate = &model.krate;
    let fields = model.fields();
    for param in model.generics.type_params() {
        let used = fields.iter().any(|field| {
            let ty = field.attrs.with.as_ref().map_or(&field.ty, |with| &with.0);
            !field.skip && types::mentions(ty, &[&param.ident])
        });
        if used {
            let ident = &param.ident;
            generics
                .make_where_clause()
                .predicates
                .push(syn::parse_quote!(#ident: #krate::ToolInput));
        }
    }
    generics
}

/// What fills the impl.
pub(crate) struct Parts {
    /// The value of `SCHEMA`.
    pub(crate) schema: TokenStream,
    pub(crate) extra_consts: TokenStream,
    /// The body of `read`.
    pub(crate) read: TokenStream,
    /// Further impls.
    pub(crate) items: TokenStream,
}

impl Parts {
    fn of(model: &Model) -> Self {
        let private = model.private();
        let description = &model.description;
        let node = |kind: TokenStream| {
            if description.is_empty() {
                quote!(&#private::Schema::of(#kind))
            } else {
                quote!(&#private::Schema { description: #description, ..#private::Schema::of(#kind) })
            }
        };
        match &model.shape {
            Shape::Struct(fields) => {
                let rules = object(fields, model, &private);
                Self {
                    schema: node(quote!(#private::Kind::Object(#rules))),
                    extra_consts: TokenStream::new(),
                    read: quote!(#private::read_object::<__D, Self>(__source, __at)),
                    items: read::object(model, fields),
                }
            }
            Shape::Newtype(field) => newtype(model, field),
            Shape::Names(variants) => {
                let choices = choices(variants, &private);
                Self {
                    schema: node(quote!(#private::Kind::Text(#private::Text {
                        choices: #choices,
                        ..#private::Text::ANY
                    }))),
                    extra_consts: TokenStream::new(),
                    read: read::names(model, variants, &choices),
                    items: read::map_key(model, variants, &choices),
                }
            }
            Shape::Union { tagging, variants } => {
                let rules = union(model, tagging, variants, &private);
                Self {
                    schema: node(quote!(#private::Kind::Union(#rules))),
                    extra_consts: TokenStream::new(),
                    read: read::union_body(model),
                    items: read::union(model, variants),
                }
            }
        }
    }
}

fn newtype(model: &Model, field: &Field) -> Parts {
    let krate = &model.krate;
    let private = model.private();
    let ty = wire(field, model);
    let mut rules = rules(field, &private);
    if field.description.is_empty() && !model.description.is_empty() {
        let description = &model.description;
        rules.push(quote!(description: #description));
    }
    let refined = |base: TokenStream| {
        if rules.is_empty() {
            base
        } else {
            quote!(&#private::refine(#base, &#private::Rules { #(#rules,)* ..#private::Rules::NONE }))
        }
    };
    Parts {
        schema: refined(quote!(<#ty as #krate::ToolInput>::SCHEMA)),
        extra_consts: {
            let present = refined(quote!(<#ty as #krate::ToolInput>::PRESENT));
            let absent = read::newtype_absent(model, field);
            quote! {
                const PRESENT: &'static #private::Schema = #present;
                const OPTIONAL: #private::bool = <#ty as #krate::ToolInput>::OPTIONAL;
                #absent
            }
        },
        read: read::newtype(model, field),
        items: TokenStream::new(),
    }
}

/// The type that a field is read as, for its schema.
pub(crate) fn wire(field: &Field, model: &Model) -> Type {
    let private = model.private();
    if let Some(with) = &field.attrs.with {
        let with = &with.0;
        return if types::inside_option(&field.ty).is_some() {
            syn::parse_quote!(#private::Option<#with>)
        } else {
            with.clone()
        };
    }
    if Field::is(field.attrs.recursive) {
        return types::opened(&field.ty, &model.ident, &syn::parse_quote!(#private::Open));
    }
    field.ty.clone()
}

/// The rules of an object.
pub(crate) fn object(fields: &[Field], model: &Model, private: &TokenStream) -> TokenStream {
    let entries = fields
        .iter()
        .filter(|field| !field.skip)
        .map(|field| entry(field, model, private));
    let unknown = unknown(model.unknown, private);
    let krate = &model.krate;
    let extra = fields
        .iter()
        .filter(|field| !field.skip && field.flatten.is_some())
        .rev()
        .fold(quote!(#private::Option::None), |rest, field| {
            let ty = &field.ty;
            quote!(#private::extra_of(<#ty as #krate::ToolInput>::SCHEMA, #rest))
        });
    quote!(#private::ObjectRules { fields: &[#(#entries),*], unknown: #unknown, extra: #extra })
}

fn unknown(unknown: Unknown, private: &TokenStream) -> TokenStream {
    match unknown {
        Unknown::Ignore => quote!(#private::Unknown::Ignore),
        Unknown::Report => quote!(#private::Unknown::Report),
        Unknown::Deny => quote!(#private::Unknown::Deny),
    }
}

fn entry(field: &Field, model: &Model, private: &TokenStream) -> TokenStream {
    let krate = &model.krate;
    if field.flatten.is_some() {
        let ty = &field.ty;
        return quote! {
            #private::Field {
                name: "",
                aliases: &[],
                schema: <#ty as #krate::ToolInput>::SCHEMA,
                required: true,
                keep_empty: false,
                flatten: true,
            }
        };
    }
    let name = &field.name;
    let aliases = field.aliases.iter().map(|alias| &alias.value);
    let ty = wire(field, model);
    let schema = field_schema(field, &ty, model, private);
    let required = required(field, &ty, model);
    let keep_empty = Field::is(field.attrs.keep_empty);
    quote! {
        #private::Field {
            name: #name,
            aliases: &[#(#aliases),*],
            schema: #schema,
            required: #required,
            keep_empty: #keep_empty,
            flatten: false,
        }
    }
}

fn required(field: &Field, ty: &Type, model: &Model) -> TokenStream {
    let krate = &model.krate;
    match field.attrs.required {
        Some(switch) => {
            let value = switch.value;
            quote!(#value)
        }
        None if field.default.is_some() || model.default_all.is_some() => quote!(false),
        None => quote!(!<#ty as #krate::ToolInput>::OPTIONAL),
    }
}

/// The schema of the type, without the null that stands for an absent value.
fn base(field: &Field, ty: &Type, model: &Model) -> TokenStream {
    let krate = &model.krate;
    let span = ty.span();
    if Field::is(field.attrs.required) {
        quote_spanned!(span=> <#ty as #krate::ToolInput>::SCHEMA)
    } else {
        quote_spanned!(span=> <#ty as #krate::ToolInput>::PRESENT)
    }
}

fn field_schema(field: &Field, ty: &Type, model: &Model, private: &TokenStream) -> TokenStream {
    let base = base(field, ty, model);
    let rules = rules(field, private);
    if rules.is_empty() {
        return base;
    }
    quote!(&#private::refine(#base, &#private::Rules { #(#rules,)* ..#private::Rules::NONE }))
}

/// The fields of `Rules` that the attributes set.
pub(crate) fn rules(field: &Field, private: &TokenStream) -> Vec<TokenStream> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    if !field.description.is_empty() {
        let description = &field.description;
        out.push(quote!(description: #description));
    }
    for (name, value) in numbers(field) {
        let name = syn::Ident::new(name, Span::call_site());
        let literal = value.tokens(private);
        out.push(quote!(#name: #private::Option::Some(#literal)));
    }
    for (name, count) in [
        ("min_length", attrs.min_length),
        ("max_length", attrs.max_length),
        ("min_items", attrs.min_items),
        ("max_items", attrs.max_items),
    ] {
        if let Some(count) = count {
            let name = syn::Ident::new(name, Span::call_site());
            let value = count.value;
            out.push(quote!(#name: #private::Option::Some(#value)));
        }
    }
    if let Some(written) = &attrs.pattern {
        let text = &written.value;
        let translated = pattern::translate(text).unwrap_or_default();
        out.push(quote! {
            pattern: #private::Option::Some(#private::Pattern {
                text: #text,
                is_match: {
                    fn __matches(__text: &#private::str) -> #private::bool {
                        static __CELL: #private::OnceLock<#private::Option<#private::Regex>> =
                            #private::OnceLock::new();
                        #private::pattern(&__CELL, #translated, __text)
                    }
                    __matches
                },
            })
        });
    }
    if Field::is(attrs.unique_items) {
        out.push(quote!(unique_items: true));
    }
    if let Some(list) = &attrs.one_of
        && let ValueKind::List(items) = &list.kind
    {
        let integers: Vec<_> = items
            .iter()
            .filter_map(|item| match item {
                ValueKind::Integer(value) => Some(proc_macro2::Literal::i128_suffixed(*value)),
                _ => None,
            })
            .collect();
        if integers.is_empty() {
            let texts = texts(items, private);
            out.push(quote!(one_of_text: #texts));
        } else {
            out.push(quote!(one_of_integer: &[#(#integers),*]));
        }
    }
    if let Some(DefaultValue::Literal(value)) = &field.default {
        let literal = value.kind.tokens(private);
        out.push(quote!(default: #private::Option::Some(#literal)));
    }
    if let Some(value) = &attrs.example {
        let literal = value.kind.tokens(private);
        out.push(quote!(example: #private::Option::Some(#literal)));
    }
    if Field::is(attrs.secret) {
        out.push(quote!(secret: true));
    }
    out
}

fn numbers(field: &Field) -> Vec<(&'static str, &ValueKind)> {
    let attrs = &field.attrs;
    [
        ("min", &attrs.min),
        ("max", &attrs.max),
        ("exclusive_min", &attrs.exclusive_min),
        ("exclusive_max", &attrs.exclusive_max),
        ("multiple_of", &attrs.multiple_of),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.as_ref().map(|value| (name, &value.0.kind)))
    .collect()
}

fn texts(items: &[ValueKind], private: &TokenStream) -> TokenStream {
    let texts = items.iter().filter_map(|item| match item {
        ValueKind::Text(text) => Some(text),
        _ => None,
    });
    quote!(&[#(#private::Choice::plain(#texts)),*])
}

fn choices(variants: &[Variant], private: &TokenStream) -> TokenStream {
    let choices = variants.iter().map(|variant| {
        let Variant { name, description, .. } = variant;
        let aliases = variant.aliases.iter().map(|alias| &alias.value);
        quote!(#private::Choice { name: #name, aliases: &[#(#aliases),*], description: #description })
    });
    quote!(&[#(#choices),*])
}

fn union(
    model: &Model,
    tagging: &Tagging,
    variants: &[Variant],
    private: &TokenStream,
) -> TokenStream {
    let krate = &model.krate;
    let tagging = match tagging {
        Tagging::External => quote!(#private::Tagging::External),
        Tagging::None => quote!(#private::Tagging::None),
        Tagging::Internal(tag) => {
            let tag = &tag.value;
            quote!(#private::Tagging::Internal { tag: #tag })
        }
        Tagging::Adjacent(tag, content) => {
            let (tag, content) = (&tag.value, &content.value);
            quote!(#private::Tagging::Adjacent { tag: #tag, content: #content })
        }
    };
    let unknown = unknown(model.unknown, private);
    let variants = variants.iter().enumerate().map(|(index, variant)| {
        let Variant {
            name, description, ..
        } = variant;
        let aliases = variant.aliases.iter().map(|alias| &alias.value);
        let content = match &variant.body {
            Body::Unit => quote!(#private::Option::None),
            Body::Newtype(field) => {
                let ty = wire(field, model);
                let rules = rules(field, private);
                let schema = quote!(<#ty as #krate::ToolInput>::SCHEMA);
                if rules.is_empty() {
                    quote!(#private::Option::Some(#schema))
                } else {
                    quote!(#private::Option::Some(&#private::refine(
                        #schema,
                        &#private::Rules { #(#rules,)* ..#private::Rules::NONE },
                    )))
                }
            }
            Body::Tuple(fields) => {
                let types = fields.iter().map(|field| wire(field, model));
                quote!(#private::Option::Some(<(#(#types,)*) as #krate::ToolInput>::SCHEMA))
            }
            Body::Struct(_) => {
                let marker = read::marker(index);
                quote!(#private::Option::Some(<#marker<Self> as #private::Object>::OBJECT))
            }
        };
        quote! {
            #private::Variant {
                name: #name,
                aliases: &[#(#aliases),*],
                description: #description,
                content: #content,
            }
        }
    });
    quote!(#private::UnionRules { tagging: #tagging, variants: &[#(#variants),*], unknown: #unknown })
}

/// Consts whose evaluation refuses what tokens cannot tell, each on the token that is wrong.
fn checks(model: &Model) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let mut out = TokenStream::new();
    let mut check = |span: Span, call: TokenStream| {
        out.extend(if model.is_generic() {
            quote_spanned!(span=> #call;)
        } else {
            quote_spanned!(span=> const _: () = #call;)
        });
    };
    for field in model.fields() {
        if field.skip || field.flatten.is_some() {
            continue;
        }
        let ty = wire(field, model);
        let base = quote!(<#ty as #krate::ToolInput>::PRESENT);
        for (span, rule) in rule_checks(field, &private) {
            check(
                span,
                quote_spanned!(span=> #private::check_rule(#base, #rule)),
            );
        }
        let schema = field_schema(field, &ty, model, &private);
        if let Some(DefaultValue::Literal(value)) = &field.default {
            let (span, literal) = (value.span, value.kind.tokens(&private));
            check(
                span,
                quote_spanned!(span=> #private::check_default(#schema, &#literal)),
            );
        }
        if let Some(value) = &field.attrs.example {
            let (span, literal) = (value.span, value.kind.tokens(&private));
            check(
                span,
                quote_spanned!(span=> #private::check_example(#schema, &#literal)),
            );
        }
        if let Some(required) = field.attrs.required
            && !required.value
            && field.default.is_none()
            && model.default_all.is_none()
        {
            let span = required.span;
            check(
                span,
                quote_spanned!(span=> #private::optional_or_default(<#ty as #krate::ToolInput>::OPTIONAL)),
            );
        }
    }
    if let Shape::Struct(fields) = &model.shape
        && let Some(span) = fields.iter().find_map(|field| field.flatten)
    {
        let (ident, generics) = (&model.ident, model.generics.split_for_impl().1);
        check(
            span,
            quote_spanned!(span=> #private::unique_names(<#ident #generics as #krate::ToolInput>::SCHEMA)),
        );
    }
    if let Shape::Union {
        tagging: Tagging::Internal(_),
        variants,
    } = &model.shape
    {
        for variant in variants {
            if let Body::Newtype(field) = &variant.body {
                let ty = wire(field, model);
                let span = field.ty.span();
                check(
                    span,
                    quote_spanned!(span=> #private::tagged_object(<#ty as #krate::ToolInput>::SCHEMA)),
                );
            }
        }
    }
    out
}

fn rule_checks(field: &Field, private: &TokenStream) -> Vec<(Span, TokenStream)> {
    let attrs = &field.attrs;
    let mut out = Vec::new();
    for value in [
        &attrs.min,
        &attrs.max,
        &attrs.exclusive_min,
        &attrs.exclusive_max,
    ]
    .into_iter()
    .flatten()
    {
        let literal = value.0.kind.tokens(private);
        out.push((value.0.span, quote!(#private::Rule::Bound(#literal))));
    }
    if let Some(value) = &attrs.multiple_of {
        let literal = value.0.kind.tokens(private);
        out.push((value.0.span, quote!(#private::Rule::MultipleOf(#literal))));
    }
    for count in [attrs.min_length, attrs.max_length].into_iter().flatten() {
        out.push((count.span, quote!(#private::Rule::Length)));
    }
    for count in [attrs.min_items, attrs.max_items].into_iter().flatten() {
        out.push((count.span, quote!(#private::Rule::Items)));
    }
    if let Some(written) = &attrs.pattern {
        out.push((written.span, quote!(#private::Rule::Pattern)));
    }
    if let Some(switch) = attrs.unique_items {
        out.push((switch.span, quote!(#private::Rule::Unique)));
    }
    if let Some(list) = &attrs.one_of
        && let ValueKind::List(items) = &list.kind
    {
        let rule = if items
            .iter()
            .all(|item| matches!(item, ValueKind::Integer(_)))
        {
            let integers = items.iter().filter_map(|item| match item {
                ValueKind::Integer(value) => Some(proc_macro2::Literal::i128_suffixed(*value)),
                _ => None,
            });
            quote!(#private::Rule::OneOfInteger(&[#(#integers),*]))
        } else {
            let texts = texts(items, private);
            quote!(#private::Rule::OneOfText(#texts))
        };
        out.push((list.span, rule));
    }
    out
}
