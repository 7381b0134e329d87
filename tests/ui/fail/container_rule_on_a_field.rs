use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(rename_all = "camelCase")]
    age: u8,
}

fn main() {}
