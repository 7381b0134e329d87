//! What a boundary does not change, and what a process sees from inside.

use callpact_tools::engine::process::{Boundary, Outcome, ProcessSpec, run};

use crate::process::sh;

/// The boundaries of this machine.
fn boundaries() -> impl Iterator<Item = Boundary> {
    [Boundary::Group, Boundary::Cgroup, Boundary::Namespace]
        .into_iter()
        .filter(|boundary| boundary.is_available())
}

async fn output(boundary: Boundary, script: &str) -> Outcome {
    run(&sh(script).boundary(boundary)).await.unwrap()
}

/// Whether this process, and so every process that it starts, ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
    mask & (1 << (signal - 1)) != 0
}

#[tokio::test]
async fn codes_signals_and_output_pass_every_boundary() {
    for boundary in boundaries() {
        for code in [0, 1, 126, 127, 137, 143, 255] {
            let outcome = output(boundary, &format!("exit {code}")).await;
            let ending = (outcome.code, outcome.signal);
            assert_eq!(ending, (Some(code), None), "{boundary}");
            assert_eq!(outcome.stderr.text(), "", "{boundary}");
        }
        for signal in [1, 2, 6, 9, 15] {
            // A shell that starts the tests in the background ignores `INT` for them.
            if is_ignored(signal) {
                continue;
            }
            let outcome = output(boundary, &format!("kill -{signal} $$")).await;
            let ending = (outcome.code, outcome.signal);
            assert_eq!(ending, (None, Some(signal)), "{boundary}");
        }
        let spec = ProcessSpec::new(["cat"]).stdin("in").boundary(boundary);
        assert_eq!(run(&spec).await.unwrap().stdout.text(), "in", "{boundary}");
        let outcome = output(boundary, "echo out; echo err >&2").await;
        let written = (outcome.stdout.text(), outcome.stderr.text());
        assert_eq!(written, ("out\n".into(), "err\n".into()), "{boundary}");
    }
}

#[tokio::test]
async fn environment_user_and_directory_match_in_every_boundary() {
    let dir = tempfile::tempdir().unwrap();
    let script = "env | sort | grep -v ^CALLPACT_PROCESS; id -u; id -g; pwd; echo \"$0\" \"$@\"";
    let mut seen = Vec::new();
    for boundary in boundaries() {
        let argv = ["sh", "-c", script, "the name", "", "a b", "--", "*", "é\n"];
        let spec = ProcessSpec::new(argv)
            .env("A", "1 '\"\n2")
            .env("odd.name-1", "x")
            .cwd(dir.path())
            .boundary(boundary);
        let outcome = run(&spec).await.unwrap();
        assert!(outcome.success(), "{boundary}: {}", outcome.stderr.text());
        seen.push(outcome.stdout.text());
    }
    assert!(seen[0].contains("the name  a b -- * é\n"), "{}", seen[0]);
    for other in &seen {
        assert_eq!(*other, seen[0]);
    }
    // A shell drops the odd name; another program gets it.
    for boundary in boundaries() {
        let spec = ProcessSpec::new(["env"])
            .env("odd.name-1", "x")
            .boundary(boundary);
        let outcome = run(&spec).await.unwrap();
        assert!(
            outcome.stdout.text().contains("odd.name-1=x\n"),
            "{boundary}"
        );
    }
}

#[tokio::test]
async fn unrunnable_program_fails_in_every_boundary() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("text"), "no program").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(dir.path().join("text"), mode).unwrap();
    for boundary in boundaries() {
        for (program, why) in [
            (
                "no-such-program-here",
                "the program or its working directory was not found",
            ),
            (
                "./no-such-program",
                "the program or its working directory was not found",
            ),
            ("/", "permission denied"),
            ("./text", "not a program of this system"),
        ] {
            let spec = ProcessSpec::new([program])
                .cwd(dir.path())
                .boundary(boundary);
            let error = run(&spec).await.unwrap_err().to_string();
            assert_eq!(
                error,
                format!("Failed to start process: {why}"),
                "{boundary} {program}"
            );
        }
        let lost = sh("true").cwd(dir.path().join("none")).boundary(boundary);
        assert!(run(&lost).await.is_err(), "{boundary}");
    }
}

#[tokio::test]
async fn a_namespace_shows_no_process_but_its_own() {
    if !Boundary::Namespace.is_available() {
        return;
    }
    let show = "cat /proc/$PPID/environ /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'";
    // Cargo sets this one for every test, and no process inside gets it.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    for before in [
        "",
        "umount /proc 2>/dev/null; umount -l /proc 2>/dev/null; ",
    ] {
        let outcome = output(Boundary::Namespace, &format!("{before}{show}")).await;
        let text = outcome.stdout.text();
        assert!(text.contains("CALLPACT_PROCESS="), "{before}: {text}");
        assert!(!text.contains("CARGO_MANIFEST_DIR"), "{before}");
    }
    // With all rights in namespaces that it makes itself, if the system allows that.
    let lifted = format!("umount -l /proc; {show}");
    let spec = ProcessSpec::new(["unshare", "--map-root-user", "--mount", "sh", "-c", &lifted]);
    let outcome = run(&spec.boundary(Boundary::Namespace)).await.unwrap();
    assert!(!outcome.stdout.text().contains("CARGO_MANIFEST_DIR"));
    let outcome = output(
        Boundary::Namespace,
        "echo $PPID; ls -d /proc/[0-9]* | wc -l",
    )
    .await;
    let text = outcome.stdout.text();
    let mut lines = text.lines().map(|line| line.trim().parse::<u32>().unwrap());
    assert_eq!(lines.next(), Some(0), "the parent is outside");
    // The first process, the shell, `ls` and `wc`.
    assert!(lines.next().unwrap() <= 4, "{text}");
    // Without a namespace the program's own environment can be read.
    let outcome = output(Boundary::Group, &show.replace("[0-9]*", "self")).await;
    assert!(outcome.stdout.text().contains("CARGO_MANIFEST_DIR="));
}

#[tokio::test]
async fn root_loses_two_rights_only_in_namespace() {
    if !Boundary::Namespace.is_available() || !rustix::process::geteuid().is_root() {
        return;
    }
    let sys_ptrace_and_sys_admin = 1 << 19 | 1 << 21;
    let rights = async |boundary| {
        let outcome = output(boundary, "sed -n s/CapBnd://p /proc/self/status").await;
        u64::from_str_radix(outcome.stdout.text().trim(), 16).unwrap()
    };
    let all = rights(Boundary::Group).await;
    let left = rights(Boundary::Namespace).await;
    assert_eq!(left, all & !sys_ptrace_and_sys_admin);
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let own = own.lines().find_map(|line| line.strip_prefix("CapBnd:"));
    assert_eq!(all, u64::from_str_radix(own.unwrap().trim(), 16).unwrap());
}
