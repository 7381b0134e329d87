//! Why a file cannot be opened as a store.

use std::{error::Error, fmt, path::PathBuf};

/// A file that cannot be opened as a store. The file is unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// A newer version of this crate wrote the file.
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file's tables.
        found: i64,
        /// The latest version that this crate knows.
        known: i64,
    },
    /// The file is not a call store: it is another program's file, or it is damaged.
    NotAStore {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        reason: String,
    },
    /// Another process has locked the file for longer than the patience of a step.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be opened or written.
    Failed {
        /// The file.
        path: PathBuf,
        /// The error of SQLite or of the system.
        error: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newer { path, found, known } => write!(
                f,
                "{} has version {found} of the call store; this program knows version {known}. \
                 Use a newer program",
                path.display(),
            ),
            Self::NotAStore { path, reason } => {
                write!(f, "{} is not a call store: {reason}", path.display())
            }
            Self::Busy { path } => write!(
                f,
                "{}: the store is busy: another process has locked the file",
                path.display()
            ),
            Self::Failed { path, error } => {
                write!(f, "cannot open the call store {}: {error}", path.display())
            }
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed { error, .. } => Some(&**error),
            Self::Newer { .. } | Self::NotAStore { .. } | Self::Busy { .. } => None,
        }
    }
}
