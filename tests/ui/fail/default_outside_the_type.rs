use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = 256)]
    age: u8,
}

fn main() {}
