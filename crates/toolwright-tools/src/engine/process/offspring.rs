//! Descendants that have left the process group, found through procfs.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::Mark;

/// How long offspring that keeps forking is hunted.
const HUNT: Duration = Duration::from_millis(100);

pub(crate) struct Offspring {
    leader: Option<i32>,
    /// When the leader was born, in ticks since the machine was: no descendant is older.
    born: u64,
    /// `NAME=value` as it stands in an environment.
    mark: Vec<u8>,
    /// The numbers of the output pipes; who holds one was given it by the child.
    pipes: Vec<u64>,
    /// Descendants seen, with the time of their birth: a number alone may mean another process later.
    known: Mutex<HashMap<i32, u64>>,
}

#[derive(Clone, Copy)]
struct Process {
    pid: i32,
    parent: i32,
    born: u64,
    alive: bool,
}

impl Offspring {
    pub(super) fn new(leader: Option<Pid>, mark: &Mark, pipes: Vec<u64>) -> Self {
        let (name, value) = mark.pair();
        let leader = leader.map(|pid| pid.as_raw_nonzero().get());
        Self {
            leader,
            // It may be dead already, but nobody has waited for it yet.
            born: leader.and_then(Process::look).map_or(0, |p| p.born),
            mark: format!("{name}={value}").into_bytes(),
            pipes,
            known: Mutex::default(),
        }
    }

    /// Notes the descendants that can be found now.
    pub(super) fn remember(&self) {
        self.find();
    }

    /// Kills the descendants until none is found.
    pub(super) fn kill(&self) {
        let end = Instant::now().checked_add(HUNT);
        loop {
            self.find();
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            // The leader is killed with its group, and waited for by its owner.
            let killed = known
                .drain()
                .filter(|(pid, born)| Some(*pid) != self.leader && end_one(*pid, *born))
                .count();
            drop(known);
            if killed == 0 || end.is_none_or(|end| Instant::now() > end) {
                return;
            }
            // Dying takes a moment.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn find(&self) {
        let this = i32::try_from(std::process::id()).unwrap_or(0);
        let young: Vec<Process> = all()
            .filter(|p| p.born >= self.born && p.pid != this)
            .collect();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: HashSet<i32> = young
            .iter()
            .filter(|p| known.get(&p.pid) == Some(&p.born) || Some(p.pid) == self.leader)
            .map(|p| p.pid)
            .collect();
        for p in &young {
            if !found.contains(&p.pid) && (self.is_marked(p.pid) || self.holds_pipe(p, this)) {
                found.insert(p.pid);
            }
        }
        // Children of those found, and theirs.
        loop {
            let more: Vec<i32> = young
                .iter()
                .filter(|p| found.contains(&p.parent) && !found.contains(&p.pid))
                .map(|p| p.pid)
                .collect();
            if more.is_empty() {
                break;
            }
            found.extend(more);
        }
        known.extend(
            young
                .iter()
                .filter(|p| found.contains(&p.pid))
                .map(|p| (p.pid, p.born)),
        );
    }

    fn is_marked(&self, pid: i32) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|b| *b == 0)
            .any(|entry| entry == self.mark)
    }

    fn holds_pipe(&self, process: &Process, this: i32) -> bool {
        // A direct child may be one that another thread is starting: between fork and exec it has copies
        // of all our handles.
        if process.parent == this || self.pipes.is_empty() {
            return false;
        }
        let Ok(handles) = fs::read_dir(format!("/proc/{}/fd", process.pid)) else {
            return false;
        };
        handles.flatten().any(|handle| {
            let target = fs::read_link(handle.path()).unwrap_or_default();
            let number = target
                .to_str()
                .and_then(|t| t.strip_prefix("pipe:[")?.strip_suffix(']')?.parse().ok());
            // Only an end that can be written to: a copy of this process would have the other one.
            number.is_some_and(|n: u64| self.pipes.contains(&n))
                && handle
                    .metadata()
                    .is_ok_and(|m| m.permissions().mode() & 0o200 != 0)
        })
    }
}

impl Process {
    fn look(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may hold anything, so what follows is counted from its end.
        let (_, rest) = stat.rsplit_once(')')?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        // Field 22 of the line; the parent is field 4.
        let born = fields.nth(17)?.parse().ok()?;
        Some(Self {
            pid,
            parent,
            born,
            alive: !matches!(state, "Z" | "X"),
        })
    }
}

fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|e| e.file_name().to_str()?.parse().ok())
        .filter_map(Process::look)
        .filter(|p| p.alive)
}

/// Kills the process that has this number and this birth. The handle is taken before the birth is
/// compared, so the signal goes to the process that was looked at or to none.
fn end_one(pid: i32, born: u64) -> bool {
    let Some(number) = Pid::from_raw(pid) else {
        return false;
    };
    let Ok(handle) = pidfd_open(number, PidfdFlags::empty()) else {
        return false;
    };
    Process::look(pid).is_some_and(|p| p.alive && p.born == born)
        && pidfd_send_signal(handle, Signal::KILL).is_ok()
}
