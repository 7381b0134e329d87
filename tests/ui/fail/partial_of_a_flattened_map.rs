use std::collections::BTreeMap;

use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(partial)]
struct Args {
    name: String,
    #[tool_param(flatten)]
    others: BTreeMap<String, String>,
}

fn main() {}
