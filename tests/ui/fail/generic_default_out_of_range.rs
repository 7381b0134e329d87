use callpact::ToolInput;

#[derive(ToolInput)]
struct Page<T> {
    items: Vec<T>,
    #[tool_param(max = 10, default = 11)]
    limit: u8,
}

fn main() {}
