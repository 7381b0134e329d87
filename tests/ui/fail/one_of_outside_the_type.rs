use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(one_of = [1, 300])]
    age: u8,
}

fn main() {}
