//! The first page of the help, with the commands in groups.

use std::fmt::Write as _;

use clap::{Command, builder::StyledStr};

/// The commands of the first page. clap has no groups of commands.
pub(crate) const GROUPS: &[(&str, &[&str])] = &[
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

/// Writes the commands of the first page in groups.
pub(crate) fn group_commands(command: Command) -> Command {
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
