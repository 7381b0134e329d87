//! The differences between operating systems.
//!
//! Besides this module, only the lists of modules in `lib.rs` and `engine/mod.rs` depend on the
//! system: they leave out the tools that a system does not support.

#[cfg(feature = "files")]
pub(crate) mod files;

#[cfg(all(feature = "process-engine", unix))]
mod boundary;
#[cfg(all(feature = "process-engine", unix))]
pub use boundary::Boundary;
#[cfg(all(feature = "process-engine", target_os = "linux"))]
#[path = "linux/mod.rs"]
pub(crate) mod processes;
#[cfg(all(feature = "process-engine", unix, not(target_os = "linux")))]
#[path = "other_unix.rs"]
pub(crate) mod processes;
