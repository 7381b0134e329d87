//! A PID namespace around a process, made by the system's `unshare` and `nsenter`.
//!
//! The command line turns into these programs, one after the other:
//!
//! 1. `unshare` asks for a PID namespace for its children. A user without the right to do so gets it in
//!    a user namespace.
//! 2. A shell starts the first process of the namespace, which only sleeps and leaves no zombies. It
//!    stays in the process group, so the signal that kills the group kills it, and the kernel then kills
//!    everything in the namespace. It also ends with step 3, if the system's `setpriv` supports that: if
//!    this program were killed, nobody else would end it.
//! 3. `nsenter` starts the command inside and stays outside: it passes on the command's exit
//!    status.
//! 4. Inside, `unshare` mounts a procfs of the namespace. Then it gives up the right to undo that: root
//!    drops two capabilities, and any other user moves to another user namespace, as the same user.
//!
//! The command is not the first process, because a first process ignores most signals.

use std::ffi::OsString;

use rustix::process::{getegid, geteuid};

use super::programs::{env_without, find_program, runs};

/// Starts the sleeping first process, which ends with this one, then becomes `nsenter`.
const SCRIPT: &str = r#""$1" --pdeathsig KILL "$2" --ignore-signal=CHLD "$3" 2147483647 <&- >&- 2>&- & shift 3; exec "$@""#;

/// Does the same, but the first process does not end with this one.
const LASTING: &str =
    r#""$2" --ignore-signal=CHLD "$3" 2147483647 <&- >&- 2>&- & shift 3; exec "$@""#;

/// Prints `inside` if the first process is not the parent and procfs shows few processes.
const TRIAL: &str =
    "set -- /proc/[0-9]*; [ $PPID = 0 ] && [ $$ != 1 ] && [ $# -le 3 ] && echo inside";

pub(crate) struct ProcessNamespace {
    /// The words before the command.
    start: Vec<OsString>,
    env: OsString,
    sh: OsString,
}

impl ProcessNamespace {
    /// The programs that make a namespace, if a trial succeeds.
    pub(super) fn probe() -> Option<Self> {
        let setpriv = find_program("setpriv");
        let dying = setpriv.clone().and_then(|it| Self::with(SCRIPT, it));
        dying.or_else(|| Self::with(LASTING, setpriv.unwrap_or_default()))
    }

    fn with(script: &str, setpriv: OsString) -> Option<Self> {
        let unshare = find_program("unshare")?;
        let env = find_program("env")?;
        let sh = find_program("sh")?;
        let root = geteuid().is_root();
        let mut start = vec![unshare.clone()];
        if !root {
            start.extend(["--user", "--map-root-user"].map(OsString::from));
        }
        start.extend(["--pid", "--"].map(OsString::from));
        start.extend([sh.clone(), "-c".into(), script.into(), "sh".into()]);
        start.extend([setpriv.clone(), env.clone(), find_program("sleep")?]);
        start.extend([
            find_program("nsenter")?,
            "--pid=/proc/self/ns/pid_for_children".into(),
            "--".into(),
        ]);
        start.extend([unshare.clone(), "--mount-proc".into(), "--".into()]);
        if root {
            let lost = "-sys_admin,-sys_ptrace";
            start.push(setpriv);
            start.extend(["--bounding-set", lost, "--inh-caps", lost, "--"].map(OsString::from));
        } else {
            let (user, group) = (geteuid().as_raw(), getegid().as_raw());
            start.extend([
                unshare,
                "--user".into(),
                format!("--map-user={user}").into(),
                format!("--map-group={group}").into(),
                "--".into(),
            ]);
        }
        let found = Self { start, env, sh };
        let trial = [found.sh.clone(), "-c".into(), TRIAL.into()];
        runs(&found.wrap(trial.to_vec(), &[]), "inside").then_some(found)
    }

    pub(super) fn wrap(&self, command: Vec<OsString>, added: &[OsString]) -> Vec<OsString> {
        let mut line = self.start.clone();
        line.extend(env_without(&self.env, added));
        line.extend(command);
        line
    }
}
