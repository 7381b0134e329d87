//! The `callpact` program: one file for each command under [`commands`], the agent loop in [`agent`].
//!
//! The binary consists of this library, so that your own program can offer the same commands under
//! another name: [read](Cli::read) the command line and [`run`] it.
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason

pub mod agent;
pub mod commands;

mod api;
mod approve;
mod args;
mod arguments;
mod begun;
mod complete;
mod config;
mod connections;
mod dialects;
mod exit;
mod forms;
mod help;
mod hint;
mod listed;
mod progress;
mod remote;
mod replies;
mod reviewers;
mod screen;
mod servers;
mod session;
mod source;
mod system;
mod text_file;

pub use api::ApiArgs;
pub use approve::Approve;
pub use args::command;
pub use args::{Cli, Command};
pub use config::{Approvals, Config, ConfigError, Limits};
pub use exit::{Code, Failure};
pub use remote::{Access, Remote};
pub use screen::{Ink, Screen};
pub use session::Session;
pub use source::Source;
pub use system::KNOWN;

/// Runs a parsed command line and prints its failure.
///
/// ```no_run
/// use callpact_cli::{Cli, run};
///
/// let runtime = tokio::runtime::Runtime::new()?;
/// let code = match Cli::read(std::env::args_os()) {
///     Ok(cli) => runtime.block_on(run(cli)),
///     Err(code) => code,
/// };
/// std::process::exit(code.number().into());
/// # #[allow(unreachable_code)]
/// # Ok::<(), std::io::Error>(())
/// ```
pub async fn run(cli: Cli) -> Code {
    let screen = Screen::new(cli.json, cli.quiet);
    Screen::trace(cli.verbose);
    let ended = run_command(cli, &screen).await;
    // Any other exit code already reports a failure.
    let ended = ended.and_then(|code| match (code, screen.check_written()) {
        (Code::Done, Err(failure)) => Err(failure),
        _ => Ok(code),
    });
    match ended {
        Ok(code) => code,
        Err(failure) => {
            screen.failure(&failure);
            failure.code
        }
    }
}

async fn run_command(cli: Cli, screen: &Screen) -> Result<Code, Failure> {
    // These also take a file of servers as their configuration.
    let servers = match &cli.command {
        Command::Mcp(_)
        | Command::Desk(_)
        | Command::Lint(_)
        | Command::Schema(_)
        | Command::Check(_)
        | Command::Call(_) => servers::read_servers(cli.config.as_deref())?,
        _ => None,
    };
    let settings = cli.config.as_deref().filter(|_| servers.is_none());
    let config = match &cli.command {
        // These work whatever the settings say.
        Command::New(_) | Command::Completions(_) | Command::Man(_) => Config::default(),
        _ => Config::load(settings)?,
    };
    let session = Session::new(config, screen.clone());
    let ended = match &cli.command {
        Command::List(args) => commands::list::run(args, &session).await,
        Command::Schema(args) => commands::schema::run(args, servers, &session).await,
        Command::Lint(args) => commands::lint::run(args, servers, &session).await,
        Command::Check(args) => commands::check::run(args, servers, &session).await,
        Command::Call(args) => commands::call::run(args, servers, &session).await,
        Command::Serve(args) => Box::pin(commands::serve::run(args, &session)).await,
        Command::Desk(args) => commands::desk::run(args, servers, &session).await,
        Command::Worker(args) => commands::worker::run(args, &session).await,
        Command::Mcp(args) => commands::mcp::run(args, servers, &session).await,
        Command::Agent(args) => agent::run(args, &session).await,
        Command::Pending(args) => commands::stored::list::pending(args, &session).await,
        Command::Show(args) => commands::stored::list::show(args, &session).await,
        Command::Approve(args) => commands::stored::decide::approve(args, &session).await,
        Command::Reject(args) => commands::stored::decide::reject(args, &session).await,
        Command::Refuse(args) => commands::stored::decide::refuse(args, &session).await,
        Command::Resume(args) => commands::stored::resume::resume(args, &session).await,
        Command::Forget(args) => commands::stored::forget::forget(args, &session).await,
        Command::Completions(args) => commands::completions::run(args, command(), screen),
        Command::New(args) => commands::new::run(args, screen),
        Command::Man(args) => commands::man::run(args, command(), screen),
    };
    session.leave_workers().await;
    ended
}
