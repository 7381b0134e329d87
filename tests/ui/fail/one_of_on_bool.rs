use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = ["yes"])]
    flag: bool,
}

fn main() {}
