use callpact::ToolInput;

const MOST: u32 = 500;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max = 100, default = MOST)]
    limit: u32,
}

fn main() {}
