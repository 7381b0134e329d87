use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_items = 3)]
    pair: [u8; 2],
}

fn main() {}
