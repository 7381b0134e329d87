use callpact::ToolInput;

#[derive(ToolInput)]
#[tool_input(partial)]
struct Args<T> {
    value: T,
}

fn main() {}
