//! `callpact man`.

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use crate::{
    exit::{Code, Failure},
    screen::Screen,
};

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact man | man -l -
  callpact man call | man -l -
  callpact man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// The command whose page is printed; the page of the program without it
    pub command: Option<String>,
    /// Write all pages into this directory instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub out: Option<PathBuf>,
}

/// Prints a page of the manual, or writes all of them.
///
/// # Errors
/// If there is no such command, or a page cannot be written.
pub fn run(args: &ManArgs, cli: Command, screen: &Screen) -> Result<Code, Failure> {
    if let Some(dir) = &args.out {
        return write_all(dir, cli, screen);
    }
    let command = match &args.command {
        None => cli,
        Some(name) => {
            let command = cli.find_subcommand(name).cloned();
            let unknown = || Failure::invalid(format!("there is no command `{name}`"));
            command
                .ok_or_else(unknown)?
                .display_name(format!("callpact-{name}"))
        }
    };
    let mut page = Vec::new();
    Man::new(command)
        .render(&mut page)
        .map_err(Failure::failed)?;
    let page = String::from_utf8(page).map_err(Failure::failed)?;
    if screen.json() {
        screen.print_json(&serde_json::json!({ "page": page }));
    } else {
        screen.print(page.trim_end());
    }
    Ok(Code::Done)
}

fn write_all(dir: &Path, cli: Command, screen: &Screen) -> Result<Code, Failure> {
    let failed = |error: std::io::Error| Failure::failed(format!("{}: {error}", dir.display()));
    std::fs::create_dir_all(dir).map_err(failed)?;
    clap_mangen::generate_to(cli, dir).map_err(failed)?;
    if screen.json() {
        screen.print_json(&serde_json::json!({ "directory": dir }));
    }
    Ok(Code::Done)
}
