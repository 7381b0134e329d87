use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(partial, untagged)]
enum Place {
    Name(String),
    Point { x: f64, y: f64 },
}

fn main() {}
