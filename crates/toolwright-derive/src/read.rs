//! Emits the reader's parts: slots and which field goes into which, variants, conversions.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use crate::{
    literal::DefaultValue,
    model::{Body, Field, Model, Variant},
    schema, types,
};

/// `impl Object for Self`.
pub(crate) fn object(model: &Model, fields: &[Field]) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let ident = &model.ident;
    let generics = generics(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let constructor = quote!(Self);
    let body = object_body(model, fields, &constructor, model.validate.as_ref());
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::Object for #ident #type_generics #where_clause {
            type Out = Self;
            const OBJECT: &'static #private::Schema = <Self as #krate::ToolInput>::SCHEMA;
            #body
        }
    }
}

/// The generics with the bounds of the main impl.
fn generics(model: &Model) -> syn::Generics {
    let mut generics = model.generics.clone();
    let krate = &model.krate;
    if model.is_generic() {
        let (ident, type_generics) = (&model.ident, model.generics.split_for_impl().1);
        let own: syn::WherePredicate = syn::parse_quote!(#ident #type_generics: #krate::ToolInput);
        let fields = model.fields();
        let used: Vec<Ident> = model
            .generics
            .type_params()
            .filter(|param| {
                fields.iter().any(|field| {
                    let ty = field.attrs.with.as_ref().map_or(&field.ty, |with| &with.0);
                    !field.skip && types::mentions(ty, &[&param.ident])
                })
            })
            .map(|param| param.ident.clone())
            .collect();
        let clause = generics.make_where_clause();
        for param in used {
            clause
                .predicates
                .push(syn::parse_quote!(#param: #krate::ToolInput));
        }
        let _ = own;
    }
    generics
}

/// The members of an `Object` impl but `Out` and `OBJECT`.
fn object_body(
    model: &Model,
    fields: &[Field],
    constructor: &TokenStream,
    validate: Option<&syn::Path>,
) -> TokenStream {
    let private = model.private();
    let slots: Vec<&Field> = fields.iter().filter(|field| !field.skip).collect();
    let types = slots.iter().map(|field| {
        let ty = &field.ty;
        match field.flatten {
            Some(_) => quote_spanned!(ty.span()=> <#ty as #private::Object>::Slots),
            None => quote!(#private::Option<#ty>),
        }
    });
    let empty = slots.iter().map(|field| {
        let ty = &field.ty;
        match field.flatten {
            Some(_) => quote!(<#ty as #private::Object>::slots()),
            None => quote!(#private::Option::None),
        }
    });
    let read = dispatch(model, &slots, Step::Read);
    let fill = dispatch(model, &slots, Step::Fill);
    let read_other = read_other(model, &slots);
    let build = build(model, fields, constructor, validate);
    quote! {
        type Slots = (#(#types,)*);

        fn slots() -> Self::Slots {
            (#(#empty,)*)
        }

        fn read<'__de, __A: #private::MapAccess<'__de>>(
            __slots: &mut Self::Slots,
            __field: #private::usize,
            __map: &mut __A,
            mut __at: #private::At<'_>,
        ) -> #private::Result<(), __A::Error> {
            #read
            #private::Result::Ok(())
        }

        fn fill(__slots: &mut Self::Slots, __field: #private::usize, mut __at: #private::At<'_>) {
            #fill
        }

        #read_other

        fn build(__slots: Self::Slots, mut __at: #private::At<'_>) -> #private::Option<Self::Out> {
            #build
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Read,
    Fill,
}

/// A `match` over the numbers of fields; with flattened structs, a walk that subtracts their
/// widths, which are known only to the compiler.
fn dispatch(model: &Model, slots: &[&Field], step: Step) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    if slots.iter().all(|field| field.flatten.is_none()) {
        let arms = slots.iter().enumerate().filter_map(|(index, field)| {
            let action = action(model, index, field, step)?;
            let number = Literal::usize_unsuffixed(index);
            Some(quote!(#number => { #action }))
        });
        return quote! {
            match __field {
                #(#arms)*
                _ => {}
            }
        };
    }
    let steps = slots.iter().enumerate().map(|(index, field)| {
        let place = Literal::usize_unsuffixed(index);
        if field.flatten.is_none() {
            let action = action(model, index, field, step);
            let done = match step {
                Step::Read => quote!(return #private::Result::Ok(());),
                Step::Fill => quote!(return;),
            };
            return quote! {
                if __field == 0 {
                    #action
                    #done
                }
                let __field = __field - 1;
            };
        }
        let ty = &field.ty;
        let call = match step {
            Step::Read => quote! {
                return <#ty as #private::Object>::read(&mut __slots.#place, __field, __map, __at);
            },
            Step::Fill => quote! {
                return <#ty as #private::Object>::fill(&mut __slots.#place, __field, __at);
            },
        };
        quote! {
            if __field < #private::width(<#ty as #krate::ToolInput>::SCHEMA) {
                #call
            }
            let __field = __field - #private::width(<#ty as #krate::ToolInput>::SCHEMA);
        }
    });
    quote! {
        #(#steps)*
        let _ = (__field, &mut __at);
    }
}

/// What one field does in a step; nothing for filling a field that is always required.
fn action(model: &Model, index: usize, field: &Field, step: Step) -> Option<TokenStream> {
    let private = model.private();
    let place = Literal::usize_unsuffixed(index);
    let value = match step {
        Step::Read => field_value(model, field),
        Step::Fill => fill_value(model, field)?,
    };
    Some(quote!(__slots.#place = #value;))
        .map(|tokens| {
            if step == Step::Fill {
                quote!(#tokens let _ = &mut __at;)
            } else {
                tokens
            }
        })
        .map(|tokens| {
            let _ = &private;
            tokens
        })
}

fn field_value(model: &Model, field: &Field) -> TokenStream {
    let private = model.private();
    let ty = &field.ty;
    match &field.attrs.with {
        None => quote_spanned!(ty.span()=> #private::value::<__A, #ty>(__map, __at)?),
        Some(_) => {
            let wire = schema::wire(field, model);
            let value = quote!(#private::value::<__A, #wire>(__map, __at.reborrow())?);
            converted(model, field, &value)
        }
    }
}

/// A value of the wire type as one of the field's type.
fn converted(model: &Model, field: &Field, value: &TokenStream) -> TokenStream {
    let private = model.private();
    let Some(with) = &field.attrs.with else {
        return value.clone();
    };
    let with = &with.0;
    match types::inside_option(&field.ty) {
        None => {
            let ty = &field.ty;
            quote_spanned!(with.span()=> #private::converted::<#with, #ty>(#value, __at))
        }
        Some(inner) => {
            quote_spanned!(with.span()=> #private::converted_option::<#with, #inner>(#value, __at))
        }
    }
}

/// What stands in for a value that was left out.
fn fill_value(model: &Model, field: &Field) -> Option<TokenStream> {
    let private = model.private();
    let krate = &model.krate;
    let ty = &field.ty;
    if let Some(default) = &field.default {
        if let DefaultValue::Literal(value) = default {
            let literal = value.kind.tokens(&private);
            let wire = schema::wire(field, model);
            // A recursive field is described openly, but read as what it is.
            let read_as = if field.attrs.with.is_some() {
                &wire
            } else {
                ty
            };
            let read = quote!(#private::default_of::<#read_as>(&#literal, __at.reborrow()));
            return Some(converted(model, field, &read));
        }
        let expression = default.expression(ty, &private)?;
        return Some(quote!(#private::Option::Some(#expression)));
    }
    if let Some(span) = model.default_all {
        let member = &field.member;
        return Some(
            quote_spanned!(span=> #private::Option::Some(<Self as #private::Default>::default().#member)),
        );
    }
    if Field::is(field.attrs.required) {
        return None;
    }
    match &field.attrs.with {
        None => Some(quote!(<#ty as #krate::ToolInput>::absent())),
        Some(_) if types::inside_option(ty).is_some() => {
            Some(quote!(#private::Option::Some(#private::Option::None)))
        }
        Some(_) => None,
    }
}

fn read_other(model: &Model, slots: &[&Field]) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let arms: Vec<TokenStream> = slots
        .iter()
        .enumerate()
        .filter(|(_, field)| field.flatten.is_some())
        .map(|(index, field)| {
            let place = Literal::usize_unsuffixed(index);
            let ty = &field.ty;
            quote! {
                if #private::takes_others(<#ty as #krate::ToolInput>::SCHEMA) {
                    return <#ty as #private::Object>::read_other(&mut __slots.#place, __key, __map, __at);
                }
            }
        })
        .collect();
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote! {
        fn read_other<'__de, __A: #private::MapAccess<'__de>>(
            __slots: &mut Self::Slots,
            __key: &#private::str,
            __map: &mut __A,
            __at: #private::At<'_>,
        ) -> #private::Result<(), __A::Error> {
            #(#arms)*
            #private::skip_value(__map)
        }
    }
}

fn build(
    model: &Model,
    fields: &[Field],
    constructor: &TokenStream,
    validate: Option<&syn::Path>,
) -> TokenStream {
    let private = model.private();
    let mut place = 0;
    let mut early = TokenStream::new();
    let mut members = Vec::new();
    for field in fields {
        let member = &field.member;
        if field.skip {
            let value = skipped(model, field);
            members.push(quote!(#member: #value));
            continue;
        }
        let index = Literal::usize_unsuffixed(place);
        let local = format_ident!("__value{place}");
        place += 1;
        if field.flatten.is_some() {
            let ty = &field.ty;
            early.extend(quote! {
                let #local = <#ty as #private::Object>::build(__slots.#index, __at.reborrow());
            });
            members.push(quote!(#member: #local?));
        } else {
            members.push(quote!(#member: __slots.#index?));
        }
    }
    let value = quote!(#private::Option::Some(#constructor { #(#members,)* }));
    match validate {
        None => quote! {
            #early
            let _ = &mut __at;
            #value
        },
        Some(rule) => quote! {
            #early
            #private::validated(#value, #rule, __at)
        },
    }
}

fn skipped(model: &Model, field: &Field) -> TokenStream {
    let private = model.private();
    let ty = &field.ty;
    match &field.default {
        None => quote_spanned!(ty.span()=> <#ty as #private::Default>::default()),
        Some(DefaultValue::Literal(value)) => {
            let literal = value.kind.tokens(&private);
            quote!(#private::default_of::<#ty>(&#literal, __at.reborrow())?)
        }
        Some(other) => other.expression(ty, &private).unwrap_or_default(),
    }
}

pub(crate) fn newtype(model: &Model, field: &Field) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let wire = schema::wire(field, model);
    let ty = if field.attrs.with.is_some() {
        &wire
    } else {
        &field.ty
    };
    let read = quote!(<#ty as #krate::ToolInput>::read(__source, __at.reborrow())?);
    let inner = converted_reborrowed(model, field, &read);
    let member = &field.member;
    validated(
        model,
        &quote!(match #inner {
            #private::Option::Some(__value) => #private::Option::Some(Self { #member: __value }),
            #private::Option::None => #private::Option::None,
        }),
    )
}

fn converted_reborrowed(model: &Model, field: &Field, value: &TokenStream) -> TokenStream {
    let private = model.private();
    let Some(with) = &field.attrs.with else {
        return value.clone();
    };
    let (with, ty) = (&with.0, &field.ty);
    match types::inside_option(ty) {
        None => quote!(#private::converted::<#with, #ty>(#value, __at.reborrow())),
        Some(inner) => {
            quote!(#private::converted_option::<#with, #inner>(#value, __at.reborrow()))
        }
    }
}

/// `absent` of a newtype, which is that of the type inside.
pub(crate) fn newtype_absent(model: &Model, field: &Field) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let (ty, member) = (&field.ty, &field.member);
    if field.attrs.with.is_some() {
        return TokenStream::new();
    }
    quote! {
        fn absent() -> #private::Option<Self> {
            match <#ty as #krate::ToolInput>::absent() {
                #private::Option::Some(__value) => #private::Option::Some(Self { #member: __value }),
                #private::Option::None => #private::Option::None,
            }
        }
    }
}

fn validated(model: &Model, value: &TokenStream) -> TokenStream {
    let private = model.private();
    match &model.validate {
        None => quote!(#private::Result::Ok(#value)),
        Some(rule) => quote! {
            let __value = #value;
            #private::Result::Ok(#private::validated(__value, #rule, __at))
        },
    }
}

/// The body of `read` for an enum of unit variants.
pub(crate) fn names(model: &Model, variants: &[Variant], choices: &TokenStream) -> TokenStream {
    let private = model.private();
    let arms = unit_arms(variants, &private);
    validated(
        model,
        &quote! {
            match #private::read_choice(__source, #choices, __at.reborrow())? {
                #(#arms)*
                _ => #private::Option::None,
            }
        },
    )
}

fn unit_arms<'a>(
    variants: &'a [Variant],
    private: &'a TokenStream,
) -> impl Iterator<Item = TokenStream> + 'a {
    variants
        .iter()
        .enumerate()
        .filter(|(_, variant)| matches!(variant.body, Body::Unit))
        .map(move |(index, variant)| {
            let (number, ident) = (Literal::usize_unsuffixed(index), &variant.ident);
            quote!(#private::Option::Some(#number) => #private::Option::Some(Self::#ident),)
        })
}

/// An enum of unit variants can be the key of a map.
pub(crate) fn map_key(model: &Model, variants: &[Variant], choices: &TokenStream) -> TokenStream {
    let private = model.private();
    let ident = &model.ident;
    let (impl_generics, type_generics, where_clause) = model.generics.split_for_impl();
    let arms = variants.iter().map(|variant| {
        let (name, ident) = (&variant.name, &variant.ident);
        quote!(#name => #private::Option::Some(Self::#ident),)
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::MapKey for #ident #type_generics #where_clause {
            const KEYS: &'static [#private::Choice] = #choices;

            fn from_text(__text: &#private::str) -> #private::Option<Self> {
                match __text {
                    #(#arms)*
                    _ => #private::Option::None,
                }
            }
        }
    }
}

pub(crate) fn union_body(model: &Model) -> TokenStream {
    let private = model.private();
    validated(
        model,
        &quote!(#private::read_union::<__D, Self>(__source, __at.reborrow())?),
    )
}

/// The type that stands for a variant with named fields.
pub(crate) fn marker(index: usize) -> Ident {
    format_ident!("__Variant{index}")
}

/// `impl Union for Self`, and an object for each variant with named fields.
pub(crate) fn union(model: &Model, variants: &[Variant]) -> TokenStream {
    let private = model.private();
    let krate = &model.krate;
    let ident = &model.ident;
    let generics = generics(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let mut objects = TokenStream::new();
    let read_arms = variants.iter().enumerate().filter_map(|(index, variant)| {
        let number = Literal::usize_unsuffixed(index);
        let name = &variant.ident;
        let read = match &variant.body {
            Body::Unit => return None,
            Body::Newtype(field) => {
                let wire = schema::wire(field, model);
                let ty = if field.attrs.with.is_some() { &wire } else { &field.ty };
                let read = quote!(<#ty as #krate::ToolInput>::read(__source, __at.reborrow())?);
                let value = converted_reborrowed(model, field, &read);
                quote! {
                    match #value {
                        #private::Option::Some(__value) => #private::Option::Some(Self::#name(__value)),
                        #private::Option::None => #private::Option::None,
                    }
                }
            }
            Body::Tuple(fields) => {
                let types = fields.iter().map(|field| &field.ty);
                let locals: Vec<Ident> =
                    (0..fields.len()).map(|place| format_ident!("__value{place}")).collect();
                quote! {
                    match <(#(#types,)*) as #krate::ToolInput>::read(__source, __at.reborrow())? {
                        #private::Option::Some((#(#locals,)*)) => {
                            #private::Option::Some(Self::#name(#(#locals),*))
                        }
                        #private::Option::None => #private::Option::None,
                    }
                }
            }
            Body::Struct(_) => {
                let marker = marker(index);
                quote!(#private::read_object::<__D, #marker<Self>>(__source, __at.reborrow())?)
            }
        };
        Some(quote!(#number => #read,))
    });
    let read_arms: Vec<TokenStream> = read_arms.collect();
    for (index, variant) in variants.iter().enumerate() {
        let Body::Struct(fields) = &variant.body else {
            continue;
        };
        let (marker, name) = (marker(index), &variant.ident);
        let constructor = quote!(#ident::#name);
        let body = object_body(model, fields, &constructor, None);
        let rules = schema::object(fields, model, &private);
        let description = &variant.description;
        objects.extend(quote! {
            struct #marker<__T>(#private::PhantomData<__T>);

            #[automatically_derived]
            impl #impl_generics #private::Object for #marker<#ident #type_generics> #where_clause {
                type Out = #ident #type_generics;
                const OBJECT: &'static #private::Schema = &#private::Schema {
                    description: #description,
                    ..#private::Schema::of(#private::Kind::Object(#rules))
                };
                #body
            }
        });
    }
    let unit_arms = unit_arms(variants, &private);
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::Union for #ident #type_generics #where_clause {
            const UNION: &'static #private::Schema = <Self as #krate::ToolInput>::SCHEMA;

            fn read<'__de, __D: #private::Deserializer<'__de>>(
                __variant: #private::usize,
                __source: __D,
                mut __at: #private::At<'_>,
            ) -> #private::Result<#private::Option<Self>, __D::Error> {
                #private::Result::Ok(match __variant {
                    #(#read_arms)*
                    _ => #private::unusable(__source, __at.reborrow())?,
                })
            }

            fn unit(__variant: #private::usize) -> #private::Option<Self> {
                match #private::Option::Some(__variant) {
                    #(#unit_arms)*
                    _ => #private::Option::None,
                }
            }
        }

        #objects
    }
}
