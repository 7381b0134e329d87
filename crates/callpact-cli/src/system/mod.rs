//! The differences between operating systems: signals, the terminal, and the tools that need a shell.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod platform;

pub(crate) use platform::{ShellTools, in_foreground, interrupted, is_pipe, user_name};

/// Opens an address in the browser of the person at this machine, if there is one.
pub(crate) fn open_browser(url: &str) {
    let Some((program, arguments)) = platform::BROWSER else {
        return;
    };
    if !platform::has_screen() {
        return;
    }
    // The address is printed as well, so nothing is lost if this fails.
    let _ = std::process::Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}

const ALL: &[&str] = &[
    "file_read",
    "file_write",
    "json_parser",
    "calculator",
    "datetime",
    "human_input",
    "file_edit",
    "web_scrape",
    "web_search",
    "shell",
    "shell_process",
];

/// The tools that exist on this system; the first six are on by default.
pub const KNOWN: &[&str] = ALL.split_at(ALL.len() - if cfg!(unix) { 0 } else { 2 }).0;
