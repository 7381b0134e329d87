use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args {
    #[tool_param(defualt = 3, required = false, min = 300)]
    count: u8,
    #[tool_param(wiht = String)]
    mine: Mine,
    #[tool_param(skp)]
    other: Mine,
    #[tool_param(rename = 5)]
    count2: u8,
    #[tool_param(any_nam, rename = "X-Y")]
    a: u8,
    #[tool_param(recursiv)]
    args: Vec<Args>,
    #[tool_param(min =)]
    cut: Mine,
    #[tool_param(example = 300)]
    last: u8,
}

fn main() {}
