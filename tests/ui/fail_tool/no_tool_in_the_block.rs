use callpact::tools;

struct Math;

#[tools]
impl Math {
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = callpact::Toolset::builder().tools(Math);
    Math.add(1, 2);
}
