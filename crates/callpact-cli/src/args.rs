//! The command line.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
};

use anstream::{
    AutoStream, ColorChoice,
    stream::{AsLockedWrite, RawStream},
};

use callpact::review::{is_hidden, visible};
use clap::{
    CommandFactory, FromArgMatches, Parser, Subcommand,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    agent::AgentArgs,
    commands,
    exit::{Code, Failure},
    help::group_commands,
    screen::{Screen, write_out},
};

const MORE: &str =
    "Run `callpact help COMMAND` for a command, and `callpact --help` for examples and exit codes.";

const EXAMPLES: &str = "\
Examples:
  callpact list
  callpact schema file_write --dialect openai-strict
  callpact check file_write '{\"path\": \"a.md\"}'
  callpact call calculator '{\"input\": \"2 + 3 * 4\"}'
  callpact call file_read path=a.md
  callpact agent \"Write the quarter's costs to report.md\"
  callpact serve --stdio --root ./docs
  callpact worker --nats nats://127.0.0.1:4222 --root ./docs
  callpact desk

Exit codes:
  0  done
  1  something could not be done: a file, a server, the configuration; lint found errors
  2  arguments do not fit, the program's own or a tool's
  3  a tool failed or did not run in time, or the agent came to no answer
  4  halted: rejected, nobody could be asked, cancelled
  5  a call in the file of --store waits: for a decision, or for a process that has claimed it
  6  a call was begun, and nobody knows whether it was carried out

Settings are read from callpact.toml in the current directory, or from --config.";

/// Typed tools for LLM agents: list, call and serve them, and run a small agent.
#[derive(Debug, Parser)]
#[command(name = "callpact", version, after_help = MORE, after_long_help = EXAMPLES)]
pub struct Cli {
    /// Read settings, or the MCP servers of a command that uses them, from this file instead of ./callpact.toml
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print results as JSON on standard output; progress stays on standard error
    #[arg(long, global = true)]
    pub json: bool,
    /// Say more on standard error: -v, -vv, -vvv
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
    /// Print no progress on standard error, only warnings and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    #[command(flatten)]
    #[allow(missing_docs)] // a doc comment would become a heading in the help
    pub color: colorchoice_clap::Color,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The command line of the program.
///
/// ```
/// let command = callpact_cli::command();
/// assert!(command.find_subcommand("call").is_some());
/// ```
pub fn command() -> clap::Command {
    let mut command = Cli::command().mut_arg("color", |arg| arg.help("When to use colours"));
    // Names the commands that clap adds.
    command.build();
    group_commands(command)
}

impl Cli {
    /// Reads a command line that starts with the name of the program. Prints help, the version and
    /// errors; with `--json` it prints errors on standard output too.
    ///
    /// # Errors
    /// The exit code, if there is nothing to run.
    pub fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Code> {
        let arguments: Vec<OsString> = arguments.into_iter().collect();
        if let Some(choice) = find_colour(&arguments) {
            choice.write_global();
        }
        let read = command().try_get_matches_from(&arguments);
        let error = match read.and_then(|matches| Self::from_arg_matches(&matches)) {
            Ok(cli) => return Ok(cli),
            Err(error) => write_out_values(error.format(&mut command())),
        };
        let printed = print(&error);
        if matches!(
            error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ) {
            // A closed pipe, as behind `head`, is not an error.
            return Err(match printed {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Code::Failed,
                _ => Code::Done,
            });
        }
        if arguments.iter().any(|argument| argument == "--json") {
            let text = plain_text(&error);
            let text = text.strip_prefix("error: ").unwrap_or(&text);
            Screen::new(true, false).failure_as_json(&Failure::invalid(text.trim_end()));
        }
        Err(Code::Invalid)
    }
}

/// The value of `--color`, also on a command line that is not valid.
fn find_colour(arguments: &[OsString]) -> Option<ColorChoice> {
    let before_others = arguments.iter().take_while(|word| *word != "--");
    let words: Vec<&str> = before_others.filter_map(|word| word.to_str()).collect();
    let value = words
        .iter()
        .enumerate()
        .find_map(|(place, word)| match *word {
            "--color" => words.get(place + 1).copied(),
            word => word.strip_prefix("--color="),
        });
    match value? {
        "always" => Some(ColorChoice::Always),
        "never" => Some(ColorChoice::Never),
        _ => None,
    }
}

/// Writes out the hidden characters of the arguments that an error names. Clap prints them unchanged, or drops them.
fn write_out_values(mut error: clap::Error) -> clap::Error {
    let shown = |(kind, value): (ContextKind, &ContextValue)| {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(visible(text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| visible(text)).collect())
            }
            _ => return None,
        };
        Some((kind, value))
    };
    let values: Vec<_> = error.context().filter_map(shown).collect();
    for (kind, value) in values {
        error.insert(kind, value);
    }
    // A tip repeats the argument between colours.
    let tip = match error.get(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips.iter().map(ToString::to_string).collect(),
        _ => String::new(),
    };
    if tip.contains(is_hidden) {
        error.remove(ContextKind::Suggested);
    }
    error
}

/// The message of clap without colours.
fn plain_text(error: &clap::Error) -> String {
    let text = error.render().to_string();
    text.lines().map(|line| write_out(line) + "\n").collect()
}

/// Prints the message of clap, in colours by the same rules as the rest of the program.
fn print(error: &clap::Error) -> io::Result<()> {
    fn write(error: &clap::Error, stream: impl RawStream + AsLockedWrite) -> io::Result<()> {
        let mut stream = AutoStream::auto(stream);
        if stream.current_choice() == ColorChoice::Never {
            stream.write_all(plain_text(error).as_bytes())?;
        } else {
            write!(stream, "{}", error.render().ansi())?;
        }
        stream.flush()
    }
    if error.use_stderr() {
        write(error, io::stderr().lock())
    } else {
        write(error, io::stdout().lock())
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
#[non_exhaustive]
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
    /// Make a new crate: tools, an MCP server, or a worker
    New(commands::new::NewArgs),
    /// Print a completion script for a shell
    Completions(commands::completions::CompletionsArgs),
    /// Print a page of the manual
    Man(commands::man::ManArgs),
}

#[cfg(test)]
mod tests {
    use super::command;
    use crate::help::GROUPS;

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let mut known: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let mut listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(known, listed);
        command.debug_assert();
    }
}
