//! The boundary around one process, by the means of this machine.

use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

use super::super::Boundary;
use super::cgroup::{ControlGroup, ParentGroup};
use super::namespace::ProcessNamespace;

/// Whether this machine has a boundary. The first question about a boundary tries it out, which takes
/// a few milliseconds.
pub(crate) fn has_boundary(boundary: Boundary) -> bool {
    match boundary {
        Boundary::Group => true,
        Boundary::Cgroup => cgroups().is_some(),
        Boundary::Namespace => namespaces().is_some(),
    }
}

fn namespaces() -> Option<&'static ProcessNamespace> {
    static FOUND: OnceLock<Option<ProcessNamespace>> = OnceLock::new();
    FOUND.get_or_init(ProcessNamespace::probe).as_ref()
}

fn cgroups() -> Option<&'static ParentGroup> {
    static FOUND: OnceLock<Option<ParentGroup>> = OnceLock::new();
    FOUND.get_or_init(ParentGroup::probe).as_ref()
}

/// The boundary around one process.
pub(crate) enum ProcessEnclosure {
    Group,
    Cgroup(ControlGroup),
    Namespace(&'static ProcessNamespace),
}

impl ProcessEnclosure {
    pub(crate) fn new(boundary: Boundary) -> io::Result<Self> {
        let missing = || io::Error::from(io::ErrorKind::Unsupported);
        Ok(match boundary {
            Boundary::Group => Self::Group,
            Boundary::Cgroup => Self::Cgroup(cgroups().ok_or_else(missing)?.make()?),
            Boundary::Namespace => Self::Namespace(namespaces().ok_or_else(missing)?),
        })
    }

    /// The command line that runs `command` inside. `added` are the variables that a shell would add to
    /// the environment of the command.
    pub(crate) fn wrap(&self, command: Vec<OsString>, added: &[OsString]) -> Vec<OsString> {
        match self {
            Self::Group => command,
            Self::Cgroup(cgroup) => cgroup.wrap(command, added),
            Self::Namespace(namespace) => namespace.wrap(command, added),
        }
    }

    /// Whether [`wrap`](Self::wrap) changes the command line.
    pub(crate) fn wraps(&self) -> bool {
        !matches!(self, Self::Group)
    }

    pub(super) fn is_namespace(&self) -> bool {
        matches!(self, Self::Namespace(_))
    }

    /// Ends everything inside, if the kernel does it in one step.
    pub(super) fn kill(&self) {
        if let Self::Cgroup(cgroup) = self {
            cgroup.kill();
        }
    }
}
