use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(deny_unknown_fields)]
struct Args {
    #[tool_param(min_len = 1)]
    name: String,
    #[tool_param(one_of("a", "b"))]
    grade: String,
    #[tool_param(one_of = ("a", "b"))]
    shape: String,
    #[tool_param(range = 1..=5)]
    level: u8,
}

fn main() {}
