//! The size of a schema compared with schemars' schema of the same declaration.
//!
//! The choice of structs does not depend on the result. The target uses the ten inputs that the
//! source documents show or name, with the fields, types and descriptions given there. A second
//! group has ten inputs from this repository: those of the seven built-in tools, whose descriptions
//! are long, and the three of the benchmark. Schemars gets every rule through its own attributes.

use callpact::{Dialect, ToolInput};
use schemars::JsonSchema;

macro_rules! both {
    ($($(#[$container:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
        #[derive(ToolInput, JsonSchema)]
        #[allow(dead_code)] // declarations
        $(#[$container])*
        pub(super) $kind $name { $($body)* }
    )*};
}

mod documents {
    use super::{JsonSchema, ToolInput};

    both! {
        struct FileReadInput {
            path: String,
        }
        /// What it takes to write a file
        struct FileWriteInput {
            /// The path of the file, relative to the sandbox
            path: String,
            /// The text to write into the file
            content: String,
        }
        struct JsonParserInput {
            #[serde(rename = "jsonPath")]
            json_path: String,
            json: String,
        }
        /// What it takes to search the web
        struct WebSearchInput {
            /// The words to search for, such as 'Rust async traits'
            query: String,
        }
        struct WebScraperInput {
            url: String,
        }
        /// What it takes to make a request
        struct HttpRequestInput {
            /// The address to ask
            url: String,
            /// The method: GET, POST, PUT, DELETE
            method: String,
            /// The body of the request
            body: Option<String>,
        }
        struct UpdateGridArgs {
            /// The SQL query
            query: String,
        }
        struct EditParams {
            file_path: String,
            old_string: String,
            new_string: String,
            replace_all: Option<bool>,
        }
        struct BashParams {
            command: String,
            timeout: Option<u64>,
            run_in_background: Option<bool>,
            description: Option<String>,
        }
        struct BashProcessParams {
            process_id: String,
            block: Option<bool>,
            timeout: Option<u64>,
            stop: Option<bool>,
        }
    }
}

// crates/callpact-tools
both! {
    /// Which file to read, and which lines of it
    struct FileReadInput {
        /// The path of the file, relative to the base directory
        path: String,
        /// The first line to read, counted from 1; leave it out to read from the start
        #[tool_param(min = 1)]
        #[schemars(range(min = 1))]
        first_line: Option<u64>,
        /// The last line to read; leave it out to read to the end
        #[tool_param(min = 1)]
        #[schemars(range(min = 1))]
        last_line: Option<u64>,
    }
    /// What to write, and into which file
    struct FileWriteInput {
        /// The path of the file, relative to the base directory
        path: String,
        /// The text to write
        content: String,
        /// What to do with a file that is there already; `overwrite` when left out
        mode: Option<FileWriteMode>,
    }
    /// What happens to a file that is there already.
    #[serde(rename_all = "snake_case")]
    enum FileWriteMode {
        /// The file is replaced
        Overwrite,
        /// The text is added at the end
        Append,
        /// Writing fails when the file exists
        CreateNew,
    }
    /// A JSON text, and the path of a value in it
    struct JsonParserInput {
        /// The path of the value: dotted such as `users[0].name`, or a JSONPath such as `$.users[*].name`
        #[serde(rename = "jsonPath", alias = "json_path")]
        json_path: String,
        /// The JSON text to look in
        json: String,
    }
    /// What to run, and for how long
    struct ShellInput {
        /// The command line to run
        command: String,
        /// How many seconds the command may run
        #[tool_param(min = 1)]
        #[schemars(range(min = 1))]
        timeout: Option<u32>,
        /// Whether to go on at once while the command runs; look after it with `shell_process`
        #[tool_param(default = false)]
        #[schemars(default)]
        run_in_background: bool,
        /// What the command is for, in a few words, for the person who approves it
        description: Option<String>,
    }
    /// Which process to look after, and how
    struct ShellProcessInput {
        /// The process, as `shell` named it
        process_id: String,
        /// Whether to wait until the process has ended
        #[tool_param(default = false)]
        #[schemars(default)]
        block: bool,
        /// How many seconds to wait at most
        #[tool_param(min = 1)]
        #[schemars(range(min = 1))]
        timeout: Option<u32>,
        /// Whether to stop the process
        #[tool_param(default = false)]
        #[schemars(default)]
        stop: bool,
    }
    /// Which page to fetch
    struct WebScrapeInput {
        /// The address of the page in full, such as `https://example.org/`
        url: String,
    }
    /// What to search for
    struct WebSearchInput {
        /// What to search for
        query: String,
    }
}

// benches
both! {
    /// A search with nested filters: about 200 bytes of JSON.
    struct Search {
        /// What to look for
        query: String,
        /// Filters that all must hold
        filters: Vec<Filter>,
        /// Which part of the answer
        page: Page,
        /// Whether to look into folders
        recursive: bool,
        /// A note for the log
        note: Option<String>,
    }
    /// One filter of a [`Search`].
    struct Filter {
        /// The field to compare
        field: String,
        /// How to compare
        op: Op,
        /// What to compare with
        value: f64,
    }
    /// A comparison.
    enum Op {
        /// Less
        Lt,
        /// Greater
        Gt,
        /// Equal
        Eq,
    }
    /// A part of a list.
    struct Page {
        /// How many
        limit: u32,
        /// From where
        offset: u32,
    }
    /// A file to write: one long string.
    struct WriteFile {
        /// Where to
        path: String,
        /// What
        content: String,
        /// Whether behind what is there
        append: bool,
    }
    /// Many small objects.
    struct Order {
        /// What is ordered
        items: Vec<Item>,
    }
    /// One line of an [`Order`].
    struct Item {
        /// The number of the article
        id: u64,
        /// Its name
        name: String,
        /// Its price
        price: f64,
        /// How many
        count: u16,
        /// Words for the search
        tags: Vec<String>,
        /// Whether it is in stock
        active: bool,
    }
}

fn texts<T: ToolInput + JsonSchema>() -> (String, String) {
    let theirs = serde_json::to_string(&schemars::schema_for!(T)).expect("JSON");
    (T::SCHEMA.to_json(Dialect::Portable), theirs)
}

macro_rules! table {
    ($($type:ty)*) => { [$((stringify!($type), texts::<$type>())),*] };
}

/// Our bytes divided by schemars' bytes.
fn ratio(table: &[(&str, (String, String))]) -> f64 {
    let (mut ours, mut theirs) = (0, 0);
    for (name, (our, their)) in table {
        println!("{name:18} {:5} {:5}", our.len(), their.len());
        println!("  {our}\n  {their}");
        ours += our.len();
        theirs += their.len();
    }
    #[allow(clippy::cast_precision_loss)] // thousands
    let ratio = ours as f64 / theirs as f64;
    println!("{:18} {ours:5} {theirs:5}: {ratio:.3}", "total");
    ratio
}

#[test]
fn documented_inputs_are_smaller_than_with_schemars() {
    use documents::{
        BashParams, BashProcessParams, EditParams, FileReadInput, FileWriteInput, HttpRequestInput,
        JsonParserInput, UpdateGridArgs, WebScraperInput, WebSearchInput,
    };
    let ratio = ratio(&table!(
        FileReadInput FileWriteInput JsonParserInput WebSearchInput WebScraperInput
        HttpRequestInput UpdateGridArgs EditParams BashParams BashProcessParams
    ));
    assert!(ratio <= 0.7, "{ratio}");
}

#[test]
fn repository_inputs_are_smaller_than_with_schemars() {
    let ratio = ratio(&table!(
        FileReadInput FileWriteInput JsonParserInput ShellInput ShellProcessInput
        WebScrapeInput WebSearchInput Search WriteFile Order
    ));
    assert!(
        (0.76..0.77).contains(&ratio),
        "docs/benchmarks.md says 0.76, not {ratio}"
    );
}
