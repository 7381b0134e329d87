//! Finding the program of a command line.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// The path for programs if there is no `PATH`.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// The program that the system would run, so that a fault is known before the start. `dir` is the
/// directory that the program will run in.
pub(super) fn find_program(
    program: &OsStr,
    environment: &[(OsString, OsString)],
    dir: Option<&Path>,
) -> io::Result<OsString> {
    let here = dir.unwrap_or_else(|| Path::new("."));
    if !here.is_dir() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let found = if program.as_encoded_bytes().contains(&b'/') {
        check(&here.join(program))?;
        PathBuf::from(program)
    } else {
        find_in_path(program, environment, here)?
    };
    // `env` starts it, and would take it for a variable.
    if found.as_os_str().as_encoded_bytes().contains(&b'=') {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(found.into_os_string())
}

fn find_in_path(
    program: &OsStr,
    environment: &[(OsString, OsString)],
    here: &Path,
) -> io::Result<PathBuf> {
    let path = environment
        .iter()
        .rev()
        .find(|(name, _)| name == "PATH")
        .map_or_else(|| OsString::from(DEFAULT_PATH), |(_, value)| value.clone());
    let mut refused = io::Error::from(io::ErrorKind::NotFound);
    for place in std::env::split_paths(&path) {
        let candidate = Path::new(".").join(place).join(program);
        match check(&here.join(&candidate)) {
            Ok(()) => return Ok(candidate),
            // A program that is not executable deserves a better message than a missing one.
            Err(error) if error.kind() != io::ErrorKind::NotFound => refused = error,
            Err(_) => {}
        }
    }
    Err(refused)
}

/// Whether the system would run a file.
fn check(path: &Path) -> io::Result<()> {
    if !path.metadata()?.is_file() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    access(path, Access::EXEC_OK)?;
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(4).read_to_end(&mut start)?,
        // A file may be executable but not readable.
        Err(_) => return Ok(()),
    };
    if start.starts_with(b"\x7fELF") || start.starts_with(b"#!") || has_other_formats() {
        return Ok(());
    }
    Err(rustix::io::Errno::NOEXEC.into())
}

/// Whether the system is configured to run other files.
fn has_other_formats() -> bool {
    let formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc");
    formats.into_iter().flatten().flatten().any(|entry| {
        let name = entry.file_name();
        name != "register" && name != "status"
    })
}
