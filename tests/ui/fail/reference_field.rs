use toolwright::ToolInput;

#[derive(ToolInput)]
struct Args {
    name: &'static str,
}

fn main() {}
