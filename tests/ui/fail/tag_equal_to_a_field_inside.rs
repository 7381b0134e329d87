use callpact::ToolInput;

#[derive(ToolInput)]
struct Circle {
    kind: String,
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
enum Form {
    Circle(Circle),
}

fn main() {}
