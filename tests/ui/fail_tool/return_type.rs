use callpact::tool;

/// A moment
#[tool(read_only)]
fn moment() -> std::time::Instant {
    std::time::Instant::now()
}

fn main() {}
