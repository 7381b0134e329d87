use callpact::tool;

/// Echoes
#[tool(read_only)]
fn echo(text: &str, words: &[String], count: &Option<u8>, rest: std::borrow::Cow<'_, str>) -> String {
    format!("{text}{words:?}{count:?}{rest}")
}

fn main() {}
