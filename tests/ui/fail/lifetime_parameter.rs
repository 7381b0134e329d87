use callpact::ToolInput;

#[derive(ToolInput)]
struct Args<'a> {
    name: &'a str,
}

fn main() {}
