use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(partial)]
struct Args {
    point: Point,
}

#[derive(ToolInput)]
struct Point {
    x: f64,
}

fn main() {}
