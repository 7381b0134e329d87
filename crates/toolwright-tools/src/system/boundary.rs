//! The kinds of boundary around a process.

use std::fmt;

/// Holds a process and everything that it starts together, so that all of it can be ended. A later
/// one is stronger.
///
/// ```
/// use toolwright_tools::engine::process::Boundary;
///
/// assert!(Boundary::Group < Boundary::Namespace);
/// assert!(Boundary::Group.is_available());
/// assert!(Boundary::strongest().is_available());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// A process group, and on Linux a search for the descendants that left it. A process escapes when
    /// it leaves the group, clears its environment, closes the pipes and loses its parents, or when it
    /// forks faster than the search.
    Group,
    /// A control group of version 2, which the kernel kills as a whole. Linux only. A process escapes
    /// when it moves itself to another control group, which only the owner of that group may do.
    Cgroup,
    /// A PID namespace, which the kernel kills with its first process. Linux only. Nothing that the
    /// process starts escapes, and `/proc` shows only the processes inside.
    Namespace,
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Group => "process group",
            Self::Cgroup => "control group",
            Self::Namespace => "PID namespace",
        })
    }
}
