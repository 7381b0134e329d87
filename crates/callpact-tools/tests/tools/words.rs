//! The model's texts about the tools are prose, and reveal nothing of the program's inside.

use callpact::{Dialect, Toolset};
use callpact_tools::{
    HttpAgentTool, ProcessAgentTool, Shell, WebScrape, WebSearch, engine::search::LocalSearch,
    toolbox,
};
use serde_json::Value;

use crate::bench::Place;

/// Every text in a schema that is there to be read.
fn texts(schema: &Value, path: &str, into: &mut Vec<(String, String)>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                let path = format!("{path}.{key}");
                match (key.as_str(), value) {
                    ("description" | "title", Value::String(text)) => {
                        into.push((path, text.clone()));
                    }
                    _ => texts(value, &path, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, path, into)),
        _ => {}
    }
}

/// Signs that a text was written for another reader.
fn fault(text: &str) -> Option<&'static str> {
    let quoted = text.split('`').skip(1).step_by(2);
    // `FileRead`, `Option<u32>`, `u64`; not `users[0].name` or `overwrite`.
    let rust = |word: &str| {
        let types = [
            "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "usize", "isize", "f32", "f64",
            "str", "bool",
        ];
        let camel = word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.contains(|c: char| c.is_ascii_lowercase());
        camel || types.contains(&word) || word.contains('<')
    };
    if text.contains("[`") || text.contains("`]") || text.contains("](") {
        Some("a link of the documentation")
    } else if text.contains("::") {
        Some("a path")
    } else if quoted.into_iter().any(rust) {
        Some("the name of a type")
    } else if [
        "///",
        "//!",
        "# Errors",
        "# Panics",
        "# Example",
        "```",
        "\n #",
    ]
    .iter()
    .any(|mark| text.contains(mark))
    {
        Some("a mark of the documentation")
    } else if text.trim() != text || text.trim().is_empty() {
        Some("blanks around it")
    } else {
        None
    }
}

#[test]
fn everything_that_a_model_reads_is_prose() {
    let place = Place::new();
    let shell = Shell::new(place.base()).unwrap();
    let http = HttpAgentTool::get("ask", "Asks a service.", "https://example.org/").unwrap();
    let process = ProcessAgentTool::builder()
        .name("count")
        .description("Counts.")
        .command(["wc"])
        .build()
        .unwrap();
    let tools = Toolset::builder()
        .tools(toolbox(place.base()).unwrap())
        .tool(WebSearch::offline(LocalSearch::new()))
        .tool(WebScrape::new().unwrap())
        .tool(http)
        .tool(process)
        .tool(shell.processes())
        .tool(shell)
        .build()
        .unwrap();
    let mut read = Vec::new();
    for dialect in Dialect::ALL {
        for spec in tools.spec_list(dialect) {
            read.push((spec.name.clone(), spec.description.clone()));
            for schema in [Some(&spec.parameters), spec.output.as_ref()]
                .into_iter()
                .flatten()
            {
                let schema = serde_json::from_str(schema).unwrap();
                texts(&schema, &format!("{dialect}: {}", spec.name), &mut read);
            }
        }
    }
    let faults: Vec<String> = read
        .iter()
        .filter_map(|(path, text)| Some(format!("{path}: {}: {text}", fault(text)?)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(read.len() > 12 * Dialect::ALL.len(), "{} texts", read.len());
}

#[test]
fn faults_are_found() {
    for (text, expected) in [
        ("What [`FileRead`] takes.", "a link of the documentation"),
        ("See std::fs.", "a path"),
        ("A `FileRead`", "the name of a type"),
        ("An `Option<T>`", "the name of a type"),
        ("A `u32`", "the name of a type"),
        ("Reads.\n# Errors\nNever.", "a mark of the documentation"),
        (" Reads.", "blanks around it"),
    ] {
        assert_eq!(fault(text), Some(expected), "{text}");
    }
    for text in [
        "The path: dotted such as `users[0].name`, or `$.users[?@.age > 30].name`",
        "`overwrite` when left out (overwrite: The file is replaced)",
        "such as `https://example.org/`; a JSONPath (`$`)",
    ] {
        assert_eq!(fault(text), None, "{text}");
    }
}
