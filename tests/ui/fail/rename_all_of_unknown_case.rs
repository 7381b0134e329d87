use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(rename_all = "Camel")]
struct Args {
    age: u8,
}

fn main() {}
