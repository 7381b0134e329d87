use callpact::ToolInput;

#[derive(ToolInput)]
#[schemars(extend("x-order" = 1), transform = sort)]
struct Contact {
    #[schemars(email)]
    mail: String,
    #[schemars(url)]
    page: String,
    #[schemars(ipv4)]
    address: String,
    #[schemars(contains(pattern = "a"))]
    name: String,
    #[schemars(inner(length(min = 1)))]
    tags: Vec<String>,
    #[schemars(schema_with = "custom")]
    other: String,
    #[schemars(deprecated = true)]
    old: bool,
}

#[derive(ToolInput)]
enum Mode {
    #[schemars(range(min = 1))]
    Fast,
}

fn main() {}
