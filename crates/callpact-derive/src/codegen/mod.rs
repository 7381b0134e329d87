//! Writes the impls. Each file writes one part, and this one puts the parts together.

mod bound;
pub(crate) mod checks;
pub(crate) mod fallback;
mod known;
mod read;
pub(crate) mod rules;
pub(crate) mod schema;
mod shown;
mod text;
pub(crate) mod tokens;
mod union;
mod wire;

use proc_macro2::TokenStream;
use quote::quote;

use self::{checks::Checks, schema::Consts};
use crate::model::declaration::{Model, Shape};

/// The impls for a declaration without mistakes.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let ident = &model.ident;
    let generics = bound::generics(model);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let Consts {
        schema,
        others,
        items: declared,
    } = Consts::of(model);
    let Readers {
        methods,
        read,
        items,
    } = Readers::of(model);
    // Gives an empty `__VARIANTS` to the type of a default that is not a plain enum.
    let mut fields = model.fields().into_iter();
    let no_variants = fields.any(|field| shown::named_default(field).is_some());
    let no_variants = no_variants.then(|| {
        quote!(
            #[allow(unused_imports)]
            use __private::NoVariants as _;
        )
    });
    let Checks { outside, inside } = checks::of(model);
    let import = tokens::import(&model.krate);
    // The user's lints apply to tokens with spans of the user's code.
    quote! {
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #import
            #no_variants
            #outside

            #[automatically_derived]
            impl #impl_generics __private::ToolInput for #ident #type_generics #where_clause {
                const SCHEMA: &'static __private::Schema = #schema;
                #others
                #methods

                fn read(
                    __input: &mut __private::Input<'_>,
                    mut __at: __private::At<'_>,
                ) -> __private::Option<Self> {
                    #inside
                    #read
                }
            }

            #declared
            #items
        };
    }
}

/// The parts of the reader.
struct Readers {
    /// Methods of the impl that only some shapes have.
    methods: TokenStream,
    /// The body of `read`.
    read: TokenStream,
    /// Further impls.
    items: TokenStream,
}

impl Readers {
    fn of(model: &Model) -> Self {
        match &model.shape {
            Shape::Struct(fields) => Self {
                methods: TokenStream::new(),
                read: quote!(__private::read_object::<Self>(__input, __at)),
                items: read::object(model, fields),
            },
            Shape::Newtype(field) => Self {
                methods: read::newtype_absent(field),
                read: read::newtype(model, field),
                items: TokenStream::new(),
            },
            Shape::Names(variants) => Self {
                methods: TokenStream::new(),
                read: union::names(model),
                items: [
                    union::map_key(model, variants, &schema::choices(variants)),
                    shown::variants(model, variants),
                ]
                .into_iter()
                .collect(),
            },
            Shape::Union { variants, .. } => Self {
                methods: TokenStream::new(),
                read: union::body(model),
                items: union::items(model, variants),
            },
        }
    }
}
