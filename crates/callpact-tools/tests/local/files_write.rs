//! Writing: section 1.9, the faults of section 1.11, and what stays of the old file.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::thread;

use callpact_tools::engine::files::{FileError, WriteLimits, WriteMode};

use crate::support::Scene;

#[test]
fn the_answers_of_section_1_9() {
    let scene = Scene::new();
    let says = |path: &str| {
        scene
            .write(path, "new")
            .map_or_else(|e| e.to_string(), |w| w.to_string())
    };
    for (path, answer) in [
        ("a.txt", "Successfully wrote to: a.txt"),
        ("x/y/z.txt", "Successfully wrote to: x/y/z.txt"),
        ("in.txt", "Successfully wrote to: in.txt"),
        ("", "Path must not be blank"),
        ("  ", "Path must not be blank"),
        (
            "../a.txt",
            "Access denied: path is outside the sandbox directory",
        ),
        (
            "a\0",
            "Access denied: path is outside the sandbox directory",
        ),
        ("sub", "Not a regular file: sub"),
        ("in.txt/below", "Failed to write file: not a directory"),
    ] {
        assert_eq!(says(path), answer, "{path:?}");
    }
    assert_eq!(
        fs::read_to_string(scene.base.join("x/y/z.txt")).unwrap(),
        "new"
    );
    let absolute = scene.base.join("abs.txt");
    assert!(says(absolute.to_str().unwrap()).starts_with("Successfully wrote to: /"));
    assert_eq!(fs::read_to_string(absolute).unwrap(), "new");
}

#[test]
fn never_follows_dangling_or_valid_links() {
    let scene = Scene::new();
    let before = scene.outside_state();
    for (i, target) in [
        "../outside/secret.txt",
        "../outside/new.txt",
        "in.txt",
        "nowhere",
    ]
    .iter()
    .enumerate()
    {
        let name = format!("link{i}");
        symlink(target, scene.base.join(&name)).unwrap();
        symlink(scene.outside.join("x"), scene.base.join(format!("abs{i}"))).unwrap();
        for mode in [
            WriteMode::Overwrite,
            WriteMode::Append,
            WriteMode::CreateNew,
        ] {
            let error = scene.write_as(&name, "PWNED", mode).unwrap_err();
            assert_eq!(
                error.to_string(),
                "Access denied: path is a symbolic link",
                "{target}"
            );
            assert_eq!(
                scene
                    .write_as(&format!("abs{i}"), "PWNED", mode)
                    .unwrap_err(),
                error
            );
        }
        assert!(scene.base.join(&name).is_symlink());
    }
    assert_eq!(scene.outside_state(), before);
    assert_eq!(
        fs::read_to_string(scene.base.join("in.txt")).unwrap(),
        "inside\n"
    );
}

#[test]
fn a_linked_directory_inside_is_fine() {
    let scene = Scene::new();
    symlink("sub", scene.base.join("dir")).unwrap();
    symlink("missing", scene.base.join("broken")).unwrap();
    scene.write("dir/new/f", "x").unwrap();
    assert_eq!(
        fs::read_to_string(scene.base.join("sub/new/f")).unwrap(),
        "x"
    );
    assert!(scene.write("broken/f", "x").is_err());
    assert!(!scene.base.join("missing").exists());
}

#[test]
fn a_path_of_a_directory_names_no_file() {
    let scene = Scene::new();
    for path in [
        "new/",
        "sub/new//",
        "sub/",
        "new/.",
        "sub/new/x/..",
        "in.txt/.",
        "in.txt/./.",
    ] {
        assert!(scene.read(path).is_err(), "{path}");
        for mode in [
            WriteMode::Overwrite,
            WriteMode::Append,
            WriteMode::CreateNew,
        ] {
            assert_eq!(
                scene.write_as(path, "x", mode).unwrap_err().to_string(),
                format!("Not a regular file: {path}")
            );
        }
    }
    assert!(!scene.base.join("new").exists() && !scene.base.join("sub/new").exists());
}

