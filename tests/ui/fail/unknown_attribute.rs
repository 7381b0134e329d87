use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(mni = 1)]
    age: u8,
}

fn main() {}
