//! Nothing is in scope.
#![no_implicit_prelude]
#![allow(dead_code)]

#[derive(::callpact::ToolInput)]
struct Args {
    #[tool_param(min_length = 1, pattern = "^[a-z]+$", default = "a")]
    text: ::std::string::String,
    #[tool_param(required)]
    maybe: ::std::option::Option<u8>,
    #[tool_param(skip)]
    skipped: u8,
    #[tool_param(default)]
    count: u8,
    #[tool_param(one_of = [1, 2], example = 1)]
    few: u8,
    #[tool_param(with = u8)]
    wide: u32,
    #[tool_param(flatten)]
    more: More,
    #[tool_param(flatten)]
    rest: ::std::collections::BTreeMap<::std::string::String, Names>,
}

#[derive(::callpact::ToolInput)]
struct More {
    more: u8,
}

#[derive(::callpact::ToolInput, PartialEq, Eq, PartialOrd, Ord)]
enum Names {
    A,
    B,
}

#[derive(::callpact::ToolInput)]
#[tool_input(tag = "type", content = "content")]
enum Tagged {
    A { a: u8 },
    B(More),
    C,
}

#[derive(::callpact::ToolInput)]
enum External<T> {
    A { a: T },
    B(u8, bool),
    C(#[tool_param(with = u8)] u32),
    D,
}

#[derive(::callpact::ToolInput)]
struct Newtype(::std::vec::Vec<u8>);

fn main() {
    let _ = <External<Args> as ::callpact::ToolInput>::SCHEMA;
}
