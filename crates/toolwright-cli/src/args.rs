//! The command line.

use std::{
    ffi::OsString,
    io::{self, IsTerminal, Write},
    path::PathBuf,
};

use clap::{Parser, Subcommand, error::ErrorKind};
use toolwright::review::{is_hidden, visible};

use crate::{
    agent::AgentArgs,
    commands,
    exit::{Code, Failure},
    screen::{Screen, has_colours},
};

const EXAMPLES: &str = "\
Examples:
  toolwright list
  toolwright schema file_write --dialect openai-strict
  toolwright check file_write '{\"path\": \"a.md\"}'
  toolwright call calculator '{\"input\": \"2 + 3 * 4\"}'
  toolwright agent \"Write the quarter's costs to report.md\"
  toolwright serve --stdio --root ./docs
  toolwright worker --nats nats://127.0.0.1:4222 --root ./docs
  toolwright desk

Exit codes:
  0  done
  1  something could not be done: a file, a server, the configuration; lint found errors
  2  arguments do not fit, the program's own or a tool's
  3  a tool failed or did not run in time, or the agent came to no answer
  4  halted: rejected, nobody could be asked, cancelled
  5  a call in the file of --store waits: for a decision, or for a process that has claimed it
  6  a call was begun, and nobody knows whether it was carried out

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
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Reads a command line that starts with the name of the program. Prints help, the version and
    /// errors; with `--json` it prints errors on standard output too.
    ///
    /// # Errors
    /// The exit code, if there is nothing to run.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Code> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        let message = match Self::try_parse_from(&arguments) {
            Ok(cli) => return Ok(cli),
            Err(error) => Self::explain(error, &arguments),
        };
        let printed = message.print();
        if matches!(
            message.error().kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ) {
            // A closed pipe, as behind `head`, is not an error.
            return Err(match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Code::Failed,
                _ => Code::Done,
            });
        }
        if arguments.iter().any(|argument| argument == "--json") {
            let text = message.text();
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            Screen::new(true).failure_as_json(&Failure::invalid(text.trim_end()));
        }
        Err(Code::Invalid)
    }

    /// Makes a message in which hidden characters of the arguments are written out. Clap prints arguments as they are.
    fn explain(error: clap::Error, arguments: &[OsString]) -> Message {
        let hidden = |it: &OsString| it.to_string_lossy().contains(is_hidden);
        if !arguments.iter().any(hidden) {
            return Message::Plain(error);
        }
        let shown = arguments.iter().map(|it| visible(&it.to_string_lossy()));
        match Self::try_parse_from(shown.map(OsString::from)) {
            Err(again) if again.kind() == error.kind() => Message::Plain(again),
            _ => Message::Hidden(error),
        }
    }
}

/// A message of clap.
enum Message {
    /// One with clap's own text and visible arguments alone.
    Plain(clap::Error),
    /// One that may have a hidden character of an argument in it.
    Hidden(clap::Error),
}

impl Message {
    fn error(&self) -> &clap::Error {
        match self {
            Self::Plain(error) | Self::Hidden(error) => error,
        }
    }

    /// The text without colours.
    fn text(&self) -> String {
        match self {
            Self::Plain(error) => error.render().to_string(),
            Self::Hidden(error) => {
                let text = error.render().to_string();
                text.lines().map(|line| visible(line) + "\n").collect()
            }
        }
    }

    /// Prints the message. Clap itself would colour by other rules than the rest of the program: on any terminal where
    /// `CI` is set, for example.
    fn print(&self) -> io::Result<()> {
        if self.error().use_stderr() {
            self.write(io::stderr().lock())
        } else {
            self.write(io::stdout().lock())
        }
    }

    fn write(&self, mut stream: impl Write + IsTerminal) -> io::Result<()> {
        match self {
            Self::Plain(error) if has_colours(&stream) => {
                write!(stream, "{}", error.render().ansi())?;
            }
            _ => stream.write_all(self.text().as_bytes())?,
        }
        stream.flush()
    }
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
    /// Say whether arguments fit a tool, without calling it
    Check(commands::check::CheckArgs),
    /// Call a tool
    Call(commands::call::CallArgs),
    /// Serve the tools over the Model Context Protocol
    Serve(commands::serve::ServeArgs),
    /// Take calls of the tools over NATS, as one of many workers
    Worker(commands::worker::WorkerArgs),
    /// Open a page where people see the tools, try one, and approve what waits
    Desk(commands::desk::DeskArgs),
    /// Inspect the tools of another MCP server, or call one
    Mcp(commands::mcp::McpArgs),
    /// Run a small agent on a task, in a sandbox directory
    Agent(AgentArgs),
    /// List the calls that wait in a file
    Pending(commands::stored::list::PendingArgs),
    /// Show a waiting call: its arguments, what it will do, who decided
    Show(commands::stored::list::ShowArgs),
    /// Let a waiting call run
    Approve(commands::stored::decide::ApproveArgs),
    /// Reject a waiting call, which ends its run
    Reject(commands::stored::decide::RejectArgs),
    /// Refuse a waiting call and tell the model why
    Refuse(commands::stored::decide::RefuseArgs),
    /// Carry out the calls that were decided about
    Resume(commands::stored::resume::ResumeArgs),
    /// Remove a call that can never run, or that is settled
    Forget(commands::stored::forget::ForgetArgs),
    /// Print a completion script for a shell
    Completions(commands::completions::CompletionsArgs),
}
