//! The commands of a command line as tools.

use callpact::{
    CommandTool, CommandTools, Dialect, Permission, ToolCall, ToolContext, ToolInput, Toolset, tool,
};
use clap::{Args, Parser, Subcommand, value_parser};
use serde_json::{Value, json};

use Permission::{Destructive, ReadOnly, Write};

#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand, CommandTools)]
enum Commands {
    /// Adds a package
    #[tool(write, secrets(token))]
    AddPackage(AddArgs),
    /// Lists the packages
    #[tool(read_only, title = "List")]
    #[command(name = "ls", about = "Lists what is there")]
    List {
        /// How many
        #[arg(long, default_value_t = 10, value_parser = value_parser!(u32).range(1..=50))]
        limit: u32,
        /// Packages that are hidden too
        #[arg(short, long)]
        all: bool,
        names: Vec<String>,
    },
    /// Empties the cache
    #[tool(destructive, name = "clear_cache")]
    Clear,
    /// The sources of packages
    #[tool(write)]
    #[command(subcommand)]
    Source(SourceCommand),
    /// Prints completions
    Completions { shell: String },
}

#[derive(Debug, Args, ToolInput)]
struct AddArgs {
    /// The package
    package: String,
    /// The key of a private source
    #[arg(long)]
    token: Option<String>,
}

#[derive(Debug, Subcommand, ToolInput)]
#[command(rename_all = "kebab-case")]
enum SourceCommand {
    /// Adds a source
    Add { url: String },
    /// Shows the sources
    Show,
}

impl CommandTool for Commands {
    type Output = Result<String, String>;

    async fn run(self, _: &ToolContext) -> Result<String, String> {
        match self {
            Self::Clear => Err("the cache is locked".to_owned()),
            command => Ok(format!("{command:?}")),
        }
    }
}

/// A tool of its own beside them
#[tool(read_only)]
fn about() -> &'static str {
    "a package manager"
}

async fn call(name: &str, arguments: Value) -> String {
    let tools = Toolset::builder()
        .tools(Commands::tools())
        .build()
        .expect("a list");
    let call = ToolCall::new("1", name, arguments.to_string());
    let cx = ToolContext::new().with_permissions(callpact::PermissionMode::AllowAll);
    let reply = tools.call(&call, &cx).await.expect("no halt");
    reply.to_model().into_owned()
}

#[tokio::test]
async fn each_marked_command_is_a_tool() {
    let tools = Toolset::builder()
        .tools(Commands::tools())
        .tool(About)
        .build()
        .expect("a list");
    let names: Vec<&str> = tools.names().collect();
    assert_eq!(
        names,
        ["add_package", "ls", "clear_cache", "source", "about"]
    );
    let specs = tools.specs(Dialect::OpenAi);
    let specs: Value = serde_json::from_str(&specs).expect("JSON");
    let ls = &specs[1]["function"];
    assert_eq!(ls["description"], "Lists what is there");
    assert_eq!(ls["parameters"]["properties"]["limit"]["maximum"], 50);
    assert_eq!(ls["parameters"].get("required"), None);
    let permissions: Vec<Permission> = names
        .iter()
        .filter_map(|name| tools.permission(name))
        .collect();
    assert_eq!(permissions, [Write, ReadOnly, Destructive, Write, ReadOnly]);
}

#[tokio::test]
async fn a_tool_runs_what_the_command_line_runs() {
    for (name, arguments, line) in [
        (
            "add_package",
            json!({"package": "p"}),
            &["add-package", "p"][..],
        ),
        ("ls", json!({}), &["ls"]),
        (
            "ls",
            json!({"limit": 5, "all": true, "names": ["a"]}),
            &["ls", "--limit", "5", "-a", "a"],
        ),
        (
            "source",
            json!({"command": {"add": {"url": "u"}}}),
            &["source", "add", "u"],
        ),
        ("source", json!({"command": "show"}), &["source", "show"]),
    ] {
        let cli = Cli::parse_from(["program"].iter().chain(line));
        assert_eq!(call(name, arguments).await, format!("{:?}", cli.command));
    }
    assert_eq!(
        call("clear_cache", json!({})).await,
        "Error: the cache is locked"
    );
    let refused = call("ls", json!({"limit": 51})).await;
    assert!(
        refused.contains("limit: expected an integer from 1 to 50, found 51"),
        "{refused}"
    );
}
