use callpact::tools;

struct Math;

#[tools]
impl Math {
    /// Adds two numbers
    #[tool(read_only)]
    fn add(self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
