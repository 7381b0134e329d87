//! Writes the impls. Each file writes one part, and this one puts the parts together.

pub(crate) mod bound;
pub(crate) mod checks;
pub(crate) mod fallback;
mod partial;
mod read;
pub(crate) mod rules;
pub(crate) mod schema;
mod shown;
pub(crate) mod tokens;
mod union;
pub(crate) mod wire;

use proc_macro2::TokenStream;
use quote::quote;

use self::{checks::DeclarationChecks, schema::ImplConsts, tokens::implement};
use crate::model::declaration::{InputModel, TypeShape};

/// The impls for a declaration without mistakes.
pub(crate) fn expand(model: &InputModel) -> TokenStream {
    let ImplConsts {
        schema,
        others,
        items: declared,
    } = ImplConsts::of(model);
    // Gives an empty `__VARIANTS` to the type of a default that is not a plain enum.
    let mut fields = model.fields().into_iter();
    let no_variants = fields.any(|field| shown::named_default(field).is_some());
    let no_variants = no_variants.then(|| {
        quote!(
            #[allow(unused_imports)]
            use __private::NoVariants as _;
        )
    });
    let DeclarationChecks { outside, inside } = checks::of(model);
    let ReaderParts { methods, items } = ReaderParts::of(model, &inside);
    let import = tokens::import(&model.krate);
    let partial = partial::items(model);
    let tool_input = implement(
        &bound::generics(model),
        &quote!(ToolInput),
        &model.itself(),
        &quote! {
            const SCHEMA: &'static __private::Schema = #schema;
            #others
            #methods
        },
    );
    // The user's lints apply to tokens with spans of the user's code.
    quote! {
        #[allow(deprecated, unused_qualifications)]
        const _: () = {
            #import
            #no_variants
            #outside

            #tool_input
            #declared
            #items
        };

        #partial
    }
}

/// `read_quick` with this body, behind the checks of the declaration.
fn read_quick(checks: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        fn read_quick(
            __input: &mut __private::QuickInput<'_>,
            __rules: __private::PlaceRules,
        ) -> __Option<Self> {
            #checks
            #body
        }
    }
}

/// The parts of the reader.
struct ReaderParts {
    /// Methods of the impl that only some shapes have.
    methods: TokenStream,
    /// Further impls.
    items: TokenStream,
}

impl ReaderParts {
    fn of(model: &InputModel, checks: &TokenStream) -> Self {
        match &model.shape {
            TypeShape::Struct(fields) => Self {
                methods: read_quick(checks, &quote!(__private::quick_object::<Self>(__input))),
                items: read::object(model, fields),
            },
            TypeShape::Newtype(field) => Self {
                methods: read::newtype(model, field, checks),
                items: TokenStream::new(),
            },
            TypeShape::Names(variants) => Self {
                methods: read_quick(
                    checks,
                    &read::validated(
                        model,
                        quote!(__private::quick_choice::<Self>(__input, __rules)),
                    ),
                ),
                items: union::names(model, variants),
            },
            TypeShape::Union { variants, .. } => Self {
                methods: read_quick(
                    checks,
                    &read::validated(model, quote!(__private::quick_union::<Self>(__input))),
                ),
                items: union::items(model, variants),
            },
        }
    }
}
