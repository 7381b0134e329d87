//! The attributes that a new file takes from the old one, and how it gets its name.

use std::io;

use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use cap_tempfile::TempFile;

/// Gives the new file the permissions of the old one and, if allowed, its owner.
#[cfg(unix)]
pub(crate) fn keep_attributes(new: &File, old: &Metadata) -> io::Result<()> {
    use cap_std::fs::{MetadataExt, Permissions, PermissionsExt};
    let now = new.metadata()?;
    if (now.uid(), now.gid()) != (old.uid(), old.gid()) {
        // Only a privileged process may give files away; otherwise the new owner is right.
        let _ = std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()));
    }
    new.set_permissions(Permissions::from_mode(old.mode() & 0o777))
}

/// Gives the new file the permissions of the old one.
#[cfg(not(unix))]
pub(crate) fn keep_attributes(new: &File, old: &Metadata) -> io::Result<()> {
    new.set_permissions(old.permissions())
}

/// Whether text may be added to the file itself. It may not if the file has another name, which could lie
/// outside the sandbox, or a set-user-id bit, which would stay.
#[cfg(unix)]
pub(crate) fn can_grow(file: &Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    file.nlink() == 1 && file.mode() & 0o6000 == 0
}

/// Whether text may be added to the file itself. This system does not say whether it has another
/// name.
#[cfg(not(unix))]
pub(crate) fn can_grow(_: &Metadata) -> bool {
    false
}

/// When the file was last changed, in seconds since 1970. The system keeps this time, and programs cannot set it.
#[cfg(unix)]
pub(crate) fn changed_at(file: &Metadata) -> String {
    use cap_std::fs::MetadataExt;
    format!("{}.{:09}", file.ctime(), file.ctime_nsec())
}

/// When the file was last changed, in seconds since 1970.
#[cfg(not(unix))]
pub(crate) fn changed_at(file: &Metadata) -> String {
    let time = file.modified().map(cap_std::time::SystemTime::into_std);
    let since = time.map(|time| time.duration_since(std::time::UNIX_EPOCH));
    since.map_or_else(
        |_| "unknown".to_owned(),
        |since| since.unwrap_or_default().as_secs_f64().to_string(),
    )
}

/// Gives the finished file its name, unless the name is taken, in one step.
#[cfg(target_os = "linux")]
pub(crate) fn link_new(temp: TempFile<'_>, parent: &Dir, leaf: &str) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = format!("/proc/self/fd/{}", temp.as_file().as_raw_fd());
    match linkat(CWD, open, parent, leaf, AtFlags::SYMLINK_FOLLOW) {
        // There is no procfs, or the file system has no links.
        Err(rustix::io::Errno::NOENT | rustix::io::Errno::PERM | rustix::io::Errno::OPNOTSUPP) => {
            reserve_new(temp, parent, leaf)
        }
        done => Ok(done?),
    }
}

/// Gives the finished file its name, unless the name is taken.
#[cfg(not(target_os = "linux"))]
pub(crate) fn link_new(temp: TempFile<'_>, parent: &Dir, leaf: &str) -> io::Result<()> {
    reserve_new(temp, parent, leaf)
}

/// Takes the name with an empty file, then replaces it. A kill in between leaves the empty file.
fn reserve_new(temp: TempFile<'_>, parent: &Dir, leaf: &str) -> io::Result<()> {
    parent.open_with(leaf, OpenOptions::new().write(true).create_new(true))?;
    temp.replace(leaf)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// The method on a system that cannot name an unnamed file.
    #[test]
    fn reserved_name_gets_file_and_taken_name_stays() {
        let root = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(root.path(), cap_std::ambient_authority()).unwrap();
        let reserve = |content: &[u8]| {
            let mut temp = TempFile::new(&dir).unwrap();
            temp.write_all(content).unwrap();
            reserve_new(temp, &dir, "name")
        };
        reserve(b"first").unwrap();
        let taken = reserve(b"second").unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(dir.read("name").unwrap(), b"first");
        assert_eq!(dir.entries().unwrap().count(), 1);
    }
}
