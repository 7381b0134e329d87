use callpact::{Dialect, ToolInput, schema_json};

#[derive(ToolInput)]
#[tool_input(untagged)]
enum Scalar {
    Flag(bool),
    Word(String),
}

fn main() {
    let _ = schema_json!(Scalar, Dialect::Mcp20260728);
}
