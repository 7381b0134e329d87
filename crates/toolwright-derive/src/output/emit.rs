//! Emits the schema of an output, and the way from a value to a result.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::quote;
use syn::{Generics, Type, WherePredicate, parse_quote, spanned::Spanned};

use super::model::{Body, Field, Output, Presence, Shape, Variant};
use crate::{
    emit::tokens::{Through, held, moved},
    mean::{model::Tagging, types},
};

pub(super) fn expand(output: &Output, errors: Option<&TokenStream>) -> TokenStream {
    let emitter = Emitter {
        output,
        private: {
            let krate = &output.krate;
            quote!(#krate::__private)
        },
    };
    let schema = emitter.schema();
    let result = emitter.result(errors.is_none());
    let checks = errors.is_none().then(|| emitter.checks(false));
    // Tokens in the user's places are subject to the user's lints.
    quote! {
        #errors
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #checks
            #schema
            #result
        };
    }
}

struct Emitter<'a> {
    output: &'a Output,
    private: TokenStream,
}

/// Fields, with the tag among them and its value.
type Object<'a> = (&'a [Field], Option<(&'a String, &'a String)>);

impl Emitter<'_> {
    fn schema(&self) -> TokenStream {
        let Self { output, private } = self;
        let krate = &output.krate;
        let ident = &output.ident;
        let generics = self.generics();
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let (schema, again) = self.schemas();
        let keys = self.keys().map(|keys| {
            quote! {
                #[automatically_derived]
                impl #impl_generics #private::OutputKey for #ident #type_generics #where_clause {
                    const KEYS: &'static [#private::Choice] = #keys;
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl #impl_generics #krate::ToolOutput for #ident #type_generics #where_clause {
                const SCHEMA: &'static #private::Schema = #schema;
                #again
            }
            #keys
        }
    }

    /// The value of `SCHEMA`, and the constants beside it.
    fn schemas(&self) -> (TokenStream, TokenStream) {
        let Self { output, private } = self;
        let description = &output.description;
        let object_again = quote!(const AGAIN: &'static #private::Schema = #private::OBJECT_AGAIN;);
        let any_again = quote!(const AGAIN: &'static #private::Schema = #private::ANY_AGAIN;);
        let kind = match &output.shape {
            Shape::Unknown => return (quote!(#private::UNUSABLE), TokenStream::new()),
            Shape::Body(Body::Newtype(field)) => {
                let description = if field.description.is_empty() {
                    description
                } else {
                    &field.description
                };
                let (schema, present) = (self.part(field, "SCHEMA"), self.part(field, "PRESENT"));
                let again = if field.recursive {
                    any_again
                } else {
                    let again = self.part(field, "AGAIN");
                    quote!(const AGAIN: &'static #private::Schema = #again;)
                };
                let present = self.described(&present, description);
                return (
                    self.described(&schema, description),
                    quote! {
                        const PRESENT: &'static #private::Schema = #present;
                        #again
                    },
                );
            }
            Shape::Body(Body::Struct(fields)) => {
                let rules = self.object(fields, None);
                return (
                    self.node(&quote!(#private::Kind::Object(#rules)), description),
                    object_again,
                );
            }
            Shape::Tagged { tag, name, fields } => {
                let rules = self.object(fields, Some((tag, name)));
                return (
                    self.node(&quote!(#private::Kind::Object(#rules)), description),
                    object_again,
                );
            }
            Shape::Body(Body::Unit) => {
                let unit: Type = parse_quote!(());
                let schema = self.through(&unit).get("SCHEMA");
                return (self.described(&schema, description), TokenStream::new());
            }
            Shape::Body(Body::Tuple(fields)) => {
                return (self.tuple(fields, description), any_again);
            }
            Shape::Names(_) => {
                let names = quote!(<Self as #private::OutputKey>::KEYS);
                return (
                    self.node(
                        &quote!(#private::Kind::Text(#private::Text::one_of(#names))),
                        description,
                    ),
                    TokenStream::new(),
                );
            }
            Shape::Union { tagging, variants } => self.union(tagging, variants),
        };
        (self.node(&kind, description), any_again)
    }

    /// The keys, where serde writes the type as one.
    fn keys(&self) -> Option<TokenStream> {
        let private = &self.private;
        match &self.output.shape {
            Shape::Names(variants) => {
                let choices = variants.iter().map(|variant| {
                    let (name, description) = (&variant.name, &variant.description);
                    let name = held(&quote!(#name), private);
                    let description = held(&quote!(#description), private);
                    quote!(#private::Choice { name: #name, aliases: &[], description: #description })
                });
                Some(quote!(&[#(#choices),*]))
            }
            Shape::Body(Body::Newtype(field)) if !field.recursive => {
                let schema = self.part(field, "SCHEMA");
                Some(quote!(#private::output_keys(#schema)))
            }
            _ => None,
        }
    }

    /// A type as a `ToolOutput`.
    fn through<'t>(&self, ty: &'t Type) -> Through<'t> {
        let krate = &self.output.krate;
        Through::new(ty, quote!(#krate::ToolOutput))
    }

    /// The type whose schema stands for a field.
    fn wire(&self, field: &Field) -> Type {
        let private = &self.private;
        if field.recursive {
            types::open(&field.ty, &self.output.ident, &mut |ty| {
                *ty = parse_quote!(#private::Again<#ty>);
            })
        } else {
            field.ty.clone()
        }
    }

    fn part(&self, field: &Field, which: &str) -> TokenStream {
        self.through(&self.wire(field)).get(which)
    }

    fn described(&self, schema: &TokenStream, description: &str) -> TokenStream {
        let private = &self.private;
        if description.is_empty() {
            schema.clone()
        } else {
            quote!(&#private::refine(#schema, &[#private::Rule::Description(#description)]))
        }
    }

    fn node(&self, kind: &TokenStream, description: &str) -> TokenStream {
        crate::emit::schema::node(kind, description, &self.private)
    }

    fn object(&self, fields: &[Field], tag: Option<(&String, &String)>) -> TokenStream {
        let private = &self.private;
        let tag = tag.map(|(key, name)| {
            let empty = held(&quote!(""), private);
            let name = held(&quote!(#name), private);
            let choice =
                quote!(&[#private::Choice { name: #name, aliases: &[], description: #empty }]);
            let schema = self.node(
                &quote!(#private::Kind::Text(#private::Text::one_of(#choice))),
                "",
            );
            self.entry(key, &schema, &quote!(true), false)
        });
        let entries = fields.iter().map(|field| {
            let which = match field.presence {
                _ if field.flatten.is_some() => "PRESENT",
                Presence::UnlessNone => "PRESENT",
                Presence::Always | Presence::Sometimes => "SCHEMA",
            };
            let schema = self.described(&self.part(field, which), &field.description);
            let always = field.presence == Presence::Always;
            let required = if field.flatten.is_some() && always {
                let whole = self.part(field, "SCHEMA");
                quote!(!#whole.nullable)
            } else {
                quote!(#always)
            };
            self.entry(&field.name, &schema, &required, field.flatten.is_some())
        });
        let entries = tag.into_iter().chain(entries);
        let entries = held(&quote!(const { &[#(#entries),*] }), private);
        let none = quote!(#private::Option::None);
        let mut flattened = fields
            .iter()
            .filter(|field| field.flatten.is_some())
            .peekable();
        let extra = if flattened.peek().is_some() {
            let rest = flattened.rev().fold(none, |rest, field| {
                let schema = self.part(field, "PRESENT");
                quote!(#private::extra_of(#schema, #rest))
            });
            quote!(#private::extra(#rest))
        } else {
            none
        };
        quote!(#private::ObjectRules {
            fields: #entries,
            unknown: #private::Unknown::Report,
            extra: #extra,
        })
    }

    fn entry(
        &self,
        name: &str,
        schema: &TokenStream,
        required: &TokenStream,
        flatten: bool,
    ) -> TokenStream {
        let private = &self.private;
        let name = if flatten { "" } else { name };
        let name = held(&quote!(#name), private);
        let schema = held(schema, private);
        quote! {
            #private::Field {
                name: #name,
                aliases: &[],
                schema: #schema,
                required: #required,
                keep_empty: false,
                flatten: #flatten,
            }
        }
    }

    /// An array with a form for each position.
    fn tuple(&self, fields: &[Field], description: &str) -> TokenStream {
        let private = &self.private;
        if fields.is_empty() {
            let empty: Type = parse_quote!([(); 0]);
            return self.described(&self.through(&empty).get("SCHEMA"), description);
        }
        let items = fields.iter().map(|field| {
            let schema = self.described(&self.part(field, "SCHEMA"), &field.description);
            held(&schema, private)
        });
        let items = held(&quote!(const { &[#(#items),*] }), private);
        self.node(&quote!(#private::Kind::Tuple(#items)), description)
    }

    fn union(&self, tagging: &Tagging, variants: &[Variant]) -> TokenStream {
        let private = &self.private;
        let written = crate::emit::schema::tagging(tagging, private);
        let tag = tagging.tag_among_fields();
        let variants = variants.iter().map(|variant| {
            let Variant {
                name, description, ..
            } = variant;
            let content = match (&variant.body, tag) {
                (Body::Unit, _) => None,
                (Body::Newtype(field), None) => {
                    Some(self.described(&self.part(field, "SCHEMA"), &field.description))
                }
                (Body::Newtype(field), Some(_)) => {
                    let schema = self.part(field, "SCHEMA");
                    Some(quote!(&#private::tagged_output(#schema)))
                }
                (Body::Tuple(fields), _) => Some(self.tuple(fields, "")),
                (Body::Struct(fields), _) => {
                    let rules = self.object(fields, None);
                    Some(self.node(&quote!(#private::Kind::Object(#rules)), description))
                }
            };
            let content = content.map_or_else(
                || quote!(#private::Option::None),
                |content| {
                    let content = held(&content, private);
                    quote!(#private::Option::Some { 0: #content })
                },
            );
            let name = held(&quote!(#name), private);
            let description = held(&quote!(#description), private);
            quote! {
                #private::Variant {
                    name: #name,
                    aliases: &[],
                    description: #description,
                    content: #content,
                }
            }
        });
        let variants = held(&quote!(const { &[#(#variants),*] }), private);
        quote!(#private::Kind::Union(#private::UnionRules {
            tagging: #written,
            variants: #variants,
            unknown: #private::Unknown::Report,
        }))
    }

    /// What tokens cannot tell, each on the token that is wrong. What depends on a parameter is checked
    /// where the parameter is known.
    fn checks(&self, inside: bool) -> TokenStream {
        let Self { output, private } = self;
        let params = types::params(&output.generics);
        let mut out = TokenStream::new();
        let mut add = |generic: bool, span: Span, check: &str, arguments: TokenStream| {
            if generic != inside {
                return;
            }
            let check = Ident::new(check, Span::call_site());
            let function = moved(quote!(#private::#check), span);
            let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
            arguments.set_span(span);
            out.extend(if inside {
                quote!(const { #function #arguments };)
            } else {
                quote!(const _: () = #function #arguments;)
            });
        };
        let mut objects: Vec<Object<'_>> = Vec::new();
        match &output.shape {
            Shape::Body(Body::Struct(fields)) => objects.push((fields, None)),
            Shape::Tagged { tag, name, fields } => objects.push((fields, Some((tag, name)))),
            Shape::Union { tagging, variants } => {
                let tag = tagging.tag_among_fields();
                for variant in variants {
                    match (&variant.body, tag) {
                        (Body::Newtype(field), Some(tag)) => {
                            let (schema, key) = (self.part(field, "SCHEMA"), &tag.value);
                            let generic = types::mentions(&field.ty, &params);
                            let schema = quote!(#schema, #key);
                            add(generic, field.ty.span(), "check_tagged_output", schema);
                        }
                        (Body::Struct(fields), tag) => {
                            let tag = tag.map(|tag| (&tag.value, &variant.name));
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
                add(generic, field.ty.span(), "flattened_output", schema);
            }
            let rules = self.object(fields, tag);
            let object = self.node(&quote!(#private::Kind::Object(#rules)), "");
            let object = quote!(const { #object });
            add(output.is_generic(), span, "unique_output_names", object);
        }
        out
    }

    /// `impl IntoToolResult`.
    fn result(&self, whole: bool) -> TokenStream {
        let Self { output, private } = self;
        let krate = &output.krate;
        let ident = &output.ident;
        let mut generics = self.generics();
        let itself = {
            let (_, types, _) = output.generics.split_for_impl();
            quote!(#ident #types)
        };
        // Without parameters, the compiler checks this bound here, on the user's token.
        let bound: WherePredicate = parse_quote!(#itself: #private::Serialize);
        generics.make_where_clause().predicates.push(bound);
        let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
        let checks = whole.then(|| self.checks(true));
        let text = if output.display {
            quote!(#private::structured_display(&self))
        } else {
            quote!(#private::structured(&self))
        };
        quote! {
            #[automatically_derived]
            impl #impl_generics #private::IntoToolResult for #ident #type_generics #where_clause {
                fn into_tool_result(self) -> #private::ToolResult {
                    #text
                }

                fn output_schema() -> #private::Option<&'static #private::Schema> {
                    #checks
                    const { #private::output_of(<Self as #krate::ToolOutput>::SCHEMA) }
                }
            }
        }
    }

    /// The parameters, with what the fields ask of them.
    fn generics(&self) -> Generics {
        let output = self.output;
        let mut generics = output.generics.clone();
        let params: Vec<&Ident> = output
            .generics
            .type_params()
            .map(|param| &param.ident)
            .collect();
        if params.is_empty() {
            return generics;
        }
        let krate = &output.krate;
        let mut predicates: Vec<WherePredicate> = Vec::new();
        for field in output.fields() {
            for path in types::uses(&field.ty, &params) {
                let predicate = parse_quote!(#path: #krate::ToolOutput);
                if !predicates.contains(&predicate) {
                    predicates.push(predicate);
                }
            }
        }
        generics.make_where_clause().predicates.extend(predicates);
        generics
    }
}
