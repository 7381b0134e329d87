use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(untagged)]
enum Form {
    Circle { radius: f64 },
    Nothing,
}

fn main() {}
