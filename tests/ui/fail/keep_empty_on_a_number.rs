use callpact::ToolInput;

#[derive(ToolInput)]
struct Page {
    size: u8,
}

#[derive(ToolInput)]
struct Args {
    #[tool_param(keep_empty)]
    count: Option<u8>,
    #[tool_param(keep_empty)]
    flag: Option<bool>,
    #[tool_param(keep_empty)]
    tags: Option<Vec<String>>,
    #[tool_param(keep_empty)]
    page: Option<Page>,
    #[tool_param(keep_empty)]
    right: Option<String>,
}

fn main() {}
