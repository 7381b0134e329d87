use callpact::{Policy, ToolInput, read_str};

#[derive(ToolInput)]
#[tool_input(partial)]
struct Args {
    name: String,
}

fn run(args: Args) -> String {
    args.name
}

fn main() {
    let partial = ArgsPartial::default();
    run(partial);
    let _ = read_str::<ArgsPartial>("{}", &Policy::lax());
}
