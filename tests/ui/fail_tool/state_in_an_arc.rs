use std::sync::Arc;

use callpact::tool;

struct Db {
    rows: usize,
}

/// Counts the rows
#[tool(read_only)]
fn count(db: Arc<Db>) -> usize {
    db.rows
}

fn main() {}
