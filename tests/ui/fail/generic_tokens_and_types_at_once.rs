use callpact::ToolInput;

struct Mine;

#[derive(ToolInput)]
struct Args<T> {
    #[tool_param(min = 5, max = 3)]
    age: u8,
    #[tool_param(default = 300)]
    limit: u8,
    both: Vec<(T, Mine)>,
}

fn main() {
    let _ = <Args<u8> as ToolInput>::SCHEMA;
}
