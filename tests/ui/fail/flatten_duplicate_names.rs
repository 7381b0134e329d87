use callpact::ToolInput;

#[derive(ToolInput)]
struct Page {
    limit: u8,
}

#[derive(ToolInput)]
struct Args {
    limit: u8,
    #[tool_param(flatten)]
    page: Page,
}

fn main() {}
