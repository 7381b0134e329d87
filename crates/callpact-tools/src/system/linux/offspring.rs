//! All descendants of one process, and their end.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::enclosure::ProcessEnclosure;
use super::procfs::{ProcessEntry, send_signal};

/// How long a search for offspring that keeps forking, or a wait for its end, may take.
const SEARCH: Duration = Duration::from_millis(100);

pub(crate) struct ProcessOffspring {
    enclosure: ProcessEnclosure,
    leader: Option<i32>,
    /// When the leader was born; no descendant is older.
    born: u64,
    /// `NAME=value`, as in an environment.
    mark: Vec<u8>,
    /// The numbers of the output pipes; only a descendant of the leader can hold one.
    pipes: Vec<u64>,
    /// Descendants seen, with the time of their birth.
    known: Mutex<HashMap<i32, u64>>,
}

impl ProcessOffspring {
    pub(crate) fn new(
        enclosure: ProcessEnclosure,
        leader: Option<Pid>,
        mark: String,
        pipes: Vec<u64>,
    ) -> Self {
        let leader = leader.map(|pid| pid.as_raw_nonzero().get());
        Self {
            enclosure,
            leader,
            // It may already be dead, but nobody has waited for it yet.
            born: leader.and_then(ProcessEntry::look).map_or(0, |p| p.born),
            mark: mark.into_bytes(),
            pipes,
            known: Mutex::default(),
        }
    }

    /// Records the descendants that can be found now.
    pub(crate) fn remember(&self) {
        if !self.enclosure.is_namespace() {
            self.find();
        }
    }

    /// Asks the processes inside to end. `false` if the process group must be asked instead.
    pub(crate) fn ask(&self) -> bool {
        if !self.enclosure.is_namespace() {
            return false;
        }
        // The leader only waits for the command and passes its status on, so it is not asked.
        for process in self.group_members() {
            send_signal(process.pid, process.born, Signal::TERM);
        }
        true
    }

    /// Ends the processes that the signal to the group did not reach.
    pub(crate) fn kill(&self) {
        if self.enclosure.is_namespace() {
            // The first process of the namespace is in the group. It is gone once all others are.
            retry(|| self.group_members().is_empty());
            return;
        }
        self.enclosure.kill();
        retry(|| self.kill_found() == 0);
    }

    /// The processes of the group without its leader.
    fn group_members(&self) -> Vec<ProcessEntry> {
        ProcessEntry::all()
            .filter(|p| Some(p.group) == self.leader && p.pid != p.group && p.born >= self.born)
            .collect()
    }

    /// Kills the descendants that can be found, and returns how many there were.
    fn kill_found(&self) -> usize {
        self.find();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // The leader is killed with its group, and waited for by its owner.
        known
            .drain()
            .filter(|(pid, born)| {
                Some(*pid) != self.leader && send_signal(*pid, *born, Signal::KILL)
            })
            .count()
    }

    fn find(&self) {
        let this = i32::try_from(std::process::id()).unwrap_or(0);
        let young: Vec<ProcessEntry> = ProcessEntry::all()
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
        // Children of the found processes, and their children.
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

    fn holds_pipe(&self, process: &ProcessEntry, this: i32) -> bool {
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
            // Only a writable end counts: a copy of this process would have the other one.
            number.is_some_and(|n: u64| self.pipes.contains(&n))
                && handle
                    .metadata()
                    .is_ok_and(|m| m.permissions().mode() & 0o200 != 0)
        })
    }
}

/// Calls `done` until it is true, for a bounded time.
fn retry(done: impl Fn() -> bool) {
    let end = Instant::now().checked_add(SEARCH);
    while !done() && end.is_some_and(|end| Instant::now() <= end) {
        // Dying takes a moment.
        std::thread::sleep(Duration::from_millis(1));
    }
}
