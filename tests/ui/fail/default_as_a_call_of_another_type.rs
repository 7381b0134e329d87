use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(default = Vec::<u8>::new())]
    name: String,
}

fn main() {}
