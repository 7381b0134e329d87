use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(rename_all_fields = "camelCase")]
struct Args {
    age: u8,
}

fn main() {}
