use callpact::tools;

struct Store<'a>(&'a str);

#[tools]
impl<'a> Store<'a> {
    /// The text
    #[tool(read_only)]
    fn text(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}
