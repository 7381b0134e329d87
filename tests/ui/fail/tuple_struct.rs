use callpact::ToolInput;

#[derive(ToolInput)]
struct Point(f64, f64);

fn main() {}
