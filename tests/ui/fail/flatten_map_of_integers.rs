use callpact::ToolInput;

use std::collections::BTreeMap;

#[derive(ToolInput)]
struct Args {
    id: String,
    #[tool_param(flatten)]
    rest: BTreeMap<u32, u8>,
}

fn main() {}
