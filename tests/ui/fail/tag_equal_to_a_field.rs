use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
enum Form {
    Circle { kind: String },
}

fn main() {}
