use callpact::{ToolInput, tool};

#[derive(ToolInput)]
#[doc = concat!("a", "b")]
struct Args {
    /// Words
    #[doc = stringify!(more)]
    words: String,
    #[doc = concat!("not", "used")]
    #[tool_param(description = "Words")]
    good: String,
}

#[doc = concat!("Finds ", "it")]
#[tool(read_only)]
fn find(#[doc = concat!("a", "b")] what: String) -> String {
    what
}

#[doc = concat!("not", "used")]
#[tool(read_only, description = concat!("Finds ", "it"))]
fn found(what: String) -> String {
    what
}

fn main() {}
