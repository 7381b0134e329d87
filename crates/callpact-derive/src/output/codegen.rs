//! Emits the schema of an output, and the conversion of a value to a result.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Type, WherePredicate, parse_quote, spanned::Spanned};

use super::model::{OutputModel, OutputShape};
use crate::{
    codegen::{
        bound,
        checks::DeclarationChecks,
        rules, schema,
        tokens::{self, held},
        wire::wire,
    },
    model::{
        declaration::{FieldModel, FieldPresence, UnknownRule, VariantBody, VariantModel},
        types,
    },
};

pub(super) fn expand(output: &OutputModel, errors: Option<&TokenStream>) -> TokenStream {
    let emitter = OutputEmitter { output };
    let import = tokens::import(&output.krate);
    let schema = emitter.schema();
    let DeclarationChecks { outside, inside } = if errors.is_none() {
        emitter.checks()
    } else {
        DeclarationChecks::default()
    };
    let result = emitter.result(&inside);
    // Tokens in the user's places are subject to the user's lints.
    quote! {
        #errors
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #import
            #outside
            #schema
            #result
        };
    }
}

/// A type as a `ToolOutput`.
fn through(ty: &Type, name: &str) -> TokenStream {
    tokens::through(ty, "ToolOutput", name)
}

struct OutputEmitter<'a> {
    output: &'a OutputModel,
}

/// Fields, with the tag among them and its value.
type OutputObject<'a> = (&'a [FieldModel], Option<(&'a str, &'a str)>);

