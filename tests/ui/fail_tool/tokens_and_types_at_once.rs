use callpact::{tool, tools};

/// Adds
#[tool(read_only)]
fn add(
    #[tool_param(min = 2, max = 1)] a: i64,
    #[tool_param(default = "x")] b: i64,
    c: &str,
) -> i64 {
    a + b + c.len() as i64
}

struct Shop;

#[tools]
impl Shop {
    /// Buys
    #[tool]
    fn buy(
        &self,
        #[tool_param(pattern = "(")] what: String,
        #[tool_param(min_length = 1)] many: u8,
    ) -> String {
        format!("{many} {what}")
    }
}

fn main() {}
