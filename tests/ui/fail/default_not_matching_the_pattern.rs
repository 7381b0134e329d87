use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(pattern = "^[a-z]+$", default = "AB")]
    code: String,
}

fn main() {}
