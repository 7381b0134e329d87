use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min = 300)]
    age: u8,
    #[tool_param(min_length = 1)]
    count: u32,
    #[tool_param(default = "x")]
    flag: bool,
    #[tool_param(one_of = ["a"], example = "b")]
    letter: String,
    #[tool_param(required = false)]
    name: String,
}

fn main() {}
