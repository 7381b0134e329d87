//! The texts of files that a person names, and of standard input.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use crate::system::is_pipe;

/// Reads a file of at most this many bytes.
pub(crate) fn read_file(path: &Path, most: u64) -> io::Result<String> {
    // A named pipe is waited for; one that the shell made for this program is already open.
    if !is_descriptor(path) && is_pipe(path) {
        return Err(not_regular());
    }
    read_whole(File::open(path)?, most)
}

/// Whether a path names a file that this program has open, such as one that the shell made for it.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    let is_one = |place| path.starts_with(place);
    ["/dev/fd", "/proc/self/fd", "/dev/stdin"]
        .iter()
        .any(is_one)
}

/// Reads a regular file of at most this many bytes, and never a pipe.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<String> {
    if !is_regular(path) {
        // A missing file has its own message.
        path.metadata()?;
        return Err(not_regular());
    }
    read_whole(File::open(path)?, most)
}

/// Whether a path leads to a regular file.
pub(crate) fn is_regular(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file())
}

fn not_regular() -> io::Error {
    io::Error::other("not a regular file")
}

/// Reads standard input of at most this many bytes.
pub(crate) fn read_input(most: u64) -> io::Result<String> {
    read_whole(io::stdin().lock(), most)
}

fn read_whole(source: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length > most) {
        let words = format!("more than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))
}
