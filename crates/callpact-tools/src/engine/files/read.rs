//! Reading text, whole or by lines.

use std::io::{BufRead, BufReader, Read};

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::fs::{File, OpenOptions};

use super::path::SandboxPath;
use super::{FileError, Sandbox};

/// The limits of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLimits {
    /// The most bytes that are returned: 1 MiB.
    pub max_bytes: u64,
    /// The most bytes that are scanned to find a range of lines: 64 MiB.
    pub max_scan: u64,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            max_bytes: 1 << 20,
            max_scan: 64 << 20,
        }
    }
}

impl ReadLimits {
    /// The default limits with another limit on the returned bytes.
    pub fn bytes(max_bytes: u64) -> Self {
        Self {
            max_bytes,
            ..Self::default()
        }
    }
}

/// Lines `first` to `last`, counted from 1, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRange {
    /// The first line.
    pub first: u64,
    /// The last line; `None` for all that follow.
    pub last: Option<u64>,
}

impl LineRange {
    /// Lines `first` to `last`.
    pub fn new(first: u64, last: impl Into<Option<u64>>) -> Self {
        Self {
            first,
            last: last.into(),
        }
    }
}

/// Text that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileText {
    /// The text exactly as it is in the file, line ends included.
    pub text: String,
    /// The size of the whole file in bytes.
    pub size: u64,
    /// The number of lines in `text`, if a range was requested.
    pub lines: Option<u64>,
}

impl Sandbox {
    /// Reads the text of a regular file, or some of its lines.
    ///
    /// With a range, only the lines returned must be UTF-8 and fit the limit, so a part of a large file
    /// can be read.
    ///
    /// # Errors
    /// See [`FileError`]. A pipe or a device is refused without waiting.
    pub fn read(
        &self,
        path: &str,
        range: Option<LineRange>,
        limits: ReadLimits,
    ) -> Result<FileText, FileError> {
        let place = self.file_place(path, FileError::BlankFilePath)?;
        let (file, size) = self.open_regular(&place)?;
        let shown = place.shown;
        match range {
            None => whole(file, size, &shown, limits),
            Some(range) => lines(file, size, &shown, range, limits),
        }
    }

    pub(super) fn open_regular(&self, place: &SandboxPath) -> Result<(File, u64), FileError> {
        let not_regular = || FileError::NotRegular {
            path: place.shown.clone(),
        };
        if place.is_root() {
            return Err(not_regular());
        }
        let mut options = OpenOptions::new();
        // Opening a pipe would wait for a writer.
        options.read(true).nonblock(true);
        let failed = |e: std::io::Error| FileError::from_read(&e, &place.shown);
        let file = self
            .dir
            .open_with(place.whole(), &options)
            .map_err(failed)?;
        // Asked of the open file, since the name may mean another file by now.
        let meta = file.metadata().map_err(failed)?;
        if meta.is_file() {
            Ok((file, meta.len()))
        } else {
            Err(not_regular())
        }
    }
}

fn whole(file: File, size: u64, path: &str, limits: ReadLimits) -> Result<FileText, FileError> {
    let too_large = |size| FileError::TooLarge {
        path: path.into(),
        size,
        limit: limits.max_bytes,
    };
    if size > limits.max_bytes {
        return Err(too_large(size));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed, because the file may grow while it is read.
    let read = file
        .take(limits.max_bytes.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|e| FileError::from_read(&e, path))?;
    let size = bytes.len() as u64;
    if size > limits.max_bytes {
        return Err(too_large(size));
    }
    Ok(FileText {
        text: text(bytes, 0, size)?,
        size,
        lines: None,
    })
}

fn lines(
    file: File,
    size: u64,
    path: &str,
    range: LineRange,
    limits: ReadLimits,
) -> Result<FileText, FileError> {
    if range.first == 0 || range.last.is_some_and(|last| last < range.first) {
        return Err(FileError::Lines {
            first: range.first,
            total: None,
        });
    }
    let failed = |e: std::io::Error| FileError::from_read(&e, path);
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut bytes = Vec::new();
    // `line` is the line of the next byte; `open` says whether it already has a byte.
    let (mut line, mut open, mut scanned, mut start) = (1_u64, false, 0_u64, 0_u64);
    while range.last.is_none_or(|last| line <= last) {
        let chunk = reader.fill_buf().map_err(failed)?;
        if chunk.is_empty() {
            break;
        }
        // `contains` is the fast search of the standard library; most chunks of a huge line have no
        // line end.
        let ended = chunk.contains(&b'\n');
        let piece = if ended {
            chunk
                .split_inclusive(|b| *b == b'\n')
                .next()
                .unwrap_or(chunk)
        } else {
            chunk
        };
        let length = piece.len();
        if line >= range.first {
            if bytes.is_empty() {
                start = scanned;
            }
            bytes.extend_from_slice(piece);
        }
        scanned = scanned.saturating_add(length as u64);
        reader.consume(length);
        let here = line;
        (line, open) = if ended {
            (line.saturating_add(1), false)
        } else {
            (line, true)
        };
        if bytes.len() as u64 > limits.max_bytes {
            return Err(FileError::LinesTooLarge {
                path: path.into(),
                first: range.first,
                last: here,
                limit: limits.max_bytes,
            });
        }
        if scanned > limits.max_scan {
            return Err(FileError::LinesTooFar {
                path: path.into(),
                limit: limits.max_scan,
            });
        }
    }
    let total = if open { line } else { line.saturating_sub(1) };
    // The first line of an empty file is empty, not missing.
    if total < range.first && !(total == 0 && range.first == 1) {
        return Err(FileError::Lines {
            first: range.first,
            total: Some(total),
        });
    }
    let lines = total.saturating_add(1).saturating_sub(range.first);
    Ok(FileText {
        text: text(bytes, start, size)?,
        size,
        lines: Some(lines),
    })
}

fn text(bytes: Vec<u8>, start: u64, size: u64) -> Result<String, FileError> {
    String::from_utf8(bytes).map_err(|e| {
        let at = start.saturating_add(e.utf8_error().valid_up_to() as u64);
        FileError::NotText { at, size }
    })
}
