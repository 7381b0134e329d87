use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args {
    mine: Mine,
}

fn main() {}
