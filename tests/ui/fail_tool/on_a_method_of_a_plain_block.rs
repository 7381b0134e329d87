use callpact::tool;

struct Math;

impl Math {
    /// Adds two numbers
    #[tool(read_only)]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
