//! A path from the model, checked as text before the system sees it.

use std::path::{Path, PathBuf};

use super::{FileError, Sandbox};
use crate::engine::echo::echo;

/// The longest path in bytes.
const MAX_LENGTH: usize = 4096;
/// The most parts in a path, so that one call cannot make a thousand directories.
const MAX_PARTS: usize = 64;
/// The most characters of a path that a message repeats.
const SHOWN: usize = 200;

/// A path below the sandbox, without `.`, `..` and empty parts.
#[derive(Debug)]
pub(super) struct SandboxPath {
    /// The parts; none for the sandbox itself.
    pub(super) parts: Vec<String>,
    /// The requested path, fit for a message.
    pub(super) shown: String,
}

impl SandboxPath {
    pub(super) fn is_root(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn whole(&self) -> PathBuf {
        self.parts.iter().collect()
    }
}

impl Sandbox {
    /// Whether `path` may be written, as far as its text shows. Touches nothing.
    ///
    /// # Errors
    /// Like writing, for a path that is refused whatever is on the disk.
    pub fn check(&self, path: &str) -> Result<(), FileError> {
        self.file_place(path, FileError::BlankPath).map(drop)
    }

    /// Whether `path` may be written, as far as its text shows, and whether it is not a link now.
    ///
    /// # Errors
    /// Like writing, for a path that is refused whatever its file contains.
    pub fn check_write(&self, path: &str) -> Result<(), FileError> {
        self.check_link(&self.file_place(path, FileError::BlankPath)?)
    }

    /// Fails if the place is a symbolic link, wherever it leads.
    pub(super) fn check_link(&self, place: &SandboxPath) -> Result<(), FileError> {
        let is_link = || {
            let meta = self.dir.symlink_metadata(place.whole());
            meta.is_ok_and(|meta| meta.is_symlink())
        };
        if !place.is_root() && is_link() {
            return Err(FileError::Link);
        }
        Ok(())
    }

    /// Like [`place`](Self::place), for a file: a path that ends with `/`, `/.` or `/..` means a directory.
    pub(super) fn file_place(
        &self,
        path: &str,
        blank: FileError,
    ) -> Result<SandboxPath, FileError> {
        let place = self.place(path, blank)?;
        if matches!(path.rsplit('/').next(), Some("" | "." | "..")) {
            return Err(FileError::NotRegular { path: place.shown });
        }
        Ok(place)
    }

    /// Reads `path` as text; touches nothing.
    pub(super) fn place(&self, path: &str, blank: FileError) -> Result<SandboxPath, FileError> {
        if path.trim().is_empty() {
            return Err(blank);
        }
        if path.contains('\0') {
            return Err(FileError::Outside);
        }
        if path.len() > MAX_LENGTH {
            return Err(FileError::Name {
                reason: "path is longer than 4096 bytes",
            });
        }
        let inside = self.strip_base(path)?;
        let mut parts: Vec<String> = Vec::new();
        for part in inside.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    // Leaving is refused even if the path comes back: the result would reveal the
                    // name of a directory outside.
                    parts.pop().ok_or(FileError::Outside)?;
                }
                name => {
                    check_name(name)?;
                    parts.push(name.to_owned());
                }
            }
        }
        if parts.len() > MAX_PARTS {
            return Err(FileError::Name {
                reason: "path has more than 64 parts",
            });
        }
        Ok(SandboxPath {
            parts,
            shown: echo(path, SHOWN),
        })
    }

    /// Removes the sandbox's own path from an absolute path.
    fn strip_base<'p>(&self, path: &'p str) -> Result<&'p str, FileError> {
        let whole = Path::new(path);
        // True of every absolute path on every system.
        if !whole.has_root() {
            return Ok(path);
        }
        self.bases
            .iter()
            .find_map(|base| whole.strip_prefix(base).ok()?.to_str())
            .ok_or(FileError::Outside)
    }
}

