use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
#[tool_param(description = "x")]
#[tool_input(colour = "red")]
struct Args {
    #[tool_param(default = 300)]
    limit: u8,
    #[tool_param(skip)]
    mine: Mine,
    #[tool_param(skip, default = Mine)]
    other: Mine,
}

fn main() {}