#[test]
fn a_hard_link_to_the_outside_is_cut() {
    let scene = Scene::new();
    let before = scene.outside_state();
    fs::hard_link(scene.outside.join("secret.txt"), scene.base.join("hard")).unwrap();
    for mode in [WriteMode::Overwrite, WriteMode::Append] {
        scene.write_as("hard", "PWNED", mode).unwrap();
    }
    assert_eq!(scene.outside_state(), before);
}

#[cfg(target_os = "linux")]
#[test]
fn rejects_write_to_running_program_with_reason() {
    let scene = Scene::new();
    let program = scene.base.join("busy");
    fs::copy("/bin/sleep", &program).unwrap();
    let before = fs::read(&program).unwrap();
    let mut running = std::process::Command::new(&program)
        .arg("60")
        .spawn()
        .unwrap();
    // Some kernels let it be written; then there is nothing to refuse.
    let refused = fs::OpenOptions::new().write(true).open(&program).is_err();
    let written = scene.write("busy", "x");
    running.kill().unwrap();
    running.wait().unwrap();
    if refused {
        let error = written.unwrap_err().to_string();
        assert!(error.contains("busy") && !error.contains("link"), "{error}");
        assert_eq!(fs::read(&program).unwrap(), before);
    } else {
        written.unwrap();
    }
}

#[test]
fn modes_do_what_they_say() {
    let scene = Scene::new();
    let read = |name: &str| fs::read_to_string(scene.base.join(name)).unwrap();
    let new = scene.write_as("new", "a", WriteMode::CreateNew).unwrap();
    assert!(new.created);
    assert_eq!(
        scene
            .write_as("new", "b", WriteMode::CreateNew)
            .unwrap_err()
            .to_string(),
        "Failed to write file: already exists: new"
    );
    assert_eq!(read("new"), "a");
    let more = scene.write_as("new", "bc", WriteMode::Append).unwrap();
    assert_eq!((more.size, more.created), (3, false));
    assert_eq!(read("new"), "abc");
    scene.write_as("fresh", "x", WriteMode::Append).unwrap();
    assert_eq!(read("fresh"), "x");
    scene.write("new", "").unwrap();
    assert_eq!(read("new"), "");
    let left: Vec<_> = fs::read_dir(&scene.base)
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(left.len(), 4, "no temporary files: {left:?}");
}

#[test]
fn permissions_stay() {
    let scene = Scene::new();
    let path = scene.base.join("in.txt");
    for mode in [0o600, 0o640, 0o755] {
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        scene.write("in.txt", "x").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode);
    }
    fs::set_permissions(&path, Permissions::from_mode(0o4755)).unwrap();
    scene.write("in.txt", "x").unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().mode() & 0o7777,
        0o755,
        "what a model wrote is not set-user-id"
    );
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&path, Some(1234), Some(1235)).unwrap();
        scene.write("in.txt", "y").unwrap();
        let meta = fs::metadata(&path).unwrap();
        assert_eq!((meta.uid(), meta.gid()), (1234, 1235));
    } else {
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        assert_eq!(
            scene.write("in.txt", "y").unwrap_err().to_string(),
            "Failed to write file: permission denied"
        );
    }
}

#[test]
fn size_is_bounded_also_when_appending() {
    let scene = Scene::new();
    let limit = WriteLimits::bytes(10);
    let write = |content: &str, mode| scene.sandbox.write("f", content, mode, limit);
    assert!(write("0123456789", WriteMode::Overwrite).is_ok());
    assert_eq!(
        write("x", WriteMode::Append).unwrap_err(),
        FileError::TooMuchToWrite {
            size: 11,
            limit: 10
        }
    );
    assert_eq!(
        write("0123456789x", WriteMode::Overwrite).unwrap_err(),
        FileError::TooMuchToWrite {
            size: 11,
            limit: 10
        }
    );
    assert_eq!(
        fs::read_to_string(scene.base.join("f")).unwrap(),
        "0123456789"
    );
}

