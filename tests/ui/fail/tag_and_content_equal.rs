use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(tag = "kind", content = "kind")]
enum Form {
    Circle(f64),
}

fn main() {}
