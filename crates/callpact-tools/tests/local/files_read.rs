//! Reading: section 1.9, line ranges, and files that are none.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use callpact_tools::engine::files::{FileError, LineRange, ReadLimits, Sandbox};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::Scene;

fn says(scene: &Scene, path: &str) -> String {
    match scene.read(path) {
        Ok(text) => text.text,
        Err(e) => e.to_string(),
    }
}

#[test]
fn the_answers_of_section_1_9() {
    let scene = Scene::new();
    fs::write(scene.base.join("bad.txt"), b"ab\xffcd").unwrap();
    for (path, answer) in [
        ("in.txt", "inside\n"),
        ("sub/../in.txt", "inside\n"),
        ("./sub//in.txt", "inside sub\n"),
        ("", "File path must not be blank"),
        (" \t\n", "File path must not be blank"),
        (
            "../outside/secret.txt",
            "Access denied: path is outside the sandbox directory",
        ),
        (
            "in.txt\0",
            "Access denied: path is outside the sandbox directory",
        ),
        ("nothing.txt", "File not found: nothing.txt"),
        ("in.txt/x", "File not found: in.txt/x"),
        ("in.txt/.", "Not a regular file: in.txt/."),
        ("in.txt/x/..", "Not a regular file: in.txt/x/.."),
        ("sub", "Not a regular file: sub"),
        (".", "Not a regular file: ."),
        (
            "bad.txt",
            "Failed to read file: not UTF-8 text (first wrong byte at 2 of 5); binary content is not shown",
        ),
    ] {
        assert_eq!(says(&scene, path), answer, "{path:?}");
    }
    let absolute = scene.base.join("in.txt");
    assert_eq!(says(&scene, absolute.to_str().unwrap()), "inside\n");
}

#[test]
fn a_sandbox_needs_a_directory() {
    let scene = Scene::new();
    for path in [scene.base.join("nothing"), scene.base.join("in.txt")] {
        let error = Sandbox::open(&path).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "baseDir must be an existing directory: {}",
                path.display()
            )),
            "{error}"
        );
    }
}

#[test]
fn absolute_path_accepts_both_spellings_of_base() {
    let scene = Scene::new();
    let link = scene.root.path().join("link");
    symlink(&scene.base, &link).unwrap();
    let sandbox = Sandbox::open(&link).unwrap();
    for base in [&link, &scene.base] {
        let path = base.join("in.txt");
        assert_eq!(
            sandbox
                .read(path.to_str().unwrap(), None, ReadLimits::default())
                .unwrap()
                .text,
            "inside\n"
        );
    }
}

#[test]
fn links_inside_are_followed_for_reading() {
    let scene = Scene::new();
    symlink("../in.txt", scene.base.join("sub/up")).unwrap();
    assert_eq!(says(&scene, "sub/up"), "inside\n");
}

#[test]
fn reports_circular_link() {
    let scene = Scene::new();
    symlink("loop", scene.base.join("loop")).unwrap();
    assert_eq!(
        says(&scene, "loop"),
        "Failed to read file: the symbolic links of the path lead in a circle, or are too many"
    );
}

#[test]
fn reports_too_long_name() {
    let scene = Scene::new();
    let long = "x".repeat(300);
    assert_eq!(
        scene.read(&long).unwrap_err().to_string(),
        "Failed to read file: a name in the path is too long"
    );
    assert_eq!(
        scene.write(&long, "text").unwrap_err().to_string(),
        "Failed to write file: a name in the path is too long"
    );
}

