//! The descriptors of this program that a command must not inherit.

use std::fs::{self, File};
use std::io;
use std::os::fd::RawFd;

use command_fds::{CommandFdExt, FdMapping};
use tokio::process::Command;

/// The flag in `fdinfo` of a descriptor that closes when a program starts.
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// The open descriptors behind standard error that do not close when a program starts. Rust opens none of them, but the
/// parent of this program may leave some, and so may a library in C.
pub(crate) struct InheritedDescriptors(Vec<RawFd>);

impl InheritedDescriptors {
    pub(crate) fn find() -> io::Result<Self> {
        let open = fs::read_dir("/proc/self/fdinfo")?.flatten();
        let numbers = open.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let inherited = numbers.filter(|number| *number > 2 && stays_open(*number));
        Ok(Self(inherited.collect()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Replaces them by `/dev/null` in a command.
    pub(crate) fn shut(self, command: &mut Command) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let nothing = File::open("/dev/null")?;
        let mut mappings = Vec::with_capacity(self.0.len());
        for child_fd in self.0 {
            let parent_fd = nothing.try_clone()?.into();
            mappings.push(FdMapping {
                parent_fd,
                child_fd,
            });
        }
        command.fd_mappings(mappings).map_err(io::Error::other)?;
        Ok(())
    }
}

fn stays_open(number: RawFd) -> bool {
    // One that was closed since has no file.
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags
        .and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok())
        .is_some_and(|flags| flags & CLOSE_ON_EXEC == 0)
}
