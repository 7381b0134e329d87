//! Facts about processes from procfs, and signals that reach only the process that was inspected.

use std::fs;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// A process at one moment. Its number alone may mean another process later; the number with the
/// birth does not.
#[derive(Clone, Copy)]
pub(super) struct ProcessEntry {
    pub(super) pid: i32,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// In ticks since the machine started.
    pub(super) born: u64,
    pub(super) alive: bool,
}

impl ProcessEntry {
    pub(super) fn look(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may contain anything, so the fields are counted from its end.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        // Field 22 of the line; the group is field 5.
        let born = fields.nth(16)?.parse().ok()?;
        Some(Self {
            pid,
            parent,
            group,
            born,
            alive: !matches!(state, "Z" | "X"),
        })
    }

    /// The processes of this machine that have not ended.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries
            .filter_map(|e| e.file_name().to_str()?.parse().ok())
            .filter_map(Self::look)
            .filter(|p| p.alive)
    }
}

/// Signals the process with this number and this birth. The handle is taken before the birth is
/// compared, so the signal reaches the inspected process or none.
pub(super) fn send_signal(pid: i32, born: u64, signal: Signal) -> bool {
    let Some(number) = Pid::from_raw(pid) else {
        return false;
    };
    let Ok(handle) = pidfd_open(number, PidfdFlags::empty()) else {
        return false;
    };
    ProcessEntry::look(pid).is_some_and(|p| p.alive && p.born == born)
        && pidfd_send_signal(handle, signal).is_ok()
}
