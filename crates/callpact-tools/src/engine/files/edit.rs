//! Editing: replaces one text in a file, matched exactly, by another.

use std::fmt::{self, Write};
use std::io;
use std::sync::PoisonError;

use callpact::digest::hex;
use callpact::review::{FileChange, Preview};

use super::path::SandboxPath;
use super::read::ReadLimits;
use super::write::{WriteLimits, WriteMode};
use super::{FileError, Sandbox};
use crate::system::files::changed_at;

/// The most bytes that a digest covers. The thread of the call waits for it.
const DIGEST_BYTES: u64 = 64 << 20;

/// Makes a digest of the bytes that are written to it.
struct HashWriter(hmac_sha256::Hash);

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An edit of one file that is possible and has not been made yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedEdit {
    path: String,
    shown: String,
    before: String,
    after: String,
    count: usize,
    /// The most lines that differ.
    touched: usize,
}

/// A file that was edited. Its `Display` is the answer to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edited {
    /// The requested path, fit for a message.
    pub path: String,
    /// How many places were replaced.
    pub count: usize,
}

impl fmt::Display for Edited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = if self.count == 1 { "place" } else { "places" };
        let (count, path) = (self.count, &self.path);
        write!(f, "Replaced {count} {places} in: {path}")
    }
}

impl PlannedEdit {
    /// The change as a unified diff.
    pub fn diff(&self) -> FileChange {
        FileChange::between_with(&*self.shown, &self.before, &self.after, self.touched)
    }
}

