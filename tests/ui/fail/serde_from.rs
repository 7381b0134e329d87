use callpact::ToolInput;

#[derive(ToolInput)]
#[serde(from = "String")]
struct Args {
    age: u8,
}

fn main() {}
