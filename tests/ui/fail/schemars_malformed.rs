use callpact::ToolInput;

const MOST: u8 = 9;

#[derive(ToolInput)]
struct Page {
    #[schemars(range(min = 1, mx = 5))]
    first: u8,
    #[schemars(range(max = MOST))]
    second: u8,
    #[schemars(range = 5)]
    third: u8,
    #[schemars(regex(pattern = *WORD))]
    word: String,
    #[schemars(lenght(min = 1))]
    text: String,
    #[schemars(example = words())]
    shown: String,
    #[schemars(!skip)]
    seen: bool,
}

fn main() {}
