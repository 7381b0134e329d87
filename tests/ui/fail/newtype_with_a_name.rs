use callpact::ToolInput;

#[derive(ToolInput)]
struct Port(#[tool_param(rename = "port")] u16);

fn main() {}
