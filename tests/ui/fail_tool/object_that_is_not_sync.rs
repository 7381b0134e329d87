use toolwright::{tool, tools};

struct Counter(std::cell::Cell<u8>);

#[tools]
impl Counter {
    /// Counts
    #[tool(read_only)]
    fn count(&self) -> u8 {
        self.0.get()
    }
}

fn main() {}
