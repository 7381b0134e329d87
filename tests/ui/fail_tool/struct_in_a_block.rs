use callpact::tools;

struct Math;

#[tools(name = "math")]
impl Math {
    /// Adds two numbers
    #[tool(read_only, struct = Add)]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
