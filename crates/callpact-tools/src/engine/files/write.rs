//! Writing: a replaced file is always the old one or the new one, never half of each. Appended text is added in
//! one write.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{MutexGuard, PoisonError};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use cap_tempfile::TempFile;

use super::path::SandboxPath;
use super::{FileError, Sandbox};
use crate::system::files::{can_grow, keep_attributes, link_new};

/// The limits of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteLimits {
    /// The most bytes in the file after the write: 16 MiB.
    pub max_bytes: u64,
}

impl Default for WriteLimits {
    fn default() -> Self {
        Self {
            max_bytes: 16 << 20,
        }
    }
}

impl WriteLimits {
    /// Sets the number of bytes.
    pub fn bytes(max_bytes: u64) -> Self {
        Self { max_bytes }
    }
}

/// How an existing file is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WriteMode {
    /// It is replaced.
    #[default]
    Overwrite,
    /// The text is added to its end; a missing file is created.
    Append,
    /// The file is kept, and writing fails.
    CreateNew,
}

/// A file that was written. Its `Display` is the answer to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The requested path, fit for a message.
    pub path: String,
    /// The size of the file now.
    pub size: u64,
    /// Whether the file is new.
    pub created: bool,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Successfully wrote to: {}", self.path)
    }
}

impl Sandbox {
    /// Writes `content` to a regular file and creates its missing parent directories.
    ///
    /// The content goes to an unnamed file that replaces the old one in one step, with the old
    /// permissions (without the set-user-id bits) and, if the system allows it, the old owner. Access
    /// control lists are not kept, and another hard link keeps the old content. If the last part of
    /// the path is a link, it is never followed.
    ///
    /// Appended text goes to the end of the existing file in one write: no text is lost when several
    /// processes append. On systems other than Unix, and for a file that has another hard link or a
    /// set-user-id bit, the file is replaced as above.
    ///
    /// # Errors
    /// See [`FileError`]. Nothing is created on the disk before the path, the size and the existing
    /// file have been checked.
    pub fn write(
        &self,
        path: &str,
        content: &str,
        mode: WriteMode,
        limits: WriteLimits,
    ) -> Result<Written, FileError> {
        let turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.write_in_turn(&turn, path, content, mode, limits)
    }

    /// [`write`](Self::write) for a caller that already has its turn.
    pub(super) fn write_in_turn(
        &self,
        _: &MutexGuard<'_, ()>,
        path: &str,
        content: &str,
        mode: WriteMode,
        limits: WriteLimits,
    ) -> Result<Written, FileError> {
        let place = self.file_place(path, FileError::BlankPath)?;
        check_size(content.len() as u64, limits)?;
        let Some((leaf, parents)) = place.parts.split_last() else {
            return Err(FileError::NotRegular { path: place.shown });
        };
        let parent = self.parent(&place, parents)?;
        let failed = |e: io::Error| FileError::from_write(&e, &place.shown);
        let old = open_old(&parent, leaf, &place, mode)?;
        if old.is_some() && mode == WriteMode::CreateNew {
            return Err(FileError::Exists { path: place.shown });
        }
        if let Some(old) = old
            .as_ref()
            .filter(|old| mode == WriteMode::Append && can_grow(&old.meta))
        {
            let size = old.meta.len().saturating_add(content.len() as u64);
            check_size(size, limits)?;
            let mut file = &old.file;
            file.write_all(content.as_bytes()).map_err(failed)?;
            file.sync_all().map_err(failed)?;
            return Ok(Written {
                path: place.shown,
                size,
                created: old.is_new,
            });
        }
        let mut temp = TempFile::new(&parent).map_err(failed)?;
        let mut size = content.len() as u64;
        if let (Some(old), WriteMode::Append) = (&old, mode) {
            let room = limits.max_bytes.saturating_add(1);
            let copied = io::copy(&mut (&old.file).take(room), &mut temp);
            size = size.saturating_add(copied.map_err(failed)?);
            check_size(size, limits)?;
        }
        temp.write_all(content.as_bytes()).map_err(failed)?;
        if let Some(old) = &old {
            keep_attributes(temp.as_file(), &old.meta).map_err(failed)?;
        }
        temp.as_file().sync_all().map_err(failed)?;
        match (mode, &old) {
            (WriteMode::CreateNew, _) => link_new(temp, &parent, leaf),
            _ => temp.replace(leaf),
        }
        .map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists {
                path: place.shown.clone(),
            },
            _ => failed(e),
        })?;
        // The content is already safe; keeping the name through a power cut is only worth a try.
        let _ = parent.into_std_file().sync_all();
        Ok(Written {
            path: place.shown,
            size,
            created: old.is_none_or(|old| old.is_new),
        })
    }

    /// Opens the directory of the file, and creates its missing parts.
    fn parent(&self, place: &SandboxPath, parents: &[String]) -> Result<Dir, FileError> {
        let failed = |e: io::Error| FileError::from_write(&e, &place.shown);
        // The longest existing part is opened from the root of the sandbox, since a link in it may
        // point anywhere inside.
        let mut there = parents.len();
        let mut dir = loop {
            let Some(prefix) = parents.get(..there).filter(|p| !p.is_empty()) else {
                break self.dir.try_clone().map_err(failed)?;
            };
            match self
                .dir
                .open_dir(prefix.iter().collect::<std::path::PathBuf>())
            {
                Ok(dir) => break dir,
                Err(e) if e.kind() == io::ErrorKind::NotFound => there = there.saturating_sub(1),
                Err(e) => return Err(failed(e)),
            }
        };
        for name in parents.iter().skip(there) {
            match dir.create_dir(name) {
                Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(failed(e)),
                _ => {}
            }
            // A directory was created here; a link in its place is new, or is broken.
            dir = dir.open_dir_nofollow(name).map_err(failed)?;
        }
        Ok(dir)
    }
}

fn check_size(size: u64, limits: WriteLimits) -> Result<(), FileError> {
    if size > limits.max_bytes {
        return Err(FileError::TooMuchToWrite {
            size,
            limit: limits.max_bytes,
        });
    }
    Ok(())
}

/// The existing file, open.
struct OldFile {
    file: File,
    meta: Metadata,
    /// Whether it was just created, to be appended to.
    is_new: bool,
}

/// Opens the existing file, and creates one that will be appended to. It is opened for writing too, so that a
/// file without write permission is kept, although a rename would be allowed.
fn open_old(
    parent: &Dir,
    leaf: &str,
    place: &SandboxPath,
    mode: WriteMode,
) -> Result<Option<OldFile>, FileError> {
    let failed = |e: io::Error| FileError::from_write(&e, &place.shown);
    let not_regular = || FileError::NotRegular {
        path: place.shown.clone(),
    };
    let appends = mode == WriteMode::Append;
    let kind = match parent.symlink_metadata(leaf) {
        Ok(meta) => Some(meta.file_type()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(failed(e)),
    };
    match kind {
        None if !appends => return Ok(None),
        Some(kind) if kind.is_symlink() => return Err(FileError::Link),
        Some(kind) if !kind.is_file() => return Err(not_regular()),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options
        .read(appends)
        .append(appends)
        .create(appends)
        .write(true)
        .nonblock(true)
        .follow(FollowSymlinks::No);
    let file = parent.open_with(leaf, &options).map_err(|e| {
        if e.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
            FileError::Link
        } else {
            failed(e)
        }
    })?;
    let meta = file.metadata().map_err(failed)?;
    if !meta.is_file() {
        return Err(not_regular());
    }
    Ok(Some(OldFile {
        file,
        meta,
        is_new: kind.is_none(),
    }))
}
