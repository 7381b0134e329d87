use callpact::tools;

struct Math;

#[tools]
impl Math {
    /// Adds two numbers
    #[tool(read_only)]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }

    /// Adds three numbers
    #[tool(read_only, name = "add")]
    fn add_three(&self, a: i64, b: i64, c: i64) -> i64 {
        a + b + c
    }
}

fn main() {}
