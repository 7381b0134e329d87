//! The differences between operating systems: signals, the terminal, and the tools that need a shell.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod platform;

pub(crate) use platform::{ShellTools, in_foreground, interrupted};

const ALL: &[&str] = &[
    "file_read",
    "file_write",
    "json_parser",
    "calculator",
    "datetime",
    "human_input",
    "web_scrape",
    "web_search",
    "shell",
    "shell_process",
];

/// The tools that exist on this system; the first six are on by default.
pub const KNOWN: &[&str] = ALL.split_at(ALL.len() - if cfg!(unix) { 0 } else { 2 }).0;

/// Whether a terminal shows colours when `TERM` is not set, as the consoles of Windows do.
pub(crate) const COLOURS_WITHOUT_TERM: bool = !cfg!(unix);
