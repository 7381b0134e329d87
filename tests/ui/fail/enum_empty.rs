use callpact::ToolInput;

#[derive(ToolInput)]
enum Never {}

fn main() {}
