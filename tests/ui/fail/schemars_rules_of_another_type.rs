use callpact::ToolInput;

#[derive(ToolInput)]
struct Page {
    #[schemars(range(min = 1, max = 300))]
    size: u8,
    #[schemars(length(min = 1))]
    limit: u8,
    #[schemars(range(min = 5, max = 3))]
    first: i64,
    #[schemars(example = &"ten")]
    last: u8,
}

fn main() {}
