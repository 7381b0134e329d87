use callpact::ToolInput;

use std::collections::BTreeMap;

#[derive(ToolInput)]
struct Args {
    #[tool_param(flatten)]
    some: BTreeMap<String, u8>,
    #[tool_param(flatten)]
    rest: BTreeMap<String, u8>,
}

fn main() {}
