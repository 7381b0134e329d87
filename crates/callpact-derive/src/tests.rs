//! The expansions of four shapes. Run with `UPDATE_EXPECT=1` after a change, and read the diff.

use expect_test::{ExpectFile, expect_file};
use syn::parse_quote;

fn look(input: &syn::DeriveInput, expected: &ExpectFile) {
    let file = syn::parse2(crate::expand(input)).expect("the expansion is a file of items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn a_struct() {
    look(
        &parse_quote! {
            /// What to look for
            struct Search<T> {
                /// The words
                #[tool_param(min_length = 1, pattern = "^a")]
                words: String,
                #[tool_param(max = 10, default = 5)]
                limit: u8,
                #[tool_param(flatten)]
                page: Page,
                of: Option<T>,
                #[tool_param(skip)]
                seen: bool,
            }
        },
        &expect_file!["../expanded/struct.rs"],
    );
}

#[test]
fn an_enum_of_names() {
    look(
        &parse_quote! {
            #[tool_input(rename_all = "snake_case")]
            enum Mode {
                /// As fast as it goes
                Fast,
                #[tool_param(alias = "careful")]
                VerySlow,
            }
        },
        &expect_file!["../expanded/names.rs"],
    );
}

#[test]
fn a_tagged_union() {
    look(
        &parse_quote! {
            #[tool_input(tag = "type")]
            enum Form {
                Circle { radius: f64 },
                Square(Square),
                Nothing,
            }
        },
        &expect_file!["../expanded/union.rs"],
    );
}

#[test]
fn a_newtype() {
    look(
        &parse_quote! {
            #[tool_input(validate = free)]
            struct Port(#[tool_param(min = 1)] u16);
        },
        &expect_file!["../expanded/newtype.rs"],
    );
}
