//! The expansions of a function and a block. Run with `UPDATE_EXPECT=1` after a change, and read the
//! diff.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::quote;

use super::model::to_pascal_case;

fn look(expansion: TokenStream, expected: &ExpectFile) {
    let file = syn::parse2(expansion).expect("the expansion is a file of items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn a_function() {
    look(
        super::tool(
            quote!(write, secrets(token)),
            &quote! {
                /// Sends a message
                pub(crate) async fn send_message(
                    /// The words
                    #[tool_param(min_length = 1)]
                    text: String,
                    token: Option<String>,
                    State(outbox): State<Outbox>,
                    cx: &ToolContext,
                ) -> Result<u64, SendError> {
                    outbox.send(text, token, cx).await
                }
            },
        ),
        &expect_file!["../../expanded/function.rs"],
    );
}

#[test]
fn a_block() {
    look(
        super::tools(
            TokenStream::new(),
            &quote! {
                impl Math {
                    /// Halves a number
                    #[tool(read_only)]
                    fn halve(&self, number: f64) -> f64 {
                        number / 2.0
                    }

                    fn helper(&self) {}
                }
            },
        ),
        &expect_file!["../../expanded/block.rs"],
    );
}

#[test]
fn names_of_structs() {
    for (function, name) in [
        ("add", "Add"),
        ("web_search", "WebSearch"),
        ("_private", "Private"),
        ("x2", "X2"),
        ("_2d", "Tool2d"),
        ("type", "Type"),
        ("self_", "ToolSelf"),
        ("HTTP_get", "HTTPGet"),
    ] {
        assert_eq!(to_pascal_case(function), name);
    }
}
