use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 500, max = 3, default = "x")]
    age: u8,
    #[tool_param(min_length = 1)]
    count: u32,
    #[tool_param(pattern = "[", example = 5)]
    code: String,
    #[tool_param(default = 300)]
    limit: u8,
    #[tool_param(required = false)]
    name: String,
    #[tool_param(rename = "name", max_items = 3)]
    other: bool,
    #[tool_param(default = nothing)]
    text: String,
    mine: Mine,
}

fn nothing() -> u8 {
    0
}

fn main() {}
