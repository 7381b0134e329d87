use callpact::tool;

struct Filter;

/// Finds
#[tool(read_only)]
fn find(filter: Filter) -> String {
    let Filter = filter;
    String::new()
}

fn main() {}
