use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(max = 18446744073709551620)]
    age: u128,
}

fn main() {}
