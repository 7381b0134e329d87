use callpact::ToolInput;

#[derive(ToolInput)]
struct Page {
    limit: u8,
}

#[derive(ToolInput)]
struct Args {
    #[tool_param(flatten, rename = "paging")]
    page: Page,
}

fn main() {}
