//! The prelude's names mean something else here.
#![allow(dead_code)]
use callpact::ToolInput;

struct Option;
struct Result;
struct Some;
struct None;
struct Ok;
struct Err;
struct Vec;
struct String;
struct Box;
struct Default;
struct Send;
trait Clone {}
trait Iterator {}
trait Into {}
trait From {}
mod std {}
mod core {}
mod serde {}
#[allow(non_camel_case_types)]
struct usize;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_length = 1, pattern = "^[a-z]+$", default = "a")]
    text: ::std::string::String,
    list: ::std::vec::Vec<u8>,
    maybe: ::std::option::Option<u8>,
    #[tool_param(skip)]
    skipped: u8,
    #[tool_param(default)]
    count: u8,
    #[tool_param(with = u8)]
    wide: u32,
    #[tool_param(flatten)]
    more: More,
}

#[derive(ToolInput)]
#[tool_input(validate = fine)]
struct More {
    more: u8,
}

fn fine(_: &More) -> ::std::result::Result<(), &'static str> {
    ::std::result::Result::Ok(())
}

#[derive(ToolInput)]
enum Names {
    A,
    B,
}

#[derive(ToolInput)]
#[tool_input(tag = "type")]
enum Tagged {
    A { a: u8 },
    B(More),
    C,
}

#[derive(ToolInput)]
#[tool_input(untagged)]
enum Untagged {
    A { a: u8 },
    B(u8),
    D(u8, bool),
}

#[derive(ToolInput)]
struct Newtype(#[tool_param(max = 5)] u8);

#[derive(ToolInput)]
struct Generic<T> {
    items: ::std::vec::Vec<T>,
}

/// Whatever the schema's bytes are called.
fn in_bytes_of_another_name() -> &'static ::core::primitive::str {
    #[allow(non_camel_case_types)]
    struct u8;
    #[allow(non_camel_case_types)]
    struct str;
    callpact::schema_json!(Newtype, callpact::Dialect::Portable)
}

fn main() {
    let _ = in_bytes_of_another_name();
    let _ = <Generic<Args> as ToolInput>::SCHEMA;
}
