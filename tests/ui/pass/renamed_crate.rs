//! The crate has another name.
#![allow(dead_code)]
extern crate callpact as tw;

mod callpact {}

#[derive(tw::ToolInput)]
#[tool_input(crate = tw, validate = fine)]
struct Args {
    #[tool_param(pattern = "^a", min_length = 1, default = "a")]
    text: String,
    form: Form,
}

fn fine(_: &Args) -> Result<(), String> {
    Ok(())
}

#[derive(tw::ToolInput)]
#[tool_input(crate = "tw", tag = "type")]
enum Form {
    A { a: u8 },
    B,
}

#[derive(tw::ToolInput)]
#[tool_input(crate = ::callpact)]
enum Names {
    A,
}

fn main() {
    let _ = tw::schema_json!(Args, tw::Dialect::Portable);
}
