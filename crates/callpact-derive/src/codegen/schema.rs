//! Emits the const schema.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Type, ext::IdentExt};

use super::{
    bound,
    rules::{self, refine_by_field, said},
    tokens::{self, held, input},
    wire::{marker, wire},
};
use crate::{
    attrs::values::SpannedStr,
    model::{
        declaration::{
            FieldModel, InputModel, TypeShape, UnionTagging, UnknownRule, VariantBody, VariantModel,
        },
        types,
    },
};

/// The constants of the impl.
pub(crate) struct ImplConsts {
    /// The value of `SCHEMA`.
    pub(crate) schema: TokenStream,
    /// Other constants that differ from the defaults of the trait.
    pub(crate) others: TokenStream,
    /// Further impls.
    pub(crate) items: TokenStream,
}

impl ImplConsts {
    pub(crate) fn of(model: &InputModel) -> Self {
        let description = &model.description;
        let mut items = TokenStream::new();
        let (schema, others) = match &model.shape {
            TypeShape::Struct(fields) => {
                let itself = model.itself().to_token_stream();
                items = declared(fields, model, description, &itself);
                let mut schema = tree(fields);
                if fans_out(model, fields) {
                    let count = count(fields);
                    items.extend(quote! {
                        static __SCHEMA: __private::Schema =
                            __private::static_tree::<#itself, #count>();
                    });
                    schema = quote!(&__SCHEMA);
                }
                (schema, again(&quote!(__private::OBJECT_AGAIN), model))
            }
            TypeShape::Newtype(field) => return newtype(model, field),
            TypeShape::Names(variants) => {
                (names_of_type(variants, description), TokenStream::new())
            }
            TypeShape::Union { tagging, variants } => (
                union(
                    tagging,
                    variants,
                    model.unknown,
                    description,
                    |index, variant| content(model, index, variant),
                ),
                again(&union_again(tagging, variants), model),
            ),
        };
        Self {
            schema: with_name(model, checked(model, schema)),
            others,
            items,
        }
    }
}