impl OutputEmitter<'_> {
    fn schema(&self) -> TokenStream {
        let Self { output } = self;
        let ident = &output.ident;
        let generics = self.generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let (schema, again) = self.schemas();
        let keys = self.keys().map(|keys| {
            quote! {
                #[automatically_derived]
                impl #impl_generics __private::OutputKey for #ident #type_generics #where_clause {
                    const KEYS: &'static [__private::Choice] = #keys;
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl #impl_generics __private::ToolOutput for #ident #type_generics #where_clause {
                const SCHEMA: &'static __private::Schema = #schema;
                #again
            }
            #keys
        }
    }

    /// The value of `SCHEMA`, and the constants beside it.
    fn schemas(&self) -> (TokenStream, TokenStream) {
        let Self { output } = self;
        let description = &output.description;
        let object_again = quote!(
            const AGAIN: &'static __private::Schema = __private::OBJECT_AGAIN;
        );
        let any_again = quote!(
            const AGAIN: &'static __private::Schema = __private::ANY_AGAIN;
        );
        match &output.shape {
            OutputShape::Unknown => (quote!(__private::UNUSABLE), TokenStream::new()),
            OutputShape::Body(VariantBody::Newtype(field)) => {
                let description = if field.description.is_empty() {
                    description
                } else {
                    &field.description
                };
                let (schema, present) = (self.part(field, "SCHEMA"), self.part(field, "PRESENT"));
                let again = if FieldModel::is(field.attrs.recursive) {
                    any_again
                } else {
                    let again = self.part(field, "AGAIN");
                    quote!(const AGAIN: &'static __private::Schema = #again;)
                };
                let present = rules::refine(&present, description, &[]);
                (
                    rules::refine(&schema, description, &[]),
                    quote! {
                        const PRESENT: &'static __private::Schema = #present;
                        #again
                    },
                )
            }
            OutputShape::Body(VariantBody::Struct(fields)) => {
                (self.object(fields, None, description), object_again)
            }
            OutputShape::Tagged { tag, name, fields } => {
                let schema = self.object(fields, Some((tag, name)), description);
                (schema, object_again)
            }
            OutputShape::Body(VariantBody::Unit) => {
                let unit: Type = parse_quote!(());
                let schema = through(&unit, "SCHEMA");
                (rules::refine(&schema, description, &[]), TokenStream::new())
            }
            OutputShape::Body(VariantBody::Tuple(fields)) => {
                (self.tuple(fields, description), any_again)
            }
            OutputShape::Names(_) => {
                let names = quote!(<Self as __private::OutputKey>::KEYS);
                (schema::names_of(&names, description), TokenStream::new())
            }
            OutputShape::Union { tagging, variants } => {
                let unknown = UnknownRule::Report;
                let content = |_, variant: &_| self.content(variant, tagging.internal_tag());
                let schema = schema::union(tagging, variants, unknown, description, content);
                (schema, any_again)
            }
        }
    }

    /// The keys, if serde writes the type as a key.
    fn keys(&self) -> Option<TokenStream> {
        match &self.output.shape {
            OutputShape::Names(variants) => Some(schema::choices(variants)),
            OutputShape::Body(VariantBody::Newtype(field))
                if !FieldModel::is(field.attrs.recursive) =>
            {
                let schema = self.part(field, "SCHEMA");
                Some(quote!(__private::output_keys(#schema)))
            }
            _ => None,
        }
    }

    /// A constant of the type whose schema a field has.
    fn part(&self, field: &FieldModel, which: &str) -> TokenStream {
        through(&wire(field, &self.output.ident), which)
    }

    fn object(
        &self,
        fields: &[FieldModel],
        tag: Option<(&str, &str)>,
        description: &str,
    ) -> TokenStream {
        let tag = tag.map(|(key, name)| {
            let choice = schema::choice(name, &[], "");
            let schema = schema::names_of(&quote!(&[#choice]), "");
            let wire = quote!(__private::FieldType::of(const { #schema }, false));
            quote!((#key, "", #wire, __private::NO_RULES))
        });
        let entries = fields.iter().map(|field| {
            let FieldModel {
                name, description, ..
            } = field;
            let which = match field.presence {
                _ if field.flatten.is_some() => "PRESENT",
                FieldPresence::UnlessNone => "PRESENT",
                FieldPresence::Always | FieldPresence::Sometimes => "SCHEMA",
            };
            let schema = self.part(field, which);
            let optional = field.presence != FieldPresence::Always;
            if field.flatten.is_none() {
                let wire = quote!(__private::FieldType::of(#schema, #optional));
                return quote!((#name, #description, #wire, __private::NO_RULES));
            }
            let optional = if optional {
                quote!(true)
            } else {
                let whole = self.part(field, "SCHEMA");
                quote!(#whole.nullable)
            };
            let wire = quote!(__private::FieldType::of(#schema, #optional));
            quote!(("", #description, #wire, &[__private::Rule::Flatten]))
        });
        schema::laid_out(
            tag.into_iter().chain(entries),
            description,
            UnknownRule::Report,
        )
    }

    /// An array with a form for each position.
    fn tuple(&self, fields: &[FieldModel], description: &str) -> TokenStream {
        if fields.is_empty() {
            let empty: Type = parse_quote!([(); 0]);
            return rules::refine(&through(&empty, "SCHEMA"), description, &[]);
        }
        let items = fields.iter().map(|field| {
            let schema = rules::refine(&self.part(field, "SCHEMA"), &field.description, &[]);
            held(&schema)
        });
        let items = held(&quote!(const { &[#(#items),*] }));
        schema::node(&quote!(__private::Kind::Tuple(#items)), description)
    }

    /// The schema of what a variant holds, if it holds anything.
    fn content(&self, variant: &VariantModel, tag: Option<&str>) -> Option<TokenStream> {
        match (&variant.body, tag) {
            (VariantBody::Unit, _) => None,
            (VariantBody::Newtype(field), None) => {
                let schema = self.part(field, "SCHEMA");
                Some(rules::refine(&schema, &field.description, &[]))
            }
            (VariantBody::Newtype(field), Some(_)) => {
                let schema = self.part(field, "SCHEMA");
                Some(quote!(&__private::tagged_output(#schema)))
            }
            (VariantBody::Tuple(fields), _) => Some(self.tuple(fields, "")),
            (VariantBody::Struct(fields), _) => {
                Some(self.object(fields, None, &variant.description))
            }
        }
    }

    /// The rules that tokens cannot check, each on the token that is wrong. A rule that depends on a
    /// parameter is checked where the parameter is known.
    fn checks(&self) -> DeclarationChecks {
        let Self { output } = self;
        let params = types::params(&output.generics);
        let mut out = DeclarationChecks::default();
        let mut objects: Vec<OutputObject<'_>> = Vec::new();
        match &output.shape {
            OutputShape::Body(VariantBody::Struct(fields)) => objects.push((fields, None)),
            OutputShape::Tagged { tag, name, fields } => objects.push((fields, Some((tag, name)))),
            OutputShape::Union { tagging, variants } => {
                let tag = tagging.internal_tag();
                for variant in variants {
                    match (&variant.body, tag) {
                        (VariantBody::Newtype(field), Some(tag)) => {
                            let schema = self.part(field, "SCHEMA");
                            let generic = types::mentions(&field.ty, &params);
                            let schema = quote!(#schema, #tag);
                            out.add(generic, field.ty.span(), "check_tagged_output", schema);
                        }
                        (VariantBody::Struct(fields), tag) => {
                            let tag = tag.map(|tag| (tag, variant.name.as_str()));
                            objects.push((fields, tag));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        for (fields, tag) in objects {
            let flattened = fields.iter().filter(|field| field.flatten.is_some());
            let Some(span) = flattened.clone().find_map(|field| field.flatten) else {
                continue;
            };
            for field in flattened {
                let generic = types::mentions(&field.ty, &params);
                let schema = self.part(field, "PRESENT");
                out.add(generic, field.ty.span(), "flattened_output", schema);
            }
            let object = self.object(fields, tag, "");
            let object = quote!(const { #object });
            out.add(output.is_generic(), span, "unique_output_names", object);
        }
        out
    }

    /// `impl IntoToolResult`.
    fn result(&self, checks: &TokenStream) -> TokenStream {
        let Self { output } = self;
        let ident = &output.ident;
        let mut generics = self.generics();
        let itself = {
            let (_, types, _) = output.generics.split_for_impl();
            quote!(#ident #types)
        };
        // Without parameters, the compiler checks this bound here, on the user's token.
        let bound: WherePredicate = parse_quote!(#itself: __private::Serialize);
        generics.make_where_clause().predicates.push(bound);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let text = if output.display {
            quote!(__private::structured_display(&self))
        } else {
            quote!(__private::structured(&self))
        };
        quote! {
            #[automatically_derived]
            impl #impl_generics __private::IntoToolResult for #ident #type_generics #where_clause {
                fn into_tool_result(self) -> __private::ToolResult {
                    #text
                }

                fn output_schema() -> __private::Option<&'static __private::Schema> {
                    #checks
                    const { __private::output_of(<Self as __private::ToolOutput>::SCHEMA) }
                }
            }
        }
    }

    /// The parameters, with the bounds that the fields need.
    fn generics(&self) -> Generics {
        let generics = &self.output.generics;
        let fields = self.output.fields().into_iter();
        let bounds =
            fields.flat_map(|field| bound::of_parameters(&field.ty, generics, "ToolOutput"));
        bound::bounded(generics, bounds)
    }
}
