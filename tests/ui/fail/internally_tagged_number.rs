use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(tag = "type")]
enum Form {
    Circle(f64),
}

fn main() {}