/// A schema with the author's check of its values, if there is one.
fn checked(model: &InputModel, schema: TokenStream) -> TokenStream {
    if model.validate.is_none() {
        return schema;
    }
    quote!(&__private::checked_by(#schema, __private::check_by_reading::<Self>))
}

/// A schema with a kind and a description only.
pub(crate) fn node(kind: &TokenStream, description: &str) -> TokenStream {
    node_with(kind, description, &quote!(__private::CodeRules::NONE))
}

fn node_with(kind: &TokenStream, description: &str, code: &TokenStream) -> TokenStream {
    let description = held(&quote!(#description));
    quote!(&__private::Schema {
        kind: #kind,
        description: #description,
        nullable: false,
        default: __None,
        example: __None,
        secret: false,
        name: __private::Held::Static(""),
        mark: 0,
        code: #code,
        extra: __None,
    })
}

fn newtype(model: &InputModel, field: &FieldModel) -> ImplConsts {
    let ty = wire(field, &model.ident);
    let description = if field.description.is_empty() {
        &model.description
    } else {
        &field.description
    };
    let refine = |base: &TokenStream| refine_by_field(base, field, description);
    let present = checked(model, refine(&input(&ty, "PRESENT")));
    let optional = input(&ty, "OPTIONAL");
    let again = if FieldModel::is(field.attrs.recursive) {
        again(&quote!(__private::ANY_AGAIN), model)
    } else {
        again(&input(&ty, "AGAIN"), model)
    };
    ImplConsts {
        schema: with_name(model, checked(model, refine(&input(&ty, "SCHEMA")))),
        others: quote! {
            const PRESENT: &'static __private::Schema = #present;
            const OPTIONAL: __private::bool = #optional;
            #again
        },
        items: TokenStream::new(),
    }
}

/// The schema of an object, as an expression for a const block.
pub(crate) fn object<'a>(
    fields: impl IntoIterator<Item = &'a FieldModel>,
    model: &InputModel,
    description: &str,
) -> TokenStream {
    laid_out(declarations(fields, model), description, model.unknown)
}

fn declarations<'a>(
    fields: impl IntoIterator<Item = &'a FieldModel>,
    model: &InputModel,
) -> impl Iterator<Item = TokenStream> {
    let fields = fields.into_iter().filter(|field| field.skip.is_none());
    fields.map(|field| declaration(field, model))
}

/// The schema of `Self`, made from the constants of [`declared`].
pub(crate) fn tree(fields: &[FieldModel]) -> TokenStream {
    let count = count(fields);
    quote!(__private::tree::<Self, #count>())
}

/// Whether several fields may have types with fields of their own, so that the schema is a static. A static cannot
/// depend on type parameters.
fn fans_out(model: &InputModel, fields: &[FieldModel]) -> bool {
    let fields = fields.iter().filter(|field| field.skip.is_none());
    let others = fields.filter(|field| !types::has_plain_name(&wire(field, &model.ident)));
    !model.is_generic() && others.count() > 1
}

/// `impl Declared`, with the declaration of an object.
pub(crate) fn declared(
    fields: &[FieldModel],
    model: &InputModel,
    description: &str,
    ty: &TokenStream,
) -> TokenStream {
    let (count, unknown) = (count(fields), unknown(model.unknown));
    let declarations = declarations(fields, model);
    tokens::implement(
        &bound::generics(model),
        &quote!(Declared<#count>),
        ty,
        &quote! {
            const MARK_TYPES_THAT_CONTAIN_EACH_OTHER_RECURSIVE: __private::Said<#count> = (#description, #unknown, [#(#declarations),*]);
        },
    )
}

/// The number of fields in the schema.
fn count(fields: &[FieldModel]) -> Literal {
    Literal::usize_unsuffixed(fields.iter().filter(|field| field.skip.is_none()).count())
}

/// An object of declarations. Each list is a separate constant, since only there a borrow lasts for `'static`.
pub(crate) fn laid_out(
    declarations: impl Iterator<Item = TokenStream>,
    description: &str,
    unknown: UnknownRule,
) -> TokenStream {
    let unknown = self::unknown(unknown);
    quote!(&__private::object(#description, #unknown, const {
        &__private::fields(const { &__private::parts([#(#declarations),*]) })
    }))
}

fn unknown(unknown: UnknownRule) -> TokenStream {
    let variant = format_ident!("{unknown:?}");
    quote!(__private::Unknown::#variant)
}

/// The declaration of a field.
fn declaration(field: &FieldModel, model: &InputModel) -> TokenStream {
    if field.flatten.is_some() {
        let schema = tokens::object(&field.ty, "OBJECT");
        let rules = quote!(&[__private::Rule::Flatten]);
        return quote!(("", "", __private::FieldType::of(#schema, false), #rules));
    }
    let FieldModel {
        name, description, ..
    } = field;
    let presence = presence(field, model);
    let mut said = said(field);
    if !field.aliases.is_empty() {
        let aliases = field.aliases.iter().map(|alias| &alias.value);
        said.push(quote!(Aliases(&[#(#aliases),*])));
    }
    if FieldModel::is(field.attrs.keep_empty) {
        said.push(quote!(KeepEmpty));
    }
    let rules = rules::list(&said);
    quote!((#name, #description, #presence, #rules))
}

/// The demands of a field on its type.
fn presence(field: &FieldModel, model: &InputModel) -> TokenStream {
    let ty = wire(field, &model.ident);
    if field.attrs.required.is_some_and(|switch| switch.value) {
        // With null, which elsewhere means an absent value.
        let schema = input(&ty, "SCHEMA");
        return quote!(__private::FieldType::of(#schema, false));
    }
    let wire = input(&ty, "FIELD");
    let has_default = field.default.is_some() || model.default_all.is_some();
    if has_default || field.attrs.required.is_some() {
        quote!(#wire.or_default())
    } else {
        wire
    }
}

/// The constant that refers to the type inside its own schema.
fn again(schema: &TokenStream, model: &InputModel) -> TokenStream {
    let name = model.ident.unraw().to_string();
    quote! {
        const AGAIN: &'static __private::Schema =
            &__private::inside_itself(#schema, #name, __private::whole_schema::<Self>);
    }
}

/// The schema of a type, with its name if it contains itself.
fn with_name(model: &InputModel, schema: TokenStream) -> TokenStream {
    if !model.is_recursive() {
        return schema;
    }
    let name = model.ident.unraw().to_string();
    quote!(&__private::named(const { #schema }, #name))
}

/// The forms of a union, without their content.
fn union_again(tagging: &UnionTagging, variants: &[VariantModel]) -> TokenStream {
    let objects = variants
        .iter()
        .all(|variant| matches!(variant.body, VariantBody::Struct(_)));
    if let UnionTagging::None = tagging
        && !objects
    {
        return quote!(__private::ANY_AGAIN);
    }
    let names: Vec<&VariantModel> = variants
        .iter()
        .filter(|variant| matches!(variant.body, VariantBody::Unit))
        .collect();
    if names.is_empty() || !matches!(tagging, UnionTagging::External) {
        return quote!(__private::OBJECT_AGAIN);
    }
    let name = form("", &[], "", Some(&names_of(&choices(names), "")));
    let object = form("", &[], "", Some(&quote!(__private::OBJECT_AGAIN)));
    union_of(
        &quote!(__private::Tagging::None),
        &[name, object],
        UnknownRule::Report,
        "",
    )
}

/// The schema of names.
pub(crate) fn names_of(choices: &TokenStream, description: &str) -> TokenStream {
    let kind = quote!(__private::Kind::Text(__private::Text::one_of(#choices)));
    node(&kind, description)
}

/// The schema of an enum, which knows the other names of its variants.
fn names_of_type(variants: &[VariantModel], description: &str) -> TokenStream {
    let choices = quote!(<Self as __private::MapKey>::KEYS);
    if variants.iter().all(|variant| variant.aliases.is_empty()) {
        return names_of(&choices, description);
    }
    let kind = quote!(__private::Kind::Text(__private::Text::one_of(#choices)));
    let code = quote!(__private::CodeRules::names::<Self>());
    node_with(&kind, description, &code)
}

pub(crate) fn choices<'a>(variants: impl IntoIterator<Item = &'a VariantModel>) -> TokenStream {
    let choices = variants.into_iter().map(|variant| {
        let VariantModel {
            name, description, ..
        } = variant;
        choice(name, &variant.aliases, description)
    });
    quote!(&[#(#choices),*])
}

/// One of the names of a type.
pub(crate) fn choice(name: &str, aliases: &[SpannedStr], description: &str) -> TokenStream {
    let aliases = aliases.iter().map(|alias| &alias.value);
    let (name, description) = (held(&quote!(#name)), held(&quote!(#description)));
    quote!(__private::Choice { name: #name, aliases: &[#(#aliases),*], description: #description })
}

/// One form of a union.
fn form(
    name: &str,
    aliases: &[SpannedStr],
    description: &str,
    content: Option<&TokenStream>,
) -> TokenStream {
    let aliases = aliases.iter().map(|alias| &alias.value);
    let (name, description) = (held(&quote!(#name)), held(&quote!(#description)));
    let content = if let Some(content) = content.map(held) {
        // In braces for the reason that `held` gives.
        quote!(__Some { 0: #content })
    } else {
        quote!(__None)
    };
    quote! {
        __private::Variant {
            name: #name,
            aliases: &[#(#aliases),*],
            description: #description,
            content: #content,
        }
    }
}

/// The schema of a union.
fn union_of(
    tagging: &TokenStream,
    forms: &[TokenStream],
    unknown: UnknownRule,
    description: &str,
) -> TokenStream {
    let unknown = self::unknown(unknown);
    // In a separate constant: to find the borrows that last, the compiler visits a whole constant once more for
    // each level of references in it.
    let forms = held(&quote!(const { &[#(#forms),*] }));
    let kind = quote!(__private::Kind::Union(__private::UnionRules {
        tagging: #tagging,
        variants: #forms,
        unknown: #unknown,
    }));
    node(&kind, description)
}

/// The schema of an enum. `content` is the schema of what a variant holds, if it holds anything.
pub(crate) fn union(
    tagging: &UnionTagging,
    variants: &[VariantModel],
    unknown: UnknownRule,
    description: &str,
    content: impl Fn(usize, &VariantModel) -> Option<TokenStream>,
) -> TokenStream {
    let forms = variants.iter().enumerate().map(|(index, variant)| {
        let VariantModel {
            name,
            aliases,
            description,
            ..
        } = variant;
        form(name, aliases, description, content(index, variant).as_ref())
    });
    let forms: Vec<TokenStream> = forms.collect();
    union_of(&self::tagging(tagging), &forms, unknown, description)
}

/// The schema of what a variant of an input holds.
fn content(model: &InputModel, index: usize, variant: &VariantModel) -> Option<TokenStream> {
    match &variant.body {
        VariantBody::Unit => None,
        VariantBody::Newtype(field) => {
            let schema = input(&wire(field, &model.ident), "SCHEMA");
            Some(refine_by_field(&schema, field, &field.description))
        }
        VariantBody::Tuple(fields) => {
            let types = fields.iter().map(|field| wire(field, &model.ident));
            let types: Vec<Type> = types.collect();
            Some(input(&tokens::tuple(&types), "SCHEMA"))
        }
        VariantBody::Struct(_) => {
            let marker = marker(index);
            Some(quote!(<#marker<Self> as __private::QuickObject>::OBJECT))
        }
    }
}

fn tagging(tagging: &UnionTagging) -> TokenStream {
    match tagging {
        UnionTagging::External => quote!(__private::Tagging::External),
        UnionTagging::None => quote!(__private::Tagging::None),
        UnionTagging::Internal(tag) => {
            let tag = &tag.value;
            let tag = held(&quote!(#tag));
            quote!(__private::Tagging::Internal { tag: #tag })
        }
        UnionTagging::Adjacent(tag, content) => {
            let (tag, content) = (&tag.value, &content.value);
            let tag = held(&quote!(#tag));
            let content = held(&quote!(#content));
            quote!(__private::Tagging::Adjacent { tag: #tag, content: #content })
        }
    }
}
