//! A control group around a process, which the kernel kills as a whole.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::programs::{env_without, find_program, runs};

/// Moves the shell into the control group, then becomes the command.
const SCRIPT: &str = r#"echo 0 >"$1/cgroup.procs" || exit 126; shift; exec "$@""#;

/// The most levels of control groups inside that of a command.
const MAX_DEPTH: usize = 16;

/// The control group of this process, if it may create others.
pub(super) struct ParentGroup {
    dir: PathBuf,
    sh: OsString,
    env: OsString,
}

/// A control group for one process. Dropping this removes it.
pub(crate) struct ControlGroup {
    dir: PathBuf,
    sh: OsString,
    env: OsString,
}

impl ParentGroup {
    /// The control group of this process, if a trial in it succeeds.
    pub(super) fn probe() -> Option<Self> {
        let found = Self {
            dir: own_group()?,
            sh: find_program("sh")?,
            env: find_program("env")?,
        };
        let trial = found.make().ok()?;
        let echo = [found.sh.clone(), "-c".into(), "echo inside".into()];
        let works = trial.dir.join("cgroup.kill").exists()
            && runs(&trial.wrap(echo.to_vec(), &[]), "inside");
        works.then_some(found)
    }

    /// Creates a control group that nobody else uses.
    pub(super) fn make(&self) -> io::Result<ControlGroup> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("callpact-{}-{number}", std::process::id());
        let dir = self.dir.join(name);
        match fs::create_dir(&dir) {
            // An earlier process with this number left it behind.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        Ok(ControlGroup {
            dir,
            sh: self.sh.clone(),
            env: self.env.clone(),
        })
    }
}

impl ControlGroup {
    pub(super) fn wrap(&self, command: Vec<OsString>, added: &[OsString]) -> Vec<OsString> {
        let dir = self.dir.clone().into_os_string();
        let mut line = vec![
            self.sh.clone(),
            "-c".into(),
            SCRIPT.into(),
            "sh".into(),
            dir,
        ];
        line.extend(env_without(&self.env, added));
        line.extend(command);
        line
    }

    /// Kills everything inside.
    pub(super) fn kill(&self) {
        let _ = fs::write(self.dir.join("cgroup.kill"), "1");
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        self.kill();
        for _ in 0..50 {
            if remove(&self.dir, MAX_DEPTH) {
                return;
            }
            // Dying takes a moment.
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Removes a control group with those inside it.
fn remove(dir: &Path, depth: usize) -> bool {
    if fs::remove_dir(dir).is_ok() || !dir.exists() {
        return true;
    }
    if depth > 0 {
        let inner = fs::read_dir(dir).into_iter().flatten().flatten();
        for entry in inner.filter(|entry| entry.path().is_dir()) {
            remove(&entry.path(), depth - 1);
        }
    }
    fs::remove_dir(dir).is_ok()
}

/// The path of this process's control group of version 2.
fn own_group() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let (root, mounted) = mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut fields = place.split(' ').skip(3);
        let (root, mounted) = (fields.next()?, fields.next()?);
        kind.starts_with("cgroup2 ").then_some((root, mounted))
    })?;
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let inside = Path::new(path).strip_prefix(root).ok()?;
    // The group lies outside the mounted part, as seen from inside a container.
    if inside.components().any(|part| part.as_os_str() == "..") {
        return None;
    }
    Some(Path::new(mounted).join(inside))
}
