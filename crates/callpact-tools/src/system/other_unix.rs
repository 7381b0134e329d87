//! Processes on a Unix other than Linux, which has only the process group.

use std::ffi::OsString;
use std::io;

use rustix::process::Pid;

use super::Boundary;

/// Whether a process can be started in an open directory, whatever its name means by then.
#[cfg(feature = "shell")]
pub(crate) const STARTS_IN_OPEN_DIRECTORY: bool = false;

/// Whether this machine has a boundary.
pub(crate) fn has_boundary(boundary: Boundary) -> bool {
    boundary == Boundary::Group
}

/// The boundary around one process.
pub(crate) struct ProcessEnclosure;

impl ProcessEnclosure {
    pub(crate) fn new(boundary: Boundary) -> io::Result<Self> {
        if has_boundary(boundary) {
            Ok(Self)
        } else {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// The command line that runs `command` inside.
    pub(crate) fn wrap(&self, command: Vec<OsString>, _: &[OsString]) -> Vec<OsString> {
        command
    }

    /// Whether [`wrap`](Self::wrap) changes the command line.
    pub(crate) fn wraps(&self) -> bool {
        false
    }
}

/// The descriptors that a command would inherit; this system has no list of them.
pub(crate) struct InheritedDescriptors;

#[allow(clippy::unnecessary_wraps, clippy::unused_self)] // the same signatures as on Linux
impl InheritedDescriptors {
    pub(crate) fn find() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn is_empty(&self) -> bool {
        true
    }

    pub(crate) fn shut(self, _: &mut tokio::process::Command) -> io::Result<()> {
        Ok(())
    }
}

/// The descendants that left the process group; this system has no way to find them.
pub(crate) struct ProcessOffspring;

impl ProcessOffspring {
    pub(crate) fn new(_: ProcessEnclosure, _: Option<Pid>, _: String, _: Vec<u64>) -> Self {
        Self
    }

    /// Records the descendants that can be found now.
    pub(crate) fn remember(&self) {}

    /// Asks the processes inside to end. `false` if the process group must be asked instead.
    pub(crate) fn ask(&self) -> bool {
        false
    }

    /// Ends the processes that the signal to the group did not reach.
    pub(crate) fn kill(&self) {}
}
