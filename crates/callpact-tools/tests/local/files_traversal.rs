//! Paths that try to leave, made by combination.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

use callpact_tools::engine::files::WriteMode;

use crate::support::{CANARY, Scene};

/// Every way up, repeated, behind every beginning and before every goal.
fn payloads(scene: &Scene) -> BTreeSet<String> {
    let ups = [
        "../",
        "..\\",
        "..//",
        ".././",
        "..;/",
        "%2e%2e/",
        "%2e%2e%2f",
        "..%2f",
        "..%5c",
        "%252e%252e%252f",
        "..%c0%af",
        "..%u2215",
        "....//",
        "...//",
        ".. /",
        "../\\",
        "\u{ff0e}\u{ff0e}/",
        "..\u{2215}",
        "..\u{ff0f}",
    ];
    let beginnings = [
        "",
        "./",
        "sub/",
        "sub/deep/../",
        "/",
        "in.txt/",
        "missing/",
        "\\",
        "C:\\",
        "file://",
        "~/",
    ];
    let goals = [
        "secret.txt",
        "outside/secret.txt",
        "outside/new/deep/file.txt",
        "etc/passwd",
    ];
    let mut all = BTreeSet::new();
    for beginning in beginnings {
        for up in ups {
            for times in [1, 2, 3, 8] {
                for goal in goals {
                    all.insert(format!("{beginning}{}{goal}", up.repeat(times)));
                }
            }
        }
    }
    let base = scene.base.to_str().unwrap();
    let root = scene.root.path().to_str().unwrap();
    for goal in goals {
        all.extend([
            format!("{root}/{goal}"),
            format!("/{root}/{goal}"),
            format!("{base}/../{goal}"),
            format!("{base}/sub/../../{goal}"),
            format!("{base}2/../{goal}"),
            format!("../base/../{goal}"),
            format!("in.txt\0/../../{goal}"),
            format!("../{goal}\0.txt"),
            format!("../{goal}\n"),
            format!("\\\\?\\{root}\\{goal}"),
            format!("//localhost{root}/{goal}"),
            format!("/proc/self/root{root}/{goal}"),
            format!("/proc/self/cwd/../../../../../../../{root}/{goal}"),
            format!("/dev/fd/../../{root}/{goal}"),
            format!("nul/../../{goal}"),
            format!("in.txt::$DATA/../../{goal}"),
            // Links in the sandbox: absolute, relative, through another link, to a file, dangling.
            format!("abs/{goal}"),
            format!("rel/{goal}"),
            format!("sub/chain/{goal}"),
            format!("procroot{root}/{goal}"),
            format!("procself/{goal}"),
            format!("slash{root}/{goal}"),
            format!("dangling/{goal}"),
            format!("loop/{goal}"),
        ]);
    }
    let links = [
        "leaf",
        "leafrel",
        "leafnew",
        "leafnewrel",
        "abs",
        "rel",
        "dangling",
        "loop",
        "slash",
        "sub/chain",
        "zero",
    ];
    all.extend(links.map(str::to_owned));
    all.extend(links.map(|l| format!("{l}/.")));
    all.extend(links.map(|l| format!("./sub/../{l}//")));
    all
}

fn plant_links(scene: &Scene) {
    let root = scene.root.path();
    for (target, name) in [
        (root.to_path_buf(), "abs"),
        ("..".into(), "rel"),
        ("../rel".into(), "sub/chain"),
        ("/proc/self/root".into(), "procroot"),
        ("/proc/self/cwd".into(), "procself"),
        ("/".into(), "slash"),
        (root.join("outside/nowhere"), "dangling"),
        ("loop".into(), "loop"),
        (scene.outside.join("secret.txt"), "leaf"),
        ("../outside/secret.txt".into(), "leafrel"),
        (scene.outside.join("new.txt"), "leafnew"),
        ("../outside/new2.txt".into(), "leafnewrel"),
        ("/dev/zero".into(), "zero"),
    ] {
        symlink(target, scene.base.join(name)).unwrap();
    }
}

