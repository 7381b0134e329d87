//! Runs every example and compares its output with `expected/NAME.txt`.
//!
//! `UPDATE_EXPECT=1 cargo test -p callpact-examples` rewrites those files.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::SystemTime,
};

use expect_test::expect_file;

/// Files beside the examples that are not examples, and examples that another test runs.
const NOT_HERE: [&str; 3] = ["lib", "rig_agent", "start"];

macro_rules! examples {
    ($($name:ident),* $(,)?) => {
        const HERE: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                prints_what_is_expected(stringify!($name));
            }
        )*
    };
}

examples! {
    agent_loop,
    approvals,
    approvals_channel,
    custom_type,
    functions,
    mcp_server,
    pipeline,
    quickstart,
    release_manager,
    repair,
    secrets,
    streaming,
    streaming_hosts,
    testing_a_tool,
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn prints_what_is_expected(name: &str) {
    let output = Command::new(built(name))
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .output()
        .expect("the example starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{error}", output.status);
    assert_eq!(error, "", "an example says nothing on standard error");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!printed.is_empty(), "an example prints something");
    let expected = here().join("expected").join(name).with_extension("txt");
    expect_file![expected].assert_eq(&printed);
}

/// The path of an example's program. Cargo builds examples before it runs the tests of this
/// package.
fn built(name: &str) -> PathBuf {
    // Cargo gives the path of a binary but not of an example, which is in the folder beside it.
    let file = Path::new(env!("CARGO_BIN_EXE_start"))
        .with_file_name("examples")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    // With `--test examples` cargo builds no examples, and an old one would prove nothing.
    assert!(
        is_fresh(&file).unwrap_or(false),
        "{} is not there or older than its sources: run `cargo build -p callpact-examples --examples`, \
         or `cargo test -p callpact-examples` without `--test`",
        file.display()
    );
    file
}

/// Whether a program is newer than the sources that cargo lists for it.
fn is_fresh(program: &Path) -> io::Result<bool> {
    let built = fs::metadata(program)?.modified()?;
    let rule = fs::read_to_string(program.with_extension("d"))?;
    let newer = |source: &str| {
        let changed = fs::metadata(source).and_then(|metadata| metadata.modified());
        changed.unwrap_or_else(|_| SystemTime::now()) > built
    };
    let (_, sources) = rule.split_once(": ").ok_or(io::ErrorKind::InvalidData)?;
    // A space inside a path is escaped.
    let sources = sources.trim_end().replace("\\ ", "\0");
    let stale = sources
        .split(' ')
        .any(|source| newer(&source.replace('\0', " ")));
    Ok(!stale)
}

/// The names of the files with an extension, without the extension.
fn names(folder: &Path, extension: &str) -> BTreeSet<String> {
    fs::read_dir(folder)
        .expect("the folder is read")
        .map(|entry| entry.expect("the entry is read").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

#[test]
fn no_example_is_forgotten() {
    let run: BTreeSet<String> = HERE.iter().map(ToString::to_string).collect();
    let mut programs = names(here(), "rs");
    for name in NOT_HERE {
        programs.remove(name);
    }
    assert_eq!(programs, run, "what is in the folder, and what is run here");
    let expected = names(&here().join("expected"), "txt");
    assert_eq!(
        expected, run,
        "what is in `expected/`, and what is run here"
    );
    let manifest = fs::read_to_string(here().join("Cargo.toml")).expect("the manifest is read");
    for name in &run {
        assert!(
            manifest.contains(&format!("[[example]]\nname = \"{name}\"\n")),
            "{name} is not in Cargo.toml"
        );
    }
}
