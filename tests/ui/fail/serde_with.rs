use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[serde(with = "module")]
    age: u8,
}

fn main() {}
