use callpact::ToolInput;

#[derive(ToolInput)]
enum Form {
    #[tool_param(min = 1)]
    Circle(f64),
}

fn main() {}
