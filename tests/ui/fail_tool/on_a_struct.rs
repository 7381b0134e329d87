use callpact::tool;

#[tool(read_only)]
struct Add;

fn main() {}
