use callpact::ToolInput;

#[derive(ToolInput)]
enum Form {
    Point(#[tool_param(min = 1)] u8, u8),
}

fn main() {}
