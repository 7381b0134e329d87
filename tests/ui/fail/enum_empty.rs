use toolwright::ToolInput;

#[derive(ToolInput)]
enum Never {}

fn main() {}
