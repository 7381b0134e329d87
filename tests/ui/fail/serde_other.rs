use callpact::ToolInput;

#[derive(ToolInput)]
enum Mode {
    Fast,
    #[serde(other)]
    Unknown,
}

fn main() {}
