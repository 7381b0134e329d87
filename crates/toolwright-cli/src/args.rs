//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{agent::AgentArgs, commands};

const EXAMPLES: &str = "\
Examples:
  toolwright list
  toolwright schema file_write --dialect openai-strict
  toolwright call calculator '{\"input\": \"2 + 3 * 4\"}'
  toolwright agent \"Write the quarter's costs to report.md\"
  toolwright serve --stdio --root ./docs

Exit codes:
  0  done
  1  something could not be done: a file, a server, the configuration; lint found errors
  2  arguments do not fit, the program's own or a tool's
  3  a tool ran and failed, or the agent came to no answer
  4  halted: rejected, nobody could be asked, cancelled

Settings are read from toolwright.toml in the current directory, or from --config.";

/// Typed tools for LLM agents: list, call and serve them, and run a small agent.
#[derive(Debug, Parser)]
#[command(name = "toolwright", version, after_help = EXAMPLES)]
pub struct Cli {
    /// Read settings from this file instead of ./toolwright.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print results as JSON on standard output; progress stays on standard error
    #[arg(long, global = true)]
    pub json: bool,
    /// Say more on standard error: -v, -vv, -vvv
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List the tools with their permissions
    List(commands::list::ListArgs),
    /// Print the schema of a tool's parameters in a provider's dialect
    Schema(commands::schema::SchemaArgs),
    /// Say what a provider would reject; exits with 1 when it would
    Lint(commands::lint::LintArgs),
    /// Call a tool
    Call(commands::call::CallArgs),
    /// Serve the tools over the Model Context Protocol
    Serve(commands::serve::ServeArgs),
    /// Inspect the tools of another MCP server, or call one
    Mcp(commands::mcp::McpArgs),
    /// Run a small agent on a task, in a sandbox directory
    Agent(AgentArgs),
    /// Print a completion script for a shell
    Completions(commands::completions::CompletionsArgs),
}

/// Who approves.
#[derive(Clone, Copy, Debug, Args)]
pub struct Approve {
    /// Approve every call without asking
    #[arg(long, short = 'y')]
    pub yes: bool,
}
