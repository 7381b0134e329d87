use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(required, default = 1)]
    age: u8,
}

fn main() {}
