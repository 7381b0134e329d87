//! Everything that one process started, and its end.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::boundary::Boundary;
use crate::system::processes::{ProcessEnclosure, ProcessOffspring};

/// The variable that marks all descendants of a child, so that they are found wherever they go.
pub(super) const MARK: &str = "CALLPACT_PROCESS";

/// The boundary around a process that has not been started yet.
pub struct Enclosed {
    pub(super) enclosure: ProcessEnclosure,
    pub(super) mark: String,
}

impl Enclosed {
    pub(super) fn new(boundary: Boundary) -> io::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        // No other process on this machine has this mark.
        let mark = format!(
            "{}-{now:x}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        Ok(Self {
            enclosure: ProcessEnclosure::new(boundary)?,
            mark,
        })
    }

    /// The group of the process, which has been started but not waited for. `pipes` are the numbers of
    /// the pipes that only this process and its descendants can write to.
    pub fn group(self, leader: Option<u32>, pipes: Vec<u64>) -> ProcessGroup {
        let leader = leader
            .and_then(|id| i32::try_from(id).ok())
            .and_then(Pid::from_raw);
        let mark = format!("{MARK}={}", self.mark);
        ProcessGroup {
            leader: Mutex::new(leader),
            offspring: ProcessOffspring::new(self.enclosure, leader, mark, pipes),
        }
    }
}

impl fmt::Debug for Enclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enclosed").finish_non_exhaustive()
    }
}

/// A process with everything that it started. Dropping this kills nothing: call
/// [`kill`](Self::kill).
///
/// The system may reuse the number of a process once it has been waited for. So call
/// [`release`](Self::release) before you wait for the process: nothing is signalled after that.
pub struct ProcessGroup {
    leader: Mutex<Option<Pid>>,
    offspring: ProcessOffspring,
}

impl fmt::Debug for ProcessGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessGroup")
            .field("leader", &self.leader())
            .finish_non_exhaustive()
    }
}

impl ProcessGroup {
    /// Asks the group to end.
    pub fn ask(&self) {
        // The processes of the tree may lose their parents after this.
        self.offspring.remember();
        if !self.offspring.ask() {
            self.signal(Signal::TERM);
        }
    }

    /// Kills the group and every descendant that can be found. Blocks for at most a tenth of a second.
    pub fn kill(&self) {
        if self.leader().is_none() {
            return;
        }
        self.offspring.remember();
        self.signal(Signal::KILL);
        self.offspring.kill();
    }

    /// Lets go of the leader, so that it can be waited for.
    pub fn release(&self) {
        *self.leader.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the leader has ended. This does not wait for it.
    pub fn has_ended(&self) -> bool {
        let Some(pid) = self.leader() else {
            return true;
        };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(pid), options) {
            Ok(status) => status.is_some(),
            Err(e) => e != rustix::io::Errno::INTR,
        }
    }

    fn leader(&self) -> Option<Pid> {
        *self.leader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self, signal: Signal) {
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pid) = *leader {
            // It fails only when no process is left.
            let _ = kill_process_group(pid, signal);
        }
    }
}
