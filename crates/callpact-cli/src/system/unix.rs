//! Signals, the controlling terminal and the shell on Unix.

use std::{fs, future::poll_fn, os::unix::fs::FileTypeExt, path::Path, task::Poll};

use callpact::toolset::Tools;
use callpact_tools::Shell;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::exit::Failure;

/// Waits for a signal that ends the program. It listens from this call on, even before it is
/// awaited: the processes that the program started are in their own groups and would be left
/// behind.
pub(crate) fn interrupted() -> impl Future<Output = ()> + Send {
    let mut kinds = vec![SignalKind::interrupt(), SignalKind::terminate()];
    if !ignores_hangups() {
        kinds.push(SignalKind::hangup());
    }
    // A signal that cannot be listened for keeps its usual effect.
    let mut signals: Vec<_> = kinds.into_iter().flat_map(signal).collect();
    poll_fn(move |cx| {
        let arrived = |signal: &mut Signal| signal.poll_recv(cx).is_ready();
        if signals.iter_mut().any(arrived) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
}

/// Whether a path leads to a pipe, which is waited for.
pub(crate) fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
}

/// Whether this process ignores the loss of its terminal, as under `nohup`; `true` if the system
/// does not say.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The first bit is signal 1, SIGHUP.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_none_or(|mask| mask & 1 == 1)
}

/// The program that opens an address in a browser.
pub(super) const BROWSER: Option<(&str, &[&str])> = if cfg!(target_os = "macos") {
    Some(("open", &[]))
} else {
    Some(("xdg-open", &[]))
};

/// Whether a person sits at a screen of this machine.
pub(super) fn has_screen() -> bool {
    let has = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || has("DISPLAY") || has("WAYLAND_DISPLAY")
}

/// The name of the user that this process runs as, or the number if the system has no name for it.
pub(crate) fn user_name() -> String {
    let uid = rustix::process::getuid().as_raw().to_string();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut named = users.lines().filter_map(|line| {
        // name:password:uid:…
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid && !name.is_empty()).then(|| name.to_owned())
    });
    named.next().unwrap_or_else(|| format!("uid {uid}"))
}

/// Whether this process is in the foreground of its controlling terminal.
pub(crate) fn in_foreground() -> bool {
    fs::File::open("/dev/tty")
        .and_then(|tty| Ok(rustix::termios::tcgetpgrp(tty)?))
        .is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Makes `shell` and `shell_process`, which share their processes.
#[derive(Default)]
pub(crate) struct ShellTools(Option<Shell>);

impl ShellTools {
    /// Adds a tool if it belongs to the shell; returns whether it does.
    pub(crate) fn push(
        &mut self,
        name: &str,
        root: &Path,
        asks: bool,
        tools: &mut Tools,
    ) -> Result<bool, Failure> {
        if !matches!(name, "shell" | "shell_process") {
            return Ok(false);
        }
        let shell = if let Some(shell) = &self.0 {
            shell
        } else {
            let shell = Shell::new(root).map_err(Failure::failed)?;
            self.0.insert(shell.require_approval(asks))
        };
        if name == "shell" {
            tools.push(shell.clone());
        } else {
            tools.push(shell.processes());
        }
        Ok(true)
    }
}
