//! `callpact new`.

mod files;

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::{
    exit::{Code, Failure},
    screen::{Ink, Screen},
};
use files::NewProject;

/// Arguments of `new`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  callpact new bills
  callpact new bills --kind mcp
  callpact new bills --kind worker --path ../callpact

The crate builds and passes its tests as it is: `cargo test` in its directory.")]
pub struct NewArgs {
    /// The directory of the crate, whose name is that of the crate
    pub dir: PathBuf,
    /// What the crate is
    #[arg(long, value_enum, default_value_t = CrateKind::Tools)]
    pub kind: CrateKind,
    /// Use the crates of a checkout of Callpact in this directory, instead of published ones
    #[arg(long, value_name = "DIR")]
    pub path: Option<PathBuf>,
}

/// The kind of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum CrateKind {
    /// A library with tools
    Tools,
    /// A server for every host that speaks the Model Context Protocol
    Mcp,
    /// A worker that takes calls over NATS
    Worker,
}

/// Writes a new crate.
///
/// # Errors
/// If the name is not one of a crate, the directory is not empty, or it cannot be written.
pub fn run(args: &NewArgs, screen: &Screen) -> Result<Code, Failure> {
    let name = crate_name(&args.dir)?;
    let checkout = match &args.path {
        None => None,
        Some(path) => Some(find_checkout(path)?),
    };
    let project = NewProject {
        name: &name,
        kind: args.kind,
        checkout: checkout.as_deref(),
    };
    check_empty(&args.dir)?;
    let mut written = Vec::new();
    for (file, text) in project.files() {
        write(&args.dir.join(file), &text)?;
        written.push(file);
    }
    if screen.json() {
        screen.print_json(&json!({"name": name, "directory": args.dir, "files": written}));
    } else {
        let text = format!("{name} in {}; `cargo test` tests it", args.dir.display());
        screen.say(Ink::Green, "created", &text);
    }
    Ok(Code::Done)
}

/// The name of the crate: the last part of its directory.
fn crate_name(dir: &Path) -> Result<String, Failure> {
    let name = dir.file_name().and_then(|name| name.to_str());
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_name = |name: &&str| {
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
        begins && name.len() <= 64 && name.chars().all(is_part) && !TAKEN.contains(name)
    };
    name.filter(is_name).map(str::to_owned).ok_or_else(|| {
        Failure::invalid(
            "the last part of the directory is the name of the crate: letters, digits, `-` and `_`, and no word of \
             Rust or name of a crate that it uses",
        )
    })
}

/// Names that a crate cannot have: words of Rust, and the crates that it uses.
const TAKEN: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "callpact",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "tokio",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "core",
    "callpact-mcp",
    "callpact-nats",
    "callpact_mcp",
    "callpact_nats",
];

fn find_checkout(path: &Path) -> Result<PathBuf, Failure> {
    let shown = path.display();
    if !path.join("crates/callpact/Cargo.toml").is_file() {
        return Err(Failure::failed(format!("{shown}: no checkout of Callpact")));
    }
    fs::canonicalize(path).map_err(|error| Failure::failed(format!("{shown}: {error}")))
}

/// Fails if there is anything at a path but an empty directory.
fn check_empty(dir: &Path) -> Result<(), Failure> {
    let shown = dir.display();
    match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::failed(format!("{shown}: {error}"))),
        Ok(entries) => match entries.take(1).count() {
            0 => Ok(()),
            _ => Err(Failure::failed(format!("{shown}: it is not empty"))),
        },
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::failed(format!("{}: {error}", file.display()));
    if let Some(dir) = file.parent() {
        fs::create_dir_all(dir).map_err(failed)?;
    }
    fs::write(file, text).map_err(failed)
}
