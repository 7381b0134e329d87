//! Stand-ins for a declaration with mistakes, so that only the mistakes are reported.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use super::{
    bound,
    checks::{self, DeclarationChecks},
    tokens::{self, implement},
};
use crate::{
    attrs::receivers,
    model::declaration::{InputModel, itself},
};

pub(crate) fn expand(
    input: &DeriveInput,
    model: Option<&InputModel>,
    errors: Option<syn::Error>,
) -> TokenStream {
    let errors = errors
        .unwrap_or_else(|| syn::Error::new_spanned(&input.ident, "this is no tool input"))
        .into_compile_error();
    let import = tokens::import(&receivers::krate_of(input));
    let itself = itself(&input.ident, &input.generics);
    let implement = |of, items| implement(&input.generics, &of, &itself, &items);
    let tool_input = implement(
        quote!(ToolInput),
        quote! {
            const SCHEMA: &'static __private::Schema = __private::UNUSABLE;

            fn read_quick(
                __input: &mut __private::QuickInput<'_>,
                __rules: __private::PlaceRules,
            ) -> __Option<Self> {
                __None
            }
        },
    );
    let object = implement(
        quote!(QuickObject),
        quote! {
            type Out = Self;
            type Slots = ();
            const OBJECT: &'static __private::Schema = __private::UNUSABLE;

            fn slots() {}

            fn read_quick(
                __slots: &mut (),
                __field: __private::usize,
                __input: &mut __private::QuickInput<'_>,
            ) -> __Option<__private::FieldValue> {
                __None
            }

            fn fill(
                __slots: &mut (),
                __field: __private::usize,
                __refusal: __private::Refusal<'_>,
            ) {
            }

            fn build(
                __slots: (),
                __refusal: __private::Refusal<'_>,
            ) -> __Option<Self> {
                __None
            }
        },
    );
    let map_key = implement(
        quote!(MapKey),
        quote! {
            fn from_text(__text: &__private::str) -> __Option<Self> {
                __None
            }
        },
    );
    let checks = model.map(checks);
    quote! {
        #errors
        #checks
        #[allow(deprecated)]
        const _: () = {
            #import
            #tool_input
            #object
            #map_key
        };
    }
}

/// Checks of the parts without mistakes, so that the compiler reports everything in one run.
fn checks(model: &InputModel) -> TokenStream {
    let import = tokens::import(&model.krate);
    let DeclarationChecks { outside, inside } = checks::beside(model);
    let inside = (!inside.is_empty()).then(|| {
        let generics = bound::generics(model);
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (ident, type_generics) = (&model.ident, model.generics.split_for_impl().1);
        // A separate trait, so that a user of the type need not meet its bounds.
        quote! {
            trait __Checked {
                fn checked();
            }

            impl #impl_generics __Checked for #ident #type_generics #where_clause {
                fn checked() {
                    #inside
                }
            }
        }
    });
    quote! {
        #[allow(dead_code, deprecated, unused, unused_qualifications, clippy::all)]
        const _: () = {
            #import
            #outside
            #inside
        };
    }
}
