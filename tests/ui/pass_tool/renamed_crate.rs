//! The crate has another name.
use callpact as tw;

mod inner {
    pub(crate) use callpact as typed;
}

/// Adds two numbers
#[tw::tool(read_only, crate = crate::inner::typed)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

struct Math;

#[tw::tools(crate = "crate::inner::typed")]
impl Math {
    /// Halves a number
    #[tw::tool(read_only)]
    fn halve(&self, number: f64) -> f64 {
        number / 2.0
    }
}

fn main() {
    assert!(tw::Toolset::builder().tool(Add).tools(Math).build().is_ok());
}
