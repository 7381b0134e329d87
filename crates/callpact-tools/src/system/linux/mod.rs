//! Processes on Linux: namespaces, control groups, and a search through procfs.

mod cgroup;
mod descriptors;
mod enclosure;
mod namespace;
mod offspring;
mod procfs;
mod programs;

pub(crate) use descriptors::InheritedDescriptors;
pub(crate) use enclosure::{ProcessEnclosure, has_boundary};
pub(crate) use offspring::ProcessOffspring;

/// Whether a process can be started in an open directory, whatever its name means by then.
#[cfg(feature = "shell")]
pub(crate) const STARTS_IN_OPEN_DIRECTORY: bool = true;
