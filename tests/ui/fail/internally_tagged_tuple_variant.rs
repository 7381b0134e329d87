use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(tag = "type")]
enum Form {
    Point(f64, f64),
}

fn main() {}
