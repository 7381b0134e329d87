//! New crates build and pass their tests.

use std::{path::Path, process::Command};

use serde_json::Value;

use crate::{Tested, err, out, run};

#[test]
fn each_kind_of_crate_passes_its_tests() -> Tested {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = std::fs::canonicalize(root)?;
    let dir = tempfile::tempdir()?;
    let checkout = root.display().to_string();
    for kind in ["tools", "mcp", "worker"] {
        let name = format!("new-{kind}");
        let made = run(
            dir.path(),
            &["new", &name, "--kind", kind, "--path", &checkout, "--json"],
        )?;
        assert_eq!(made.status.code(), Some(0), "{}", err(&made));
        let made: Value = serde_json::from_str(&out(&made))?;
        assert_eq!(made["name"], name);
    }
    // One workspace, so that the crates that they use are built once. The versions are those of this repository.
    let members =
        "[workspace]\nresolver = \"3\"\nmembers = [\"new-*\"]\n[profile.dev]\ndebug = false\n";
    std::fs::write(dir.path().join("Cargo.toml"), members)?;
    std::fs::copy(root.join("Cargo.lock"), dir.path().join("Cargo.lock"))?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let tested = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--workspace"])
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", target.join("new"))
        .output()?;
    assert!(tested.status.success(), "{}{}", out(&tested), err(&tested));
    let shown = out(&tested);
    for test in [
        "adds_prices ... ok",
        "a_host_lists_and_calls_the_tools ... ok",
        "a_worker_without_a_server_fails ... ok",
    ] {
        assert!(shown.contains(test), "{shown}");
    }
    Ok(())
}

#[test]
fn a_crate_of_published_crates_names_their_version() -> Tested {
    let dir = tempfile::tempdir()?;
    let made = run(dir.path(), &["new", "a/bills"])?;
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let manifest = std::fs::read_to_string(dir.path().join("a/bills/Cargo.toml"))?;
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        manifest.contains(&format!("callpact = \"{version}\"")),
        "{manifest}"
    );
    assert!(manifest.contains("name = \"bills\""), "{manifest}");
    Ok(())
}

#[test]
fn rejects_existing_targets_and_odd_names() -> Tested {
    let dir = tempfile::tempdir()?;
    std::fs::create_dir(dir.path().join("full"))?;
    std::fs::write(dir.path().join("full/a"), "x")?;
    std::fs::write(dir.path().join("file"), "x")?;
    for (arguments, code, words) in [
        (&["new", "full"][..], 1, "it is not empty"),
        (&["new", "file"], 1, "file: "),
        (&["new", "1st"], 2, "the name of the crate"),
        (&["new", "a b"], 2, "the name of the crate"),
        (&["new", "tokio"], 2, "the name of the crate"),
        (&["new", ".."], 2, "the name of the crate"),
        (
            &["new", "good", "--path", "none"],
            1,
            "none: no checkout of Callpact",
        ),
    ] {
        let output = run(dir.path(), arguments)?;
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(
            err(&output).contains(words),
            "{arguments:?}: {}",
            err(&output)
        );
    }
    assert!(!dir.path().join("good").exists());
    assert_eq!(std::fs::read_dir(dir.path().join("full"))?.count(), 1);
    Ok(())
}
