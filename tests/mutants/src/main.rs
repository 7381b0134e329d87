//! Runs the mutants that `cargo mutants --list --json` names, all in one build.
//!
//! cargo-mutants compiles once for each mutant, which takes hours for a crate whose tests take a
//! second. Here each mutant stands behind a switch that is set when a test starts. The tree
//! compiles once, and each mutant meets only the tests that visit it. Constants, and mutants that
//! change the type of a function, cannot be switched; their names go to a file for cargo-mutants
//! itself.
//!
//! It changes the sources in place, so run it in a worktree or a copy.

mod build;
mod listed;
mod run;
mod sites;
mod write;

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Mutex,
};

use listed::Mutant;
use run::{Outcome, Tests};
use sites::Site;

const HELP: &str = "\
usage: callpact-mutants TREE FOLDER LIST.json [--skip TEST]... [--again SURVIVORS] -- ARGS

TREE    a copy of the sources, which is changed
FOLDER  of the crate in the tree (crates/callpact)
LIST    what `cargo mutants --list --json` printed for files of that crate
--skip  tests whose name holds this are not run
--again only the mutants that are named in this file, a line each
ARGS    for `cargo test`: packages, features, targets";

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    tree: PathBuf,
    folder: String,
    mutants: Vec<Mutant>,
    skipped: Vec<String>,
    tests: Vec<String>,
}

fn options() -> Result<Options, String> {
    let mut args = std::env::args().skip(1);
    let (Some(tree), Some(folder), Some(list)) = (args.next(), args.next(), args.next()) else {
        return Err(HELP.to_owned());
    };
    let (mut skipped, mut again, mut tests) = (Vec::new(), None, Vec::new());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--skip" => skipped.extend(args.next()),
            "--again" => again = args.next(),
            "--" => tests.extend(args.by_ref()),
            _ => return Err(HELP.to_owned()),
        }
    }
    let tree = fs::canonicalize(&tree).map_err(|error| format!("{tree}: {error}"))?;
    let mut mutants: Vec<Mutant> = serde_json::from_str(&read(Path::new(&list))?)
        .map_err(|error| format!("{list}: {error}"))?;
    if let Some(again) = again {
        let text = read(Path::new(&again))?;
        let names: HashSet<&str> = text.lines().collect();
        mutants.retain(|mutant| names.contains(mutant.name.as_str()));
    }
    Ok(Options {
        tree,
        folder,
        mutants,
        skipped,
        tests,
    })
}

struct File {
    path: PathBuf,
    source: String,
    /// The mutants with their numbers.
    sites: Vec<(usize, Site)>,
}

struct Plan {
    files: Vec<File>,
    refused: HashSet<usize>,
    left: Vec<usize>,
}

/// Numbers all mutants and sites, starting with one.
fn plan(options: &Options) -> Result<Plan, String> {
    let mut by_file: BTreeMap<&str, Vec<(usize, Mutant)>> = BTreeMap::new();
    for (id, mutant) in (1..).zip(&options.mutants) {
        by_file
            .entry(&mutant.file)
            .or_default()
            .push((id, mutant.clone()));
    }
    let mut plan = Plan {
        files: Vec::new(),
        refused: HashSet::new(),
        left: Vec::new(),
    };
    let mut numbers = 1..;
    for (file, mutants) in by_file {
        let path = options.tree.join(file);
        let source = read(&path)?;
        let found = sites::find(&source, &mutants).map_err(|error| format!("{file}: {error}"))?;
        plan.refused.extend(found.refused);
        plan.left.extend(found.left);
        plan.files.push(File {
            path,
            source,
            sites: numbers.by_ref().zip(found.sites).collect(),
        });
    }
    plan.left.sort_unstable();
    Ok(plan)
}

/// Writes the files until everything compiles.
fn switch_in(options: &Options, plan: &mut Plan) -> Result<(), String> {
    let root = options.tree.join(&options.folder).join("src/lib.rs");
    let library = read(&root)?;
    if !library.contains(write::SWITCH) {
        store(
            &root,
            &format!("{}{library}{}", write::LINTS, write::SWITCH),
        )?;
    }
    let package = options.folder.rsplit('/').next().unwrap_or(&options.folder);
    let check = ["check", "--lib", "--all-features", "--package", package].map(str::to_owned);
    loop {
        let mut places = build::Places::new();
        for file in &plan.files {
            let written = write::write(&file.source, &file.sites, &plan.refused);
            store(&file.path, &written.text)?;
            places.insert(file.path.clone(), written.places);
        }
        let refused = build::refused(&options.tree, &check, &places)?;
        eprintln!("{} do not compile", refused.len());
        if refused.is_empty() {
            return Ok(());
        }
        plan.refused.extend(refused);
    }
}

fn start() -> Result<(), String> {
    let options = options()?;
    let mut plan = plan(&options)?;
    switch_in(&options, &mut plan)?;
    let programs = build::tests(&options.tree, &options.tests)?;
    let tests = Tests::trace(
        &options.tree.join(&options.folder),
        programs,
        &options.skipped,
    )?;
    eprintln!("{} tests come by a mutant", tests.coming.len());

    let mut runs: Vec<(usize, usize)> = plan
        .files
        .iter()
        .flat_map(|file| &file.sites)
        .flat_map(|(number, site)| site.choices.iter().map(|(id, _)| (*id, *number)))
        .filter(|(id, _)| !plan.refused.contains(id))
        .collect();
    runs.sort_unstable();
    let mutant = |id: usize| &options.mutants[id - 1];
    let outcomes = Mutex::new(Vec::new());
    tests.run(&runs, |id, outcome| {
        let mut outcomes = outcomes.lock().expect("not poisoned");
        if outcome != Outcome::Caught {
            println!("{outcome:?}\t{}", mutant(id).name);
        }
        outcomes.push((mutant(id).file.as_str(), outcome));
        if outcomes.len().is_multiple_of(100) {
            eprintln!("{} of {}", outcomes.len(), runs.len());
        }
    });

    for id in &plan.left {
        println!("NotSwitched\t{}", mutant(*id).name);
    }
    for (file, counts) in run::table(&outcomes.into_inner().expect("not poisoned")) {
        eprintln!("{file}: {counts}");
    }
    eprintln!(
        "{} do not compile, {} not switched",
        plan.refused.len(),
        plan.left.len()
    );
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn store(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
