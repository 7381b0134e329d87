//! Why a file was not read or written, in words that a model may see.

use std::fmt;
use std::io;

/// Why a file was not read or written.
///
/// Texts repeat only the requested path, shortened and escaped. Nothing in them depends on files
/// outside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// A path to read was empty or only white space.
    BlankFilePath,
    /// A path to write was empty or only white space.
    BlankPath,
    /// The path leads outside, as text or through a link.
    Outside,
    /// The last part of a path to write is a symbolic link, wherever it leads.
    Link,
    /// The path contains a name that is refused on every system.
    Name {
        /// The fault.
        reason: &'static str,
    },
    /// There is no such file inside the sandbox.
    NotFound {
        /// The requested path.
        path: String,
    },
    /// A directory, pipe, device or socket.
    NotRegular {
        /// The requested path.
        path: String,
    },
    /// A directory was needed.
    NotDirectory {
        /// The requested path.
        path: String,
    },
    /// Only a new file may be written, and the file exists.
    Exists {
        /// The requested path.
        path: String,
    },
    /// The text to replace is empty.
    NothingToReplace,
    /// The text to replace is the text to put in its place.
    SameText,
    /// The text to replace is not in the file.
    NoSuchText {
        /// The requested path.
        path: String,
    },
    /// The text to replace occurs at several places, and one was meant.
    ManyPlaces {
        /// The requested path.
        path: String,
        /// How many places there are.
        count: usize,
    },
    /// The file has changed since the edit was planned.
    Changed {
        /// The requested path.
        path: String,
    },
    /// The file to edit is not UTF-8.
    NotTextToEdit {
        /// The requested path.
        path: String,
        /// The position of the first invalid byte.
        at: u64,
        /// The size of the file in bytes.
        size: u64,
    },
    /// The file to edit exceeds the limit for a file.
    TooLargeToEdit {
        /// The requested path.
        path: String,
        /// The size of the file in bytes.
        size: u64,
        /// The most bytes in a file.
        limit: u64,
    },
    /// The requested bytes exceed the limit for one read.
    TooLarge {
        /// The requested path.
        path: String,
        /// The requested bytes, as far as they are known.
        size: u64,
        /// The most bytes in one read.
        limit: u64,
    },
    /// The requested lines exceed the limit for one read.
    LinesTooLarge {
        /// The requested path.
        path: String,
        /// The first requested line.
        first: u64,
        /// The line in which the limit was exceeded.
        last: u64,
        /// The most bytes in one read.
        limit: u64,
    },
    /// The requested lines end beyond the scanned bytes.
    LinesTooFar {
        /// The requested path.
        path: String,
        /// The most bytes that are scanned.
        limit: u64,
    },
    /// The write exceeds the limit for a file.
    TooMuchToWrite {
        /// The bytes that the file would hold.
        size: u64,
        /// The most bytes in a file.
        limit: u64,
    },
    /// The bytes are not UTF-8. None of them are shown, so that nothing is lost unnoticed.
    NotText {
        /// The position of the first invalid byte.
        at: u64,
        /// The size of the file in bytes.
        size: u64,
    },
    /// The file does not have the requested lines.
    Lines {
        /// The first requested line.
        first: u64,
        /// The number of lines; `None` if the range is reversed.
        total: Option<u64>,
    },
    /// The system refused to read.
    Read {
        /// The system's reason, without any path.
        message: String,
    },
    /// The system refused to write.
    Write {
        /// The system's reason, without any path.
        message: String,
    },
}

impl FileError {
    /// Translates a system error from reading into words for the model.
    pub(super) fn from_read(e: &io::Error, path: &str) -> Self {
        match classify(e) {
            ErrorMeaning::Outside => Self::Outside,
            ErrorMeaning::Missing => Self::NotFound { path: path.into() },
            ErrorMeaning::Special => Self::NotRegular { path: path.into() },
            ErrorMeaning::Other => Self::Read { message: words(e) },
        }
    }

    /// Translates a system error from writing into words for the model.
    pub(super) fn from_write(e: &io::Error, path: &str) -> Self {
        match classify(e) {
            ErrorMeaning::Outside => Self::Outside,
            ErrorMeaning::Special => Self::NotRegular { path: path.into() },
            ErrorMeaning::Missing | ErrorMeaning::Other => Self::Write { message: words(e) },
        }
    }
}

enum ErrorMeaning {
    Outside,
    Missing,
    Special,
    Other,
}

fn classify(e: &io::Error) -> ErrorMeaning {
    match e.kind() {
        // cap-std makes its "led outside" error itself; a refusal by the system has a number.
        io::ErrorKind::PermissionDenied if e.raw_os_error().is_none() => ErrorMeaning::Outside,
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ErrorMeaning::Missing,
        io::ErrorKind::IsADirectory => ErrorMeaning::Special,
        // Opening a socket, or a pipe that nobody reads, for writing.
        _ if e.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            ErrorMeaning::Special
        }
        _ => ErrorMeaning::Other,
    }
}

