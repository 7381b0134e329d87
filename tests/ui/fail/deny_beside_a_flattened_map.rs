use std::collections::BTreeMap;

use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(unknown = "deny")]
struct Args {
    path: String,
    #[tool_param(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(ToolInput, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Outer {
    #[tool_param(flatten)]
    inner: Inside,
}

#[derive(ToolInput, serde::Deserialize)]
struct Inside {
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

fn main() {}