/// Refuses names that mean something else on another system, so that a harmless path is harmless
/// everywhere.
fn check_name(name: &str) -> Result<(), FileError> {
    if name.chars().any(char::is_control) {
        return Err(FileError::Name {
            reason: "path has a control character in it",
        });
    }
    if name.contains('\\') {
        return Err(FileError::Name {
            reason: "path has a backslash in it; write '/' between names",
        });
    }
    // Windows drops trailing dots and spaces: `.. ` and `...` would be `..`.
    let stem = name.trim_end_matches(['.', ' ']);
    if stem.trim_start().is_empty() {
        return Err(FileError::Outside);
    }
    if let [drive, b':', ..] = name.as_bytes()
        && drive.is_ascii_alphabetic()
    {
        return Err(FileError::Outside);
    }
    let device = stem.split(['.', ':']).next().unwrap_or_default().trim_end();
    if is_device(device) {
        return Err(FileError::Name {
            reason: "path has a device name in it",
        });
    }
    Ok(())
}

fn is_device(stem: &str) -> bool {
    const NAMES: [&str; 7] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"];
    if NAMES.iter().any(|n| n.eq_ignore_ascii_case(stem)) {
        return true;
    }
    let (Some(port), Some(number)) = (stem.get(..3), stem.get(3..)) else {
        return false;
    };
    let mut rest = number.chars();
    (port.eq_ignore_ascii_case("COM") || port.eq_ignore_ascii_case("LPT"))
        && matches!(rest.next(), Some('0'..='9' | '¹' | '²' | '³'))
        && rest.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(path: &str) -> Result<Vec<String>, String> {
        let dir = tempfile::tempdir().expect("a directory");
        let sandbox = Sandbox::open(dir.path()).expect("a sandbox");
        let path = path.replace("BASE", dir.path().to_str().expect("UTF-8"));
        let place = sandbox.place(&path, FileError::BlankPath);
        place.map(|p| p.parts).map_err(|e| e.to_string())
    }

    #[test]
    fn paths_are_shortened_as_text() {
        assert_eq!(
            parts("a//b/./c/../d").as_deref(),
            Ok(&["a".into(), "b".into(), "d".into()][..])
        );
        assert_eq!(
            parts("BASE/a/b").as_deref(),
            Ok(&["a".into(), "b".into()][..])
        );
        assert_eq!(parts("."), Ok(vec![]));
        assert_eq!(parts("comet/console.txt/com10").map(|p| p.len()), Ok(3));
        assert_eq!(parts("12:30.txt").map(|p| p.len()), Ok(1));
    }

    #[test]
    fn the_limits_are_exact() {
        assert_eq!(
            parts(&format!("{}ab", "./".repeat(2047))),
            Ok(vec!["ab".into()])
        );
        assert_eq!(
            parts(&format!("{}abc", "./".repeat(2047))),
            Err("Access denied: path is longer than 4096 bytes".into())
        );
        assert_eq!(parts(&"a/".repeat(64)).map(|p| p.len()), Ok(64));
        assert_eq!(
            parts(&"a/".repeat(65)),
            Err("Access denied: path has more than 64 parts".into())
        );
    }

    #[test]
    fn whatever_leaves_is_outside() {
        let outside = Err("Access denied: path is outside the sandbox directory".to_owned());
        for path in [
            "..",
            "a/../..",
            "../a",
            "/",
            "/etc/passwd",
            "//etc/passwd",
            "BASE/../x",
            "BASEx/y",
            "a\0b",
            "...",
            "a/.. /b",
            "C:/x",
            "c:x",
        ] {
            assert_eq!(parts(path), outside, "{path:?}");
        }
    }

    #[test]
    fn names_of_other_systems_are_refused() {
        for path in [
            "nul",
            "a/CON.txt",
            "com1",
            "LPT9.log",
            "aux:stream",
            "com¹",
            "prn ",
            "a\\b",
            "a\nb",
        ] {
            assert!(
                parts(path).is_err_and(|e| e.starts_with("Access denied: path has")),
                "{path:?}"
            );
        }
        assert_eq!(parts(" \t"), Err("Path must not be blank".into()));
    }
}
