//! The size of a schema beside the one that schemars writes for the same declaration.
//!
//! Which structs are measured follows a rule that does not look at the result: every input that this
//! repository declares for another purpose, which is those of the seven built-in tools and the three
//! that the benchmark reads, ten in all. Doc comments are theirs, and schemars is told each rule by
//! its own attributes.

use schemars::JsonSchema;
use toolwright::{Dialect, ToolInput};

macro_rules! both {
    ($($(#[$container:meta])* $kind:ident $name:ident { $($body:tt)* })*) => {$(
        #[derive(ToolInput, JsonSchema)]
        #[allow(dead_code)] // declarations
        $(#[$container])*
        $kind $name { $($body)* }
    )*};
}

// crates/toolwright-tools
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

#[test]
fn smaller_than_schemars() {
    fn texts<T: ToolInput + JsonSchema>() -> (String, String) {
        let theirs = serde_json::to_string(&schemars::schema_for!(T)).expect("JSON");
        (T::SCHEMA.to_json(Dialect::Portable), theirs)
    }
    macro_rules! table {
        ($($type:ident)*) => { [$((stringify!($type), texts::<$type>())),*] };
    }
    let table = table!(
        FileReadInput FileWriteInput JsonParserInput ShellInput ShellProcessInput
        WebScrapeInput WebSearchInput Search WriteFile Order
    );
    let (mut ours, mut theirs) = (0, 0);
    for (name, (our, their)) in &table {
        println!("{name:18} {:5} {:5}", our.len(), their.len());
        println!("  {our}\n  {their}");
        ours += our.len();
        theirs += their.len();
    }
    #[allow(clippy::cast_precision_loss)] // thousands
    let ratio = ours as f64 / theirs as f64;
    println!("{:18} {ours:5} {theirs:5}: {ratio:.3}", "total");
    assert!(
        (0.76..0.77).contains(&ratio),
        "docs/benchmarks.md says 0.76, not {ratio}"
    );
}
