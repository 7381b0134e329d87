use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = seven)]
    name: String,
}

fn seven() -> u8 {
    7
}

fn main() {}
