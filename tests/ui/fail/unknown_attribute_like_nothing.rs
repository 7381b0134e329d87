use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[tool_param(zzz = 1)]
    age: u8,
}

fn main() {}
