//! Generated code is quiet under strict lints.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations
)]
#![deny(
    unreachable_pub,
    unused_qualifications,
    non_snake_case,
    unsafe_code,
    unnameable_types
)]
#![deny(
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    unused_lifetimes
)]

use callpact::{Cancellation, State, ToolContext, Toolset, tool, tools};

/// Adds two numbers
#[tool(read_only)]
pub async fn add(
    a: i64,
    #[tool_param(default = 1)] b: i64,
    cx: &ToolContext,
) -> Result<i64, String> {
    a.checked_add(b).ok_or_else(|| cx.role().to_owned())
}

#[tool(write, description = "Nothing at all", secrets(text))]
fn nothing(text: String, state: State<u8>, cancellation: Cancellation) {
    let _ = (text, state, cancellation);
}

/// An object
#[derive(Clone, Copy, Debug)]
pub struct Math;

#[tools]
impl Math {
    /// Halves a number
    #[tool(read_only)]
    pub fn halve(&self, number: f64) -> f64 {
        number / 2.0
    }
}

fn main() {
    let tools = Toolset::builder()
        .tool(Add)
        .tool(Nothing)
        .tools(Math)
        .build();
    assert_eq!(tools.map(|tools| tools.len()).ok(), Some(3));
    assert_eq!(Math.halve(1.0), 0.5);
    nothing(
        String::new(),
        State(std::sync::Arc::new(1)),
        Cancellation::new(),
    );
    drop(add(1, 2, &ToolContext::new()));
}
