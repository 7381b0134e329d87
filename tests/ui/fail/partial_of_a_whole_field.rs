use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(partial)]
struct Args {
    point: Point,
    name: String,
}

#[derive(ToolInput)]
#[tool_input(partial)]
enum Shape {
    Circle { middle: Option<Point>, radius: f64 },
    Line(Point, Point),
}

#[derive(ToolInput)]
struct Point {
    x: f64,
}

fn main() {}
