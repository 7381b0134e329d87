use callpact::tools;

struct Counter(i64);

#[tools]
impl Counter {
    /// Counts on
    #[tool(write)]
    fn add(&mut self, by: i64) -> i64 {
        self.0 += by;
        self.0
    }
}

fn main() {}
