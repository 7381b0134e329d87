use callpact::ToolInput;

#[derive(ToolInput)]
#[serde(default)]
enum Mode {
    Fast,
}

fn main() {}
