use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(unknown = "warn")]
struct Args {
    #[tool_param(min = 5, max = 3)]
    age: u8,
    #[tool_param(pattern = "[")]
    code: String,
    #[tool_param(rename = "code")]
    id: String,
    #[tool_param(descripton = "x")]
    name: String,
}

#[derive(ToolInput)]
struct Outer {
    #[tool_param(flatten)]
    args: Args,
    more: Vec<Args>,
}

fn main() {}
