use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(content = "value")]
enum Form {
    Circle(f64),
}

fn main() {}
