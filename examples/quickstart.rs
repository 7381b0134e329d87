//! A contract: its schema, a bad call with its report, and a good call with its fixes.
//!
//! `cargo run --example quickstart -p callpact-examples`

use std::error::Error;

use callpact::{Dialect, Policy, ToolInput, read_str, schema_json};
use callpact_examples::pretty;

/// Send one HTTP request
#[derive(Debug, ToolInput)]
#[allow(dead_code)] // printed as a whole
struct HttpRequest {
    /// The URL to request
    #[tool_param(pattern = "^https?://")]
    url: String,
    /// What to do with it
    method: Method,
    /// Names and values of headers
    #[tool_param(required = false, default)]
    headers: Vec<Header>,
    /// What to send
    body: Option<String>,
    /// How long to wait
    #[tool_param(min = 1, max = 60_000, default = 30_000)]
    timeout_ms: u32,
    /// Whether to follow redirects
    follow: bool,
}

#[derive(Debug, ToolInput)]
enum Method {
    Get,
    Post,
}

#[derive(Debug, ToolInput)]
#[allow(dead_code)] // printed as a whole
struct Header {
    #[tool_param(min_length = 1, max_length = 64)]
    name: String,
    value: String,
}

/// The schema is a constant: the program builds nothing at run time.
const SCHEMA: &str = schema_json!(HttpRequest, Dialect::Portable);

fn main() -> Result<(), Box<dyn Error>> {
    println!("The schema, {} bytes:\n{}\n", SCHEMA.len(), pretty(SCHEMA));

    let bad = r#"{
        "uri": "https://example.com",
        "method": "get",
        "headers": [{"name": "", "value": 5}, {"name": "Accept"}],
        "timeout_ms": 90000,
        "follow": "maybe"
    }"#;
    match read_str::<HttpRequest>(bad, &Policy::lax()) {
        Ok(read) => println!("read, against expectation: {:?}", read.value),
        Err(report) => println!("A bad call, and what the model is told:\n{report}\n"),
    }

    let good =
        r#"{"url": "https://example.com", "method": "Get", "timeout_ms": "500", "follow": true}"#;
    let read = read_str::<HttpRequest>(good, &Policy::lax())?;
    println!("A good call: {:?}", read.value);
    for fix in &read.fixes {
        println!("with a fix: {fix}");
    }
    Ok(())
}
