use callpact::tools;

trait Sums {
    fn add(&self, a: i64, b: i64) -> i64;
}

struct Math;

#[tools]
impl Sums for Math {
    /// Adds two numbers
    #[tool(read_only)]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
