//! The kinds of boundary around a process.

use std::fmt;

/// Holds a process and all its descendants together, so that all of them can be ended. A later
/// variant is stronger.
///
/// ```
/// use callpact_tools::engine::process::Boundary;
///
/// assert!(Boundary::Group < Boundary::Namespace);
/// assert!(Boundary::Group.is_available());
/// assert!(Boundary::strongest().is_available());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Boundary {
    /// A process group, and on Linux a search for descendants that left it. A process escapes if it
    /// leaves the group, clears its environment, closes the pipes and loses its parents, or if it
    /// forks faster than the search.
    Group,
    /// A control group of version 2, which the kernel kills as a whole. Linux only. A process escapes
    /// if it moves itself to another control group, which only the owner of that group may do.
    Cgroup,
    /// A PID namespace, which the kernel kills with its first process. Linux only. No descendant
    /// escapes, and `/proc` shows only the processes inside.
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
