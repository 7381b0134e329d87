use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = "ten")]
    age: u8,
}

fn main() {}
