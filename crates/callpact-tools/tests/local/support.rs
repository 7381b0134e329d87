//! A sandbox with a canary outside, and a look at the processes of this machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use callpact_tools::engine::files::{
    FileError, FileText, LineRange, ReadLimits, Sandbox, WriteLimits, WriteMode, Written,
};

pub(crate) const CANARY: &str = "CANARY-7c1f: nobody inside may see or change this";

/// `base` is the sandbox, `outside` its sibling.
pub(crate) struct Scene {
    pub(crate) root: tempfile::TempDir,
    pub(crate) base: PathBuf,
    pub(crate) outside: PathBuf,
    pub(crate) sandbox: Sandbox,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let (base, outside) = (root.path().join("base"), root.path().join("outside"));
        for dir in [&base.join("sub/deep"), &outside] {
            fs::create_dir_all(dir).unwrap();
        }
        for file in [outside.join("secret.txt"), root.path().join("secret.txt")] {
            fs::write(file, CANARY).unwrap();
        }
        fs::write(base.join("in.txt"), "inside\n").unwrap();
        fs::write(base.join("sub/in.txt"), "inside sub\n").unwrap();
        let sandbox = Sandbox::open(&base).unwrap();
        Self {
            root,
            base,
            outside,
            sandbox,
        }
    }

    pub(crate) fn read(&self, path: &str) -> Result<FileText, FileError> {
        self.sandbox.read(path, None, ReadLimits::default())
    }

    pub(crate) fn lines(
        &self,
        path: &str,
        first: u64,
        last: Option<u64>,
    ) -> Result<FileText, FileError> {
        self.sandbox.read(
            path,
            Some(LineRange::new(first, last)),
            ReadLimits::default(),
        )
    }

    pub(crate) fn write(&self, path: &str, content: &str) -> Result<Written, FileError> {
        self.sandbox
            .write(path, content, WriteMode::Overwrite, WriteLimits::default())
    }

    pub(crate) fn write_as(
        &self,
        path: &str,
        content: &str,
        mode: WriteMode,
    ) -> Result<Written, FileError> {
        self.sandbox
            .write(path, content, mode, WriteLimits::default())
    }

    /// Every file outside the sandbox with its content.
    pub(crate) fn outside_state(&self) -> BTreeMap<PathBuf, Option<String>> {
        let mut state = BTreeMap::new();
        collect(self.root.path(), &self.base, &mut state);
        state
    }
}

fn collect(dir: &Path, skip: &Path, state: &mut BTreeMap<PathBuf, Option<String>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        if path == skip {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            collect(&path, skip, state);
            state.insert(path, None);
        } else {
            let text = fs::read_to_string(&path).unwrap();
            state.insert(path, Some(text));
        }
    }
}

/// A number that occurs in no other command line on this machine.
pub(crate) fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(
        "86{:07}{:04}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// The processes, living or not waited for, whose command line has `needle` in it.
pub(crate) fn processes_with(needle: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok())
        .filter_map(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(needle).then(|| format!("{pid}: {line}"))
        })
        .collect()
}

/// Like [`processes_with`], but after a moment if necessary, since a killed process takes a while to
/// disappear.
pub(crate) fn survivors(needle: &str) -> Vec<String> {
    for _ in 0..50 {
        if processes_with(needle).is_empty() {
            return Vec::new();
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    processes_with(needle)
}
