//! Generated code uses full paths, so other items in scope do not disturb it.
#![no_implicit_prelude]
#![allow(dead_code)]

struct Option;
struct Result;
struct Some;
struct Ok;
struct Err;
struct String;
struct Box;
struct Vec;
trait Clone {}
trait Send {}
trait Sync {}
mod std {}
mod core {}
mod callpact {}

/// Adds two numbers
#[::callpact::tool(read_only, secrets(text))]
async fn add(
    a: i64,
    text: ::std::string::String,
    cx: ::callpact::ToolContext,
    state: ::callpact::State<u8>,
) -> ::std::result::Result<i64, ::callpact::Halt> {
    let _ = (text, cx);
    ::std::result::Result::Ok(a * (*state as i64))
}

struct Math;

#[::callpact::tools]
impl Math {
    /// Halves a number
    #[::callpact::tool(read_only)]
    fn halve(&self, number: f64) -> f64 {
        number / 2.0
    }
}

fn main() {
    let tools = ::callpact::Toolset::builder().tool(Add).tools(Math).build();
    ::std::assert!(tools.is_ok());
}
