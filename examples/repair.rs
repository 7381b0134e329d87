//! Broken calls of a model: one that is mended, with the changes, and some that are refused.

use callpact::{FixKind, Policy, ToolInput, read_str};

#[derive(Debug, ToolInput)]
#[allow(dead_code, clippy::struct_field_names)] // it is only printed
struct Search {
    query: String,
    /// Folders to look in
    search_paths: Vec<String>,
    #[tool_param(min = 1, max = 50)]
    limit: Option<u32>,
}

fn main() {
    // A fence, single quotes, a comment, a Python literal, another case, one value for a list.
    let call = "```json
{'query': 'TODO', # what to find
 'searchPaths': 'src', 'limit': None,}
```";
    match read_str::<Search>(call, &Policy::repair()) {
        Ok(read) => {
            println!("{:?}", read.value);
            for fix in &read.fixes {
                println!("  {:<18} {fix}", fix.kind.name());
            }
        }
        Err(report) => println!("{report}"),
    }

    // Truncated, two calls at once, a string that may be several values: the reader never guesses.
    for call in [
        r#"{"query": "TODO", "search_paths": ["src", "te"#,
        r#"{"query": "a", "search_paths": []}{"query": "b", "search_paths": []}"#,
        r#"{"query": "TODO", "search_paths": "src, tests"}"#,
    ] {
        if let Err(report) = read_str::<Search>(call, &Policy::repair()) {
            println!("\n{}", report.with_excerpt(Search::SCHEMA));
        }
    }

    // A stricter host.
    let policy = Policy::repair().refusing(FixKind::KeyCase);
    if let Err(report) = read_str::<Search>(r#"{"Query": "a", "search_paths": []}"#, &policy) {
        println!("\n{report}");
    }
}
