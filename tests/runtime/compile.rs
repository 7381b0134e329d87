//! The dependencies of the default build of the runtime.

use std::{collections::BTreeSet, process::Command};

#[test]
fn the_default_tree_has_at_most_28_crates() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--offline",
            "--locked",
            "-p",
            "callpact",
            "-e",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let crates: BTreeSet<String> = text
        .lines()
        .map(|line| {
            line.split_whitespace()
                .take(2)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    println!("{} crates: {crates:?}", crates.len());
    assert!(crates.iter().any(|name| name.starts_with("callpact ")));
    assert!(crates.len() <= 28, "{} crates: {crates:?}", crates.len());
}
