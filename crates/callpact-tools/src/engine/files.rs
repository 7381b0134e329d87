//! Files below one directory: nothing outside can be read, written or even detected.
//!
//! The directory is opened once; every later step is relative to that handle and resolved by the
//! kernel (or by cap-std, one component at a time), so a link that is swapped in between leads to a
//! refusal, never outside. Absolute links are refused even when they lead back inside. A path with
//! `..` is normalized as text before any access, so `a/../b` means `b`.
//!
//! These functions block; an async tool calls them through `spawn_blocking`.

mod edit;
mod error;
mod path;
mod read;
mod write;

pub use edit::{Edited, PlannedEdit};
pub use error::FileError;
pub use read::{FileText, LineRange, ReadLimits};
pub use write::{WriteLimits, WriteMode, Written};

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// One directory, opened for reading and writing below it.
///
/// Clones share the directory and the lock that orders writes.
///
/// ```
/// # use callpact_tools::engine::files::{ReadLimits, Sandbox, WriteLimits, WriteMode};
/// # let dir = tempfile::tempdir()?;
/// let sandbox = Sandbox::open(dir.path())?;
/// let written = sandbox.write("notes/a.txt", "hello", WriteMode::Overwrite, WriteLimits::default())?;
/// assert_eq!(written.to_string(), "Successfully wrote to: notes/a.txt");
/// assert_eq!(sandbox.read("notes/a.txt", None, ReadLimits::default())?.text, "hello");
/// let refused = sandbox.read("../secret", None, ReadLimits::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "Access denied: path is outside the sandbox directory");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sandbox {
    dir: Arc<Dir>,
    /// The forms of the directory that an absolute path may start with.
    bases: Arc<[PathBuf]>,
    /// Held while a file is read, changed and replaced: two changes at once would lose one.
    writing: Arc<Mutex<()>>,
}

impl Sandbox {
    /// Opens `dir`, which must exist.
    ///
    /// # Errors
    /// When `dir` is missing, is not a directory or cannot be opened. The message names `dir`: it is
    /// for the program that configures the tool, not for the model.
    pub fn open(dir: impl AsRef<Path>) -> io::Result<Self> {
        let given = dir.as_ref();
        let named = |e: io::Error| {
            let text = format!(
                "baseDir must be an existing directory: {} ({})",
                given.display(),
                e.kind()
            );
            io::Error::new(e.kind(), text)
        };
        let handle = Dir::open_ambient_dir(given, ambient_authority()).map_err(named)?;
        let mut bases = vec![std::path::absolute(given).map_err(named)?];
        let real = given.canonicalize().map_err(named)?;
        if !bases.contains(&real) {
            bases.push(real);
        }
        Ok(Self {
            dir: Arc::new(handle),
            bases: bases.into(),
            writing: Arc::default(),
        })
    }

    /// Opens the directory `path` below this one, for example to run a process in it.
    ///
    /// # Errors
    /// Like reading; a file that is not a directory is [`FileError::NotDirectory`].
    pub fn open_directory(&self, path: &str) -> Result<std::fs::File, FileError> {
        let place = self.place(path, FileError::BlankFilePath)?;
        let opened = if place.is_root() {
            self.dir.try_clone()
        } else {
            self.dir.open_dir(place.whole())
        };
        let dir = opened.map_err(|e| match e.kind() {
            io::ErrorKind::NotADirectory => FileError::NotDirectory {
                path: place.shown.clone(),
            },
            _ => FileError::from_read(&e, &place.shown),
        })?;
        Ok(dir.into_std_file())
    }
}
