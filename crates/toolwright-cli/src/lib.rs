//! The `toolwright` program: one file a command under [`commands`], the agent loop in [`agent`].
//!
//! The library is what the binary is made of, so that a program of your own can put the same commands
//! under another name: parse [`Cli`] and [`run`] it.
#![forbid(unsafe_code)]

pub mod agent;
pub mod commands;

mod args;
mod config;
mod exit;
mod screen;
mod tools;

pub use args::{Approve, Cli, Command};
pub use config::{Approvals, Config, ConfigError, Limits};
pub(crate) use exit::interrupted;
pub use exit::{Code, Failure};
pub use screen::{Ink, Screen};
pub use tools::{KNOWN, Session};

/// Runs a parsed command line; what went wrong is printed.
///
/// ```no_run
/// use clap::Parser;
///
/// let runtime = tokio::runtime::Runtime::new()?;
/// let code = runtime.block_on(toolwright_cli::run(toolwright_cli::Cli::parse()));
/// std::process::exit(code.number().into());
/// # #[allow(unreachable_code)]
/// # Ok::<(), std::io::Error>(())
/// ```
pub async fn run(cli: Cli) -> Code {
    let screen = Screen::new(cli.json);
    Screen::trace(cli.verbose);
    let went = go(cli, &screen).await;
    // What was done with another code than that is known by it.
    let went = went.and_then(|code| match (code, screen.written()) {
        (Code::Done, Err(failure)) => Err(failure),
        _ => Ok(code),
    });
    match went {
        Ok(code) => code,
        Err(failure) => {
            screen.failure(&failure);
            failure.code
        }
    }
}

async fn go(cli: Cli, screen: &Screen) -> Result<Code, Failure> {
    // Completions are asked for by shells, whatever the configuration is.
    if let Command::Completions(args) = &cli.command {
        return commands::completions::run(args, screen);
    }
    let config = Config::load(cli.config.as_deref())?;
    let session = Session::new(config, screen.clone());
    match &cli.command {
        Command::List(args) => commands::list::run(args, &session),
        Command::Schema(args) => commands::schema::run(args, &session),
        Command::Lint(args) => commands::lint::run(args, &session),
        Command::Check(args) => commands::check::run(args, &session),
        Command::Call(args) => commands::call::run(args, &session).await,
        Command::Serve(args) => commands::serve::run(args, &session).await,
        Command::Mcp(args) => commands::mcp::run(args, &session).await,
        Command::Agent(args) => agent::run(args, &session).await,
        Command::Completions(args) => commands::completions::run(args, screen),
    }
}
