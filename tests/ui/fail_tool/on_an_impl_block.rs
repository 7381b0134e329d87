use callpact::tool;

struct Math;

#[tool(read_only)]
impl Math {}

fn main() {}
