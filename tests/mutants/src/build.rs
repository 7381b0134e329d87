//! Builds the tree with its mutants and removes those that do not compile.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde::Deserialize;

use crate::write::{Blame, Mutated};

#[derive(Deserialize)]
struct Line {
    reason: String,
    message: Option<Message>,
    executable: Option<PathBuf>,
    profile: Option<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    code: Option<Code>,
    rendered: Option<String>,
    spans: Vec<Place>,
    children: Vec<Message>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Place {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

pub(crate) type Places = HashMap<PathBuf, Vec<Mutated>>;

/// The mutants that the compiler refuses; empty if the build succeeds.
pub(crate) fn refused(
    root: &Path,
    check: &[String],
    places: &Places,
) -> Result<HashSet<usize>, String> {
    let lines = cargo(root, check)?;
    let mut refused = HashSet::new();
    let mut other = Vec::new();
    for message in lines.1.iter().filter_map(|line| line.message.as_ref()) {
        if message.level != "error" || message.spans.is_empty() {
            continue;
        }
        let mut found = of(root, message, places, true);
        if found.is_empty() {
            found = of(root, message, places, false);
        }
        if found.is_empty() {
            other.push(message.rendered.clone().unwrap_or_default());
        }
        refused.extend(found);
    }
    if refused.is_empty() && !lines.0 {
        return Err(format!(
            "the tree does not compile, for another reason:\n{}",
            other.join("\n")
        ));
    }
    Ok(refused)
}

fn of(root: &Path, message: &Message, places: &Places, primary: bool) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let incomplete = message
        .code
        .as_ref()
        .is_some_and(|code| code.code == "E0004");
    for span in message
        .spans
        .iter()
        .filter(|span| span.is_primary || !primary)
    {
        for mutated in places
            .get(&root.join(&span.file_name))
            .into_iter()
            .flatten()
        {
            let Range { start, end } = mutated.range;
            let meant = match mutated.blame {
                // The compiler marks exactly the expression of such a `match`.
                Blame::Incomplete => incomplete && span.byte_start == start && span.byte_end == end,
                Blame::Inside => !incomplete && span.byte_start < end && start < span.byte_end,
            };
            if meant {
                found.insert(mutated.id);
            }
        }
    }
    if !primary {
        for child in &message.children {
            found.extend(of(root, child, places, false));
        }
    }
    found
}

/// The test programs.
pub(crate) fn tests(root: &Path, args: &[String]) -> Result<Vec<PathBuf>, String> {
    let mut all: Vec<String> = ["test", "--no-run"].map(str::to_owned).to_vec();
    all.extend_from_slice(args);
    let (well, lines) = cargo(root, &all)?;
    if !well {
        let errors = lines
            .iter()
            .filter_map(|line| line.message.as_ref())
            .filter(|message| message.level == "error");
        let errors: Vec<_> = errors
            .filter_map(|message| message.rendered.clone())
            .collect();
        return Err(format!("the tests do not compile:\n{}", errors.join("\n")));
    }
    Ok(lines
        .into_iter()
        .filter(|line| line.reason == "compiler-artifact")
        // Programs that the tests start do not count.
        .filter(|line| line.profile.as_ref().is_some_and(|profile| profile.test))
        .filter_map(|line| line.executable)
        .collect())
}

fn cargo(root: &Path, args: &[String]) -> Result<(bool, Vec<Line>), String> {
    let output = Command::new("cargo")
        .args(args)
        .arg("--message-format=json")
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    Ok((output.status.success(), lines))
}
