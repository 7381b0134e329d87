use callpact::tools;

struct Store<T>(Vec<T>);

#[tools]
impl<T: ToString + Send + Sync + 'static> Store<T> {
    /// Whether it is there
    #[tool(read_only)]
    fn has(&self, item: T) -> bool {
        self.0.iter().any(|other| other.to_string() == item.to_string())
    }
}

fn main() {}
