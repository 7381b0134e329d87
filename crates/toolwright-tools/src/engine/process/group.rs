//! Everything that one start brought into being, and its end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, Signal, kill_process_group};

/// The variable that marks what a child starts, so that it is found wherever it goes.
const MARK: &str = "TOOLWRIGHT_PROCESS";

/// A value for [`MARK`] that no other start on this machine has.
pub(super) struct Mark(String);

impl Mark {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        Self(format!(
            "{}-{now:x}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ))
    }

    pub(super) fn pair(&self) -> (&'static str, &str) {
        (MARK, &self.0)
    }
}

/// A child's process group and its offspring outside the group.
///
/// The number of a process may go to another one as soon as it has been waited for, so the group is
/// signalled only before that: `leader` is emptied first.
pub(crate) struct Group {
    leader: Mutex<Option<Pid>>,
    #[cfg(target_os = "linux")]
    offspring: linux::Offspring,
}

impl Group {
    #[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
    pub(super) fn new(leader: Option<Pid>, mark: &Mark, pipes: Vec<u64>) -> Self {
        Self {
            leader: Mutex::new(leader),
            #[cfg(target_os = "linux")]
            offspring: linux::Offspring::new(leader, mark, pipes),
        }
    }

    /// Asks the group to end.
    pub(super) fn ask(&self) {
        // Whoever is in the tree now may have lost its parents after this.
        self.remember();
        self.signal(Signal::TERM);
    }

    /// Notes who is in the tree.
    #[cfg(target_os = "linux")]
    pub(super) fn remember(&self) {
        self.offspring.remember();
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn remember(&self) {}

    /// Kills the group and every descendant that can be found.
    pub(crate) fn kill(&self) {
        self.remember();
        self.signal(Signal::KILL);
        #[cfg(target_os = "linux")]
        self.offspring.kill();
    }

    /// The leader is about to be waited for.
    pub(super) fn release(&self) {
        *self.leader.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn signal(&self, signal: Signal) {
        let leader = self.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pid) = *leader {
            // The only failure that can happen is that nobody is left.
            let _ = kill_process_group(pid, signal);
        }
    }
}

#[cfg(target_os = "linux")]
#[path = "offspring.rs"]
pub(super) mod linux;
