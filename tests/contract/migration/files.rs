//! Files, shells, search and code.
#![allow(dead_code)] // declarations that a reader fills

use std::{collections::HashMap, path::PathBuf};

use callpact::ToolInput;
use schemars::JsonSchema;
use serde::Deserialize;

use super::moved;

moved! {
    ReadFile: r#"{"path": "a.rs", "offset": 10}"#,
    WriteFile: r#"{"path": "a.rs", "content": "fn main() {}", "mode": "append"}"#,
    EditFile: r#"{"file_path": "a.rs", "edits": [{"old": "a", "new": "b"}]}"#,
    ListDirectory: r#"{"path": ".", "ignore": ["target"]}"#,
    Glob: r#"{"pattern": "**/*.rs"}"#,
    RunCommand: r#"{"command": "ls", "env": {"A": "b"}}"#,
    ApplyPatch: r#"{"patch": {"kind": "move", "from": "a", "to": "b"}}"#,
    CodeSearch: r#"{"query": "x", "languages": ["rust"], "range": [1, 9]}"#,
    GitCommit: r#"{"message": "Add a lamp", "files": ["a.rs"], "author": {"name": "Ada"}}"#,
    RunTests: r#"{"filter": "a", "timeout": {"secs": 5, "nanos": 0}}"#,
}

/// Reads a file
#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct ReadFile {
    /// The path of the file
    path: PathBuf,
    /// The first line
    #[serde(default)]
    offset: usize,
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "snake_case")]
enum WriteMode {
    Overwrite,
    Append,
}

/// Writes a file
#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(deny_unknown_fields)]
struct WriteFile {
    #[schemars(length(min = 1), description = "Relative to the workspace")]
    path: String,
    content: String,
    #[serde(default = "overwrite")]
    mode: WriteMode,
}

fn overwrite() -> WriteMode {
    WriteMode::Overwrite
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct TextEdit {
    #[serde(rename = "old", alias = "old_string")]
    old_text: String,
    #[serde(rename = "new", alias = "new_string")]
    new_text: String,
    #[serde(default)]
    replace_all: bool,
}

/// Edits a file
#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct EditFile {
    file_path: String,
    #[schemars(length(min = 1))]
    edits: Vec<TextEdit>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct ListDirectory {
    path: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ignore: Vec<String>,
    #[serde(default)]
    depth: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Glob {
    pattern: String,
    path: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct RunCommand {
    command: String,
    #[serde(default)]
    env: HashMap<String, String>,
    #[serde(default)]
    #[schemars(range(max = 600_000))]
    timeout_ms: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Patch {
    Add { path: String, content: String },
    Delete { path: String },
    Move { from: String, to: String },
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct ApplyPatch {
    patch: Patch,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Language {
    Rust,
    Python,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct CodeSearch {
    query: String,
    #[serde(default)]
    languages: Vec<Language>,
    range: Option<(u32, u32)>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct Author {
    name: String,
    email: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct GitCommit {
    #[schemars(length(min = 1, max = 72))]
    message: String,
    files: Vec<PathBuf>,
    author: Option<Author>,
    #[serde(default)]
    amend: bool,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct TimeLimit {
    secs: u64,
    nanos: u32,
}

#[derive(Debug, Deserialize, JsonSchema, ToolInput)]
struct RunTests {
    filter: Option<String>,
    timeout: Option<TimeLimit>,
}
