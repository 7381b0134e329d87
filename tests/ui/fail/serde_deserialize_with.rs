use callpact::ToolInput;

#[derive(ToolInput)]
struct Args {
    #[serde(deserialize_with = "function")]
    age: u8,
}

fn main() {}
