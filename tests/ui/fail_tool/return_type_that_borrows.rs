use callpact::tools;

struct Account {
    owner: String,
}

#[tools]
impl Account {
    /// Who owns it
    #[tool(read_only)]
    fn owner(&self) -> &str {
        &self.owner
    }
}

fn main() {}