#[test]
fn parallel_appends_lose_nothing() {
    let scene = Scene::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    scene.write_as("log", "x\n", WriteMode::Append).unwrap();
                }
            });
        }
    });
    assert_eq!(
        fs::read_to_string(scene.base.join("log")).unwrap(),
        "x\n".repeat(200)
    );
}

/// Each separate sandbox stands for a process: only the file is shared.
#[test]
fn appends_of_several_programs_all_arrive() {
    let scene = Scene::new();
    let text = |who: usize, n: usize| format!("{who}.{n} {}\n", "x".repeat(300));
    thread::scope(|scope| {
        for who in 0..4 {
            let sandbox = callpact_tools::engine::files::Sandbox::open(&scene.base).unwrap();
            scope.spawn(move || {
                for n in 0..50 {
                    let limits = WriteLimits::default();
                    // The first one makes the file, and its directory.
                    sandbox
                        .write("logs/all", &text(who, n), WriteMode::Append, limits)
                        .unwrap();
                }
            });
        }
    });
    let all = fs::read_to_string(scene.base.join("logs/all")).unwrap();
    assert_eq!(all.lines().count(), 200);
    for who in 0..4 {
        let own: String = all
            .split_inclusive('\n')
            .filter(|line| line.starts_with(&format!("{who}.")))
            .collect();
        let expected: String = (0..50).map(|n| text(who, n)).collect();
        assert_eq!(own, expected, "whole, and in order");
    }
}

#[test]
fn what_is_appended_is_not_set_user_id() {
    let scene = Scene::new();
    let path = scene.base.join("in.txt");
    fs::set_permissions(&path, Permissions::from_mode(0o6755)).unwrap();
    scene.write_as("in.txt", "more", WriteMode::Append).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o755);
    assert_eq!(fs::read_to_string(&path).unwrap(), "inside\nmore");
}

#[test]
fn only_one_of_many_creates() {
    let scene = Scene::new();
    for round in 0..40 {
        let name = format!("one{round}");
        let created: usize = thread::scope(|scope| {
            let make = |i: usize| {
                let sandbox = callpact_tools::engine::files::Sandbox::open(&scene.base).unwrap();
                let name = &name;
                scope.spawn(move || {
                    let text = format!("by {i}");
                    let limits = WriteLimits::default();
                    match sandbox.write(name, &text, WriteMode::CreateNew, limits) {
                        Ok(_) => 1,
                        Err(FileError::Exists { .. }) => 0,
                        Err(other) => panic!("{other}"),
                    }
                })
            };
            let threads: Vec<_> = (0..4).map(make).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(created, 1);
    }
}

#[test]
fn an_open_directory_can_be_run_in() {
    let scene = Scene::new();
    assert!(scene.sandbox.open_directory("sub/deep").is_ok());
    assert!(scene.sandbox.open_directory(".").is_ok());
    assert_eq!(
        scene
            .sandbox
            .open_directory("in.txt")
            .unwrap_err()
            .to_string(),
        "Not a directory: in.txt"
    );
    assert_eq!(
        scene.sandbox.open_directory("..").unwrap_err(),
        FileError::Outside
    );
}

#[test]
fn checks_path_before_touching_files() {
    let scene = Scene::new();
    let check = |path: &str| scene.sandbox.check(path);
    assert_eq!(check("new/deep/file.txt"), Ok(()));
    assert_eq!(check("../a.txt"), Err(FileError::Outside));
    assert_eq!(check(" "), Err(FileError::BlankPath));
    assert!(!scene.base.join("new").exists());
}

#[test]
fn concurrent_writers_share_new_directory() {
    for _ in 0..30 {
        let scene = Scene::new();
        thread::scope(|scope| {
            for name in ["a", "b", "c", "d"] {
                let sandbox = callpact_tools::engine::files::Sandbox::open(&scene.base).unwrap();
                scope.spawn(move || {
                    let path = format!("p/q/r/s/{name}");
                    sandbox
                        .write(&path, "x", WriteMode::CreateNew, WriteLimits::default())
                        .unwrap();
                });
            }
        });
        assert_eq!(fs::read_dir(scene.base.join("p/q/r/s")).unwrap().count(), 4);
    }
}