/// Only the kind: the full text of a system error may hold a path or a number that is useless to a
/// model.
fn words(e: &io::Error) -> String {
    match e.raw_os_error().map(rustix::io::Errno::from_raw_os_error) {
        Some(rustix::io::Errno::LOOP) => {
            "the symbolic links of the path lead in a circle, or are too many".into()
        }
        Some(rustix::io::Errno::NAMETOOLONG) => "a name in the path is too long".into(),
        _ => e.kind().to_string(),
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlankFilePath => f.write_str("File path must not be blank"),
            Self::BlankPath => f.write_str("Path must not be blank"),
            Self::Outside => f.write_str("Access denied: path is outside the sandbox directory"),
            Self::Link => f.write_str("Access denied: path is a symbolic link"),
            Self::Name { reason } => write!(f, "Access denied: {reason}"),
            Self::NotFound { path } => write!(f, "File not found: {path}"),
            Self::NotRegular { path } => write!(f, "Not a regular file: {path}"),
            Self::NotDirectory { path } => write!(f, "Not a directory: {path}"),
            Self::Exists { path } => write!(f, "Failed to write file: already exists: {path}"),
            Self::NothingToReplace => {
                f.write_str("Failed to edit file: the text to replace must not be empty")
            }
            Self::SameText => {
                f.write_str("Failed to edit file: the text to replace and the new text are the same")
            }
            Self::NoSuchText { path } => write!(
                f,
                "Failed to edit file: the text to replace is not in {path}; it must match exactly, white space and line ends included"
            ),
            Self::ManyPlaces { path, count } => write!(
                f,
                "Failed to edit file: the text to replace stands at {count} places in {path}; give more of the text around the one that is meant, or replace all"
            ),
            Self::Changed { path } => write!(
                f,
                "Failed to edit file: {path} has changed since the edit was planned; read it again"
            ),
            Self::NotTextToEdit { path, at, size } => write!(
                f,
                "Failed to edit file: {path} is not UTF-8 text (first wrong byte at {at} of {size})"
            ),
            Self::TooLargeToEdit { path, size, limit } => write!(
                f,
                "Failed to edit file: {path} has {size} bytes, at most {limit} are allowed"
            ),
            Self::TooLarge { path, size, limit } => write!(
                f,
                "Failed to read file: {path} has {size} bytes to read, at most {limit} are allowed; ask for a range of lines"
            ),
            Self::LinesTooLarge {
                path,
                first,
                last,
                limit,
            } if first == last => write!(
                f,
                "Failed to read file: line {first} of {path} alone has more than the {limit} bytes that are allowed; no part of a line can be read"
            ),
            Self::LinesTooLarge {
                path,
                first,
                last,
                limit,
            } => write!(
                f,
                "Failed to read file: lines {first} to {last} of {path} have more than the {limit} bytes that are allowed; ask for fewer lines"
            ),
            Self::LinesTooFar { path, limit } => write!(
                f,
                "Failed to read file: the lines end beyond the first {limit} bytes of {path}, and no more are looked through"
            ),
            Self::TooMuchToWrite { size, limit } => write!(
                f,
                "Failed to write file: it would hold {size} bytes, at most {limit} are allowed"
            ),
            Self::NotText { at, size } => write!(
                f,
                "Failed to read file: not UTF-8 text (first wrong byte at {at} of {size}); binary content is not shown"
            ),
            Self::Lines { first, total: Some(total) } => write!(
                f,
                "Failed to read file: line {first} is past the end, the file has {total} lines"
            ),
            Self::Lines { .. } => f.write_str(
                "Failed to read file: lines are counted from 1 and the first must not be after the last",
            ),
            Self::Read { message } => write!(f, "Failed to read file: {message}"),
            Self::Write { message } => write!(f, "Failed to write file: {message}"),
        }
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn each_error_of_the_system_has_its_meaning() {
        let both = |e: io::Error| {
            [
                FileError::from_read(&e, "p").to_string(),
                FileError::from_write(&e, "p").to_string(),
            ]
        };
        let outside = "Access denied: path is outside the sandbox directory";
        let special = "Not a regular file: p";
        for (error, read, write) in [
            // The first has no number, so it does not come from the system.
            (io::ErrorKind::PermissionDenied.into(), outside, outside),
            (
                Errno::ACCESS.into(),
                "Failed to read file: permission denied",
                "Failed to write file: permission denied",
            ),
            (Errno::ISDIR.into(), special, special),
            (Errno::NXIO.into(), special, special),
            (
                Errno::LOOP.into(),
                "Failed to read file: the symbolic links of the path lead in a circle, or are too many",
                "Failed to write file: the symbolic links of the path lead in a circle, or are too many",
            ),
            (
                Errno::NOTDIR.into(),
                "File not found: p",
                "Failed to write file: not a directory",
            ),
        ] {
            assert_eq!(both(error), [read, write]);
        }
    }
}