impl Sandbox {
    /// Checks whether `old` can be replaced by `new` in a file: at its one place, or with `all` at
    /// every place. Nothing is written.
    ///
    /// ```
    /// # use callpact_tools::engine::files::{Sandbox, WriteLimits, WriteMode};
    /// # let dir = tempfile::tempdir()?;
    /// let sandbox = Sandbox::open(dir.path())?;
    /// let limits = WriteLimits::default();
    /// sandbox.write("a.txt", "one two two", WriteMode::Overwrite, limits)?;
    /// let edit = sandbox.plan_edit("a.txt", "one ", "", false, limits)?;
    /// assert_eq!(sandbox.edit(&edit, limits)?.to_string(), "Replaced 1 place in: a.txt");
    /// let refused = sandbox.plan_edit("a.txt", "two", "2", false, limits).unwrap_err();
    /// assert!(refused.to_string().contains("stands at 2 places"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn plan_edit(
        &self,
        path: &str,
        old: &str,
        new: &str,
        all: bool,
        limits: WriteLimits,
    ) -> Result<PlannedEdit, FileError> {
        let place = self.file_place(path, FileError::BlankPath)?;
        if old.is_empty() {
            return Err(FileError::NothingToReplace);
        }
        if old == new {
            return Err(FileError::SameText);
        }
        let shown = place.shown.clone();
        let before = match self.content(path, &place, limits) {
            Err(FileError::NotText { at, size }) => {
                return Err(FileError::NotTextToEdit {
                    path: shown,
                    at,
                    size,
                });
            }
            Err(FileError::TooLarge { size, limit, .. }) => {
                return Err(FileError::TooLargeToEdit {
                    path: shown,
                    size,
                    limit,
                });
            }
            content => content?,
        };
        let count = match count_places(&before, old) {
            0 => return Err(FileError::NoSuchText { path: shown }),
            1 => 1,
            count if !all => return Err(FileError::ManyPlaces { path: shown, count }),
            // Overlapping places are replaced once.
            _ => before.matches(old).count(),
        };
        let size =
            (before.len() - count * old.len()).saturating_add(count.saturating_mul(new.len()));
        if size as u64 > limits.max_bytes {
            return Err(FileError::TooMuchToWrite {
                size: size as u64,
                limit: limits.max_bytes,
            });
        }
        // The first and the last line of a place may contain more text.
        let lines = |text: &str| text.split('\n').count() + 1;
        Ok(PlannedEdit {
            touched: count.saturating_mul(lines(old) + lines(new)),
            path: path.to_owned(),
            shown,
            after: before.replace(old, new),
            before,
            count,
        })
    }

    /// The change that a write would make to a file, as a unified diff. If the text cannot be compared, the preview
    /// has the size and a digest, so that another content gives another preview. `None` for a file that is new or
    /// keeps its text, and for a write that only makes new files.
    pub fn preview_write(
        &self,
        path: &str,
        content: &str,
        mode: WriteMode,
        limits: WriteLimits,
    ) -> Option<Preview> {
        if mode == WriteMode::CreateNew {
            return None;
        }
        let place = self.file_place(path, FileError::BlankPath).ok()?;
        let before = match self.content(path, &place, limits) {
            Ok(before) => before,
            Err(FileError::NotFound { .. }) => return None,
            Err(error) => {
                let described = self.describe_content(&place, &error, mode);
                return Some(described.unwrap_or_else(|| error.to_string()).into());
            }
        };
        let after = match mode {
            WriteMode::Append => format!("{before}{content}"),
            WriteMode::Overwrite | WriteMode::CreateNew => content.to_owned(),
        };
        (before != after)
            .then(|| Preview::file(FileChange::between(&*place.shown, &before, &after)))
    }

    /// The content of a file that a write changes but whose text cannot be compared. `None` if the file cannot be
    /// written either.
    fn describe_content(
        &self,
        place: &SandboxPath,
        error: &FileError,
        mode: WriteMode,
    ) -> Option<String> {
        let why = match error {
            FileError::NotText { at, .. } => {
                format!("are not UTF-8 text (the first wrong byte is at {at})")
            }
            FileError::TooLarge { limit, .. } => {
                format!("are more than the {limit} that are compared")
            }
            FileError::Read { message } => format!("cannot be read ({message})"),
            _ => return None,
        };
        let meta = self.dir.symlink_metadata(place.whole()).ok()?;
        let (path, size) = (&place.shown, meta.len());
        let becomes = match mode {
            WriteMode::Append => "stay, and the new text is added after them",
            WriteMode::Overwrite | WriteMode::CreateNew => "are replaced",
        };
        let mut text = format!("The {size} bytes of {path} {becomes}. They {why}.\n");
        let digest = self.digest(place).ok();
        // Writing to a String does not fail.
        if let Some(digest) = &digest {
            let of = if size > DIGEST_BYTES {
                format!("their first {DIGEST_BYTES}")
            } else {
                "them".to_owned()
            };
            let _ = writeln!(text, "SHA-256 of {of}: {digest}");
        }
        if digest.is_none() || size > DIGEST_BYTES {
            let changed = changed_at(&meta);
            let _ = writeln!(text, "Last change: {changed} s after 1970");
        }
        Some(text)
    }

    /// The SHA-256 of the first bytes of a file.
    fn digest(&self, place: &SandboxPath) -> Result<String, FileError> {
        let (file, _) = self.open_regular(place)?;
        let mut hash = HashWriter(hmac_sha256::Hash::new());
        io::copy(&mut io::Read::take(file, DIGEST_BYTES), &mut hash)
            .map_err(|error| FileError::from_read(&error, &place.shown))?;
        Ok(hex(&hash.0.finalize()))
    }

    /// Makes an edit, unless the file has changed since it was planned.
    ///
    /// # Errors
    /// See [`FileError`].
    pub fn edit(&self, edit: &PlannedEdit, limits: WriteLimits) -> Result<Edited, FileError> {
        let place = self.file_place(&edit.path, FileError::BlankPath)?;
        // No other tool of this sandbox writes between the check and the write.
        let turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        match self.content(&edit.path, &place, limits) {
            Ok(content) if content == edit.before => {}
            Ok(_) | Err(FileError::NotText { .. } | FileError::TooLarge { .. }) => {
                return Err(FileError::Changed { path: place.shown });
            }
            Err(error) => return Err(error),
        }
        self.write_in_turn(&turn, &edit.path, &edit.after, WriteMode::Overwrite, limits)?;
        Ok(Edited {
            path: place.shown,
            count: edit.count,
        })
    }

    /// The whole text of a file that may be written to.
    fn content(
        &self,
        path: &str,
        place: &SandboxPath,
        limits: WriteLimits,
    ) -> Result<String, FileError> {
        self.check_link(place)?;
        let limits = ReadLimits {
            max_bytes: limits.max_bytes,
            ..ReadLimits::default()
        };
        Ok(self.read(path, None, limits)?.text)
    }
}

/// How many times a text occurs, overlaps included.
fn count_places(text: &str, part: &str) -> usize {
    let mut count = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(part) {
        count = count.saturating_add(1);
        let next = at + part.chars().next().map_or(1, char::len_utf8);
        rest = rest.get(next..).unwrap_or_default();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::count_places;

    #[test]
    fn overlapping_places_count() {
        assert_eq!(count_places("aaa", "aa"), 2);
        assert_eq!(count_places("ééé", "é"), 3);
        assert_eq!(count_places("abc", "d"), 0);
    }
}
