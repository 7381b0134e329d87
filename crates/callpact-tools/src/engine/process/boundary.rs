//! The boundaries that this machine has.

pub use crate::system::Boundary;
use crate::system::processes::has_boundary;

impl Boundary {
    /// The strongest boundary of this machine. The first call tries it out, which takes a few
    /// milliseconds.
    pub fn strongest() -> Self {
        [Self::Namespace, Self::Cgroup]
            .into_iter()
            .find(|boundary| boundary.is_available())
            .unwrap_or(Self::Group)
    }

    /// Whether this machine has this boundary, for this user.
    ///
    /// [`ProcessNamespace`](Self::Namespace) needs the system's `unshare`, `nsenter` and `env`, and the right to
    /// make a PID namespace, as root or in a user namespace. [`ControlGroup`](Self::Cgroup) needs a control
    /// group of version 2 that this process may write to.
    pub fn is_available(self) -> bool {
        has_boundary(self)
    }
}