#[test]
fn no_payload_reads_the_canary() {
    let scene = Scene::new();
    plant_links(&scene);
    let payloads = payloads(&scene);
    assert!(payloads.len() >= 300, "{}", payloads.len());
    for payload in &payloads {
        for range in [None, Some((1, None)), Some((1, Some(1)))] {
            let read = match range {
                None => scene.read(payload),
                Some((first, last)) => scene.lines(payload, first, last),
            };
            match read {
                // A few shorten to a file inside, as `sub/deep/../in.txt` does.
                Ok(text) => assert!(!text.text.contains("CANARY"), "{payload:?}"),
                Err(e) => assert!(!e.to_string().contains("CANARY"), "{payload:?}"),
            }
        }
    }
    println!("{} payloads read", payloads.len());
}

#[test]
fn no_payload_writes_outside() {
    let scene = Scene::new();
    plant_links(&scene);
    let before = scene.outside_state();
    let payloads = payloads(&scene);
    let mut written = 0;
    for payload in &payloads {
        for mode in [
            WriteMode::Overwrite,
            WriteMode::Append,
            WriteMode::CreateNew,
        ] {
            written += usize::from(scene.write_as(payload, "PWNED", mode).is_ok());
        }
    }
    assert_eq!(scene.outside_state(), before);
    assert!(before.values().flatten().all(|text| text == CANARY));
    // Names such as `%2e%2e%2f` are ordinary ones, below the sandbox.
    println!("{} payloads, {written} writes inside", payloads.len());
}

#[test]
fn no_directory_is_made_before_the_check() {
    let scene = Scene::new();
    plant_links(&scene);
    for path in [
        "abs/made/deep/f",
        "rel/made/deep/f",
        "sub/chain/made/f",
        "slash/tmp/made/f",
    ] {
        let refused = scene.write(path, "x").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "Access denied: path is outside the sandbox directory",
            "{path}"
        );
    }
    assert!(!scene.root.path().join("made").exists());
    scene.write("../made/f", "x").unwrap_err();
    let big = callpact_tools::engine::files::WriteLimits::bytes(1);
    scene
        .sandbox
        .write("made/f", "xx", WriteMode::Overwrite, big)
        .unwrap_err();
    assert!(!scene.base.join("made").exists());
}

#[test]
fn the_text_does_not_tell_what_is_outside() {
    let scene = Scene::new();
    plant_links(&scene);
    let pairs = [
        ("../secret.txt", "../nothing.txt"),
        ("abs/secret.txt", "abs/nothing.txt"),
        ("rel/secret.txt", "rel/nothing.txt"),
        ("rel/outside/secret.txt", "rel/nowhere/nothing.txt"),
        ("rel/outside", "rel/nowhere"),
        ("sub/chain/secret.txt", "sub/chain/nothing.txt"),
        ("slash/etc/passwd", "slash/etc/nothing"),
        ("/etc/passwd", "/etc/nothing"),
        ("leaf", "leafnew"),
        ("leafrel", "leafnewrel"),
        ("leaf", "dangling"),
        ("../base/in.txt", "../bose/in.txt"),
    ];
    for (there, missing) in pairs {
        let (one, other) = (
            scene.read(there).unwrap_err(),
            scene.read(missing).unwrap_err(),
        );
        assert_eq!(
            one.to_string(),
            "Access denied: path is outside the sandbox directory",
            "{there}"
        );
        assert_eq!(one, other, "{there} and {missing}");
        for mode in [
            WriteMode::Overwrite,
            WriteMode::Append,
            WriteMode::CreateNew,
        ] {
            let one = scene.write_as(there, "x", mode).unwrap_err();
            let other = scene.write_as(missing, "x", mode).unwrap_err();
            assert_eq!(one, other, "{there} and {missing}");
        }
    }
}