#[test]
fn special_files_are_refused_at_once() {
    let scene = Scene::new();
    mknodat(
        CWD,
        scene.base.join("fifo"),
        FileType::Fifo,
        Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let _socket = UnixListener::bind(scene.base.join("socket")).unwrap();
    symlink("/dev/zero", scene.base.join("zero")).unwrap();
    let start = Instant::now();
    for path in ["fifo", "socket", "sub"] {
        assert_eq!(says(&scene, path), format!("Not a regular file: {path}"));
        let written = scene.write(path, "x").unwrap_err().to_string();
        assert_eq!(written, format!("Not a regular file: {path}"));
    }
    assert_eq!(
        says(&scene, "zero"),
        "Access denied: path is outside the sandbox directory"
    );
    assert_eq!(scene.write("zero", "x").unwrap_err(), FileError::Link);
    // A device inside, if the system lets us make one.
    let device = scene.base.join("device");
    if mknodat(
        CWD,
        &device,
        FileType::CharacterDevice,
        Mode::from_raw_mode(0o600),
        rustix::fs::makedev(1, 5),
    )
    .is_ok()
    {
        let answer = says(&scene, "device");
        assert!(
            answer == "Not a regular file: device" || answer.starts_with("Failed to read file"),
            "{answer}"
        );
    }
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn huge_files_cost_nothing() {
    let scene = Scene::new();
    let huge = File::create(scene.base.join("huge")).unwrap();
    huge.set_len(10 << 30).unwrap();
    let start = Instant::now();
    let error = scene.read("huge").unwrap_err();
    assert_eq!(
        error,
        FileError::TooLarge {
            path: "huge".into(),
            size: 10 << 30,
            limit: 1 << 20
        }
    );
    assert!(error.to_string().ends_with("ask for a range of lines"));
    // One endless line, then one that is looked for behind it.
    assert_eq!(
        scene.lines("huge", 1, None).unwrap_err().to_string(),
        "Failed to read file: line 1 of huge alone has more than the 1048576 bytes that are allowed; \
         no part of a line can be read"
    );
    assert_eq!(
        scene.lines("huge", 2, None).unwrap_err().to_string(),
        "Failed to read file: the lines end beyond the first 67108864 bytes of huge, and no more are \
         looked through"
    );
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn the_limit_is_exact() {
    let scene = Scene::new();
    fs::write(scene.base.join("ten"), "0123456789").unwrap();
    let read = |bytes| scene.sandbox.read("ten", None, ReadLimits::bytes(bytes));
    assert_eq!(read(10).unwrap().size, 10);
    assert!(matches!(
        read(9),
        Err(FileError::TooLarge {
            size: 10,
            limit: 9,
            ..
        })
    ));
    let line = |bytes| {
        scene
            .sandbox
            .read("ten", Some(LineRange::new(1, 1)), ReadLimits::bytes(bytes))
    };
    assert_eq!(line(10).unwrap().text, "0123456789");
    assert!(line(9).is_err());
    let scan = |bytes| {
        let mut limits = ReadLimits::bytes(1000);
        limits.max_scan = bytes;
        scene
            .sandbox
            .read("ten", Some(LineRange::new(1, 1)), limits)
    };
    assert_eq!(scan(10).unwrap().text, "0123456789");
    assert!(matches!(
        scan(9),
        Err(FileError::LinesTooFar { limit: 9, .. })
    ));
}

#[test]
fn lines_over_the_limit_are_named() {
    let scene = Scene::new();
    fs::write(scene.base.join("l"), "ab\ncd\nef\nghijklmnop\n").unwrap();
    let lines = |first, last: Option<u64>| {
        let range = Some(LineRange::new(first, last));
        scene.sandbox.read("l", range, ReadLimits::bytes(7))
    };
    assert_eq!(lines(1, Some(2)).unwrap().text, "ab\ncd\n");
    assert_eq!(
        lines(1, None).unwrap_err().to_string(),
        "Failed to read file: lines 1 to 3 of l have more than the 7 bytes that are allowed; ask for \
         fewer lines"
    );
    assert_eq!(
        lines(4, None).unwrap_err().to_string(),
        "Failed to read file: line 4 of l alone has more than the 7 bytes that are allowed; no part of \
         a line can be read"
    );
}

#[test]
fn lines_are_whole_and_counted_from_one() {
    let scene = Scene::new();
    fs::write(scene.base.join("l"), "one\r\ntwo\n\nfour").unwrap();
    fs::write(scene.base.join("empty"), "").unwrap();
    let text = |first, last| {
        scene
            .lines("l", first, last)
            .map(|t| (t.text, t.lines.unwrap()))
            .map_err(|e| e.to_string())
    };
    assert_eq!(text(1, Some(1)), Ok(("one\r\n".into(), 1)));
    assert_eq!(text(2, Some(3)), Ok(("two\n\n".into(), 2)));
    assert_eq!(text(3, None), Ok(("\nfour".into(), 2)));
    assert_eq!(text(4, Some(99)), Ok(("four".into(), 1)));
    assert_eq!(
        text(5, None),
        Err("Failed to read file: line 5 is past the end, the file has 4 lines".into())
    );
    assert!(text(0, None).unwrap_err().contains("counted from 1"));
    assert!(text(3, Some(2)).unwrap_err().contains("counted from 1"));
    assert_eq!(scene.lines("empty", 1, None).unwrap().text, "");
    assert!(matches!(
        scene.lines("empty", 2, None),
        Err(FileError::Lines {
            first: 2,
            total: Some(0)
        })
    ));
    // A part of a file that is not text elsewhere.
    fs::write(scene.base.join("mixed"), b"text\n\xff\xfe\n").unwrap();
    assert_eq!(scene.lines("mixed", 1, Some(1)).unwrap().text, "text\n");
    assert_eq!(
        scene.lines("mixed", 2, None).unwrap_err(),
        FileError::NotText { at: 5, size: 8 }
    );
}

#[test]
fn messages_are_short_and_plain() {
    let scene = Scene::new();
    let long = format!("{}\u{202e}", "é".repeat(2_000));
    assert!(says(&scene, &long[..4000]).len() < 500);
    let hidden = says(&scene, "a\u{202e}b");
    assert_eq!(hidden, "File not found: a\\u{202e}b");
    assert!(says(&scene, &"a/".repeat(100)).contains("more than 64 parts"));
    assert!(says(&scene, &"a".repeat(5_000)).contains("longer than 4096 bytes"));
}
