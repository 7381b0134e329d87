use callpact::ToolInput;

#[derive(ToolInput)]
struct Page {
    number: u32,
}

#[derive(ToolInput)]
#[tool_input(tag = "kind")]
enum Find {
    Text {
        #[tool_param(min_length = 5, max_length = 3)]
        words: String,
        #[tool_param(example = 300)]
        limit: u8,
    },
    Paged {
        #[tool_param(flatten)]
        page: Page,
        number: u8,
        kind: String,
    },
    Number(u8),
    #[tool_param(min = 1)]
    Nothing,
}

fn main() {}
