//! The system's own programs that build a boundary.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// How long a trial may take on a busy machine.
const TRIAL: Duration = Duration::from_secs(10);
/// The directories of the system's programs. `PATH` is not used, since anybody may have changed it.
const PLACES: [&str; 5] = [
    "/usr/bin",
    "/bin",
    "/usr/sbin",
    "/sbin",
    "/run/current-system/sw/bin",
];

/// A program of the system.
pub(super) fn find_program(name: &str) -> Option<OsString> {
    let mut paths = PLACES.iter().map(|place| Path::new(place).join(name));
    paths
        .find(|path| path.is_file())
        .map(PathBuf::into_os_string)
}

/// The variables that `env` removes again, because a shell added them.
pub(super) fn env_without(env: &OsString, added: &[OsString]) -> Vec<OsString> {
    let mut line = vec![env.clone()];
    for name in added {
        line.extend(["-u".into(), name.clone()]);
    }
    line.push("--".into());
    line
}

/// Whether a command line ends with success and writes `expected`. Whatever it leaves running in its
/// process group is killed.
pub(super) fn runs(line: &[OsString], expected: &str) -> bool {
    let Some((program, arguments)) = line.split_first() else {
        return false;
    };
    let child = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("PATH", PLACES.join(":"))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    let Ok(mut child) = child else { return false };
    let Some(leader) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return false;
    };
    let end = Instant::now().checked_add(TRIAL);
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    while matches!(waitid(WaitId::Pid(leader), look), Ok(None))
        && end.is_some_and(|end| Instant::now() < end)
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    // It has not been waited for, so the number still means its group.
    let _ = kill_process_group(leader, Signal::KILL);
    let well = child.wait().is_ok_and(|status| status.success());
    let mut written = String::new();
    if let Some(stdout) = child.stdout.take() {
        let _ = stdout.take(1000).read_to_string(&mut written);
    }
    well && written.trim() == expected
}
