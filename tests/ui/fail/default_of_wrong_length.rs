use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(min_length = 3, default = "ab")]
    code: String,
}

fn main() {}
