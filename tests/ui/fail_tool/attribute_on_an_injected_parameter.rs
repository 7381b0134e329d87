use callpact::{ToolContext, tool};

/// Tells the id
#[tool(read_only)]
fn id(#[tool_param(description = "The context")] cx: &ToolContext) -> String {
    cx.call_id().to_owned()
}

fn main() {}
