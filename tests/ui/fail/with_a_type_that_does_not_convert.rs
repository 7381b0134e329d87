use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args {
    #[tool_param(with = String)]
    mine: Mine,
}

fn main() {}
