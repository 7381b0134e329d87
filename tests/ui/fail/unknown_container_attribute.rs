use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(rename_al = "camelCase")]
struct Args {
    age: u8,
}

fn main() {}
