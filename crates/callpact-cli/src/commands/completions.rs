//! `callpact completions`.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{
    exit::{Code, Failure},
    screen::Screen,
};

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact completions bash > ~/.local/share/bash-completion/completions/callpact
  source <(COMPLETE=bash callpact)

The second form asks the program at each completion, so it also completes names of tools and ids of calls. COMPLETE \
takes bash, elvish, fish, powershell and zsh.")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// Prints a completion script for a command line.
///
/// # Errors
/// If the script is not UTF-8.
pub fn run(args: &CompletionsArgs, mut cli: Command, screen: &Screen) -> Result<Code, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "callpact", &mut script);
    let script = String::from_utf8(script).map_err(Failure::failed)?;
    if screen.json() {
        let shell = args.shell.to_string();
        screen.print_json(&serde_json::json!({"shell": shell, "script": script}));
    } else {
        screen.print(script.trim_end());
    }
    Ok(Code::Done)
}
