use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    name: &'static str,
}

fn main() {}
