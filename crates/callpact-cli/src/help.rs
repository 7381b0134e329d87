//! The command line as clap sees it, with the commands of the first page in groups.

use std::fmt::Write as _;

use clap::{Command, CommandFactory, builder::StyledStr};

use crate::args::Cli;

/// The commands of the first page. clap has no groups of commands.
const GROUPS: &[(&str, &[&str])] = &[
    ("Tools", &["list", "schema", "lint", "check", "call"]),
    ("Servers", &["serve", "worker", "desk", "mcp"]),
    ("Agent", &["agent"]),
    (
        "Calls that wait",
        &[
            "pending", "show", "approve", "reject", "refuse", "resume", "forget",
        ],
    ),
    ("The program itself", &["new", "completions", "man", "help"]),
];

/// The command line of the program.
///
/// ```
/// let command = callpact_cli::command();
/// assert!(command.find_subcommand("call").is_some());
/// ```
pub fn command() -> Command {
    let mut command = Cli::command().mut_arg("color", |arg| arg.help("When to use colours"));
    // Names the commands that clap adds.
    command.build();
    let template = write_template(&command);
    command.help_template(template)
}

fn write_template(command: &Command) -> StyledStr {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let names = GROUPS.iter().flat_map(|(_, names)| names.iter());
    let width = names.map(|name| name.len()).max().unwrap_or(0);
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        let _ = writeln!(text, "\n{header}{group}:{header:#}");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {literal}{name:width$}{literal:#}  {about}");
        }
    }
    let _ = write!(
        text,
        "\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    text.into()
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, command};

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
