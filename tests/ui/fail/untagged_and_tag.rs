use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(untagged, tag = "type")]
enum Form {
    Circle { radius: f64 },
}

fn main() {}
