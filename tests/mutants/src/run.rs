//! Runs the tests: once each to record the sites that they visit, then for every mutant the tests
//! that visit it.

use std::{
    collections::{BTreeMap, HashSet},
    fmt, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Caught,
    TimedOut,
    Missed,
    /// No test visits the mutant.
    Unreached,
}

pub(crate) struct Test {
    pub(crate) program: usize,
    pub(crate) name: String,
    pub(crate) time: Duration,
    pub(crate) sites: HashSet<usize>,
}

pub(crate) struct Tests {
    programs: Vec<PathBuf>,
    pub(crate) coming: Vec<Test>,
    package: PathBuf,
}

impl Tests {
    /// Starts every test alone. A test that fails without a mutant is reported and not used.
    pub(crate) fn trace(
        package: &Path,
        programs: Vec<PathBuf>,
        skipped: &[String],
    ) -> Result<Self, String> {
        let mut names = Vec::new();
        for (program, path) in programs.iter().enumerate() {
            let output = command(package, path)
                .args(["--list", "--format", "terse"])
                .output()
                .map_err(|error| format!("{}: {error}", path.display()))?;
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                if let Some(name) = line.strip_suffix(": test")
                    && !skipped.iter().any(|skip| name.contains(skip.as_str()))
                {
                    names.push((program, name.to_owned()));
                }
            }
        }
        let tests = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for worker in 0..workers() {
                let (programs, names, tests, next) = (&programs, &names, &tests, &next);
                scope.spawn(move || {
                    let trace = std::env::temp_dir()
                        .join(format!("mutants-{}-{worker}", std::process::id()));
                    while let Some((program, name)) =
                        names.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let _ = fs::remove_file(&trace);
                        let started = Instant::now();
                        let child = command(package, &programs[*program])
                            .args(["--exact", name])
                            .env("MUTANT_TRACE", &trace)
                            .stdout(Stdio::null())
                            .stderr(Stdio::null())
                            .spawn();
                        if child
                            .ok()
                            .and_then(|child| wait(child, Duration::from_secs(120)))
                            != Some(true)
                        {
                            eprintln!("does not pass alone, left out: {name}");
                            continue;
                        }
                        let text = fs::read_to_string(&trace).unwrap_or_default();
                        let sites: HashSet<usize> =
                            text.lines().filter_map(|line| line.parse().ok()).collect();
                        if !sites.is_empty() {
                            tests.lock().expect("not poisoned").push(Test {
                                program: *program,
                                name: name.clone(),
                                time: started.elapsed(),
                                sites,
                            });
                        }
                    }
                    let _ = fs::remove_file(&trace);
                });
            }
        });
        let mut tests = tests.into_inner().expect("not poisoned");
        tests.sort_by_key(|test| test.time);
        Ok(Self {
            programs,
            coming: tests,
            package: package.to_owned(),
        })
    }

    /// `mutants`: numbers and sites.
    pub(crate) fn run(&self, mutants: &[(usize, usize)], done: impl Fn(usize, Outcome) + Sync) {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..workers() {
                scope.spawn(|| {
                    while let Some((id, site)) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                        done(*id, self.one(*id, *site));
                    }
                });
            }
        });
    }

    fn one(&self, id: usize, site: usize) -> Outcome {
        let coming: Vec<&Test> = self
            .coming
            .iter()
            .filter(|test| test.sites.contains(&site))
            .collect();
        if coming.is_empty() {
            return Outcome::Unreached;
        }
        // Quick tests of all programs come first.
        let mut groups: Vec<BTreeMap<usize, Vec<&Test>>> = Vec::new();
        let mut budget = Duration::from_millis(200);
        let mut spent = Duration::ZERO;
        groups.push(BTreeMap::new());
        for test in coming {
            if spent > budget {
                budget *= 4;
                spent = Duration::ZERO;
                groups.push(BTreeMap::new());
            }
            spent += test.time;
            groups
                .last_mut()
                .expect("one at least")
                .entry(test.program)
                .or_default()
                .push(test);
        }
        for group in groups {
            for (program, tests) in group {
                let usual: Duration = tests.iter().map(|test| test.time).sum();
                let child = command(&self.package, &self.programs[program])
                    .arg("--exact")
                    .args(tests.iter().map(|test| &test.name))
                    .env("MUTANT_ON", id.to_string())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn();
                match child
                    .ok()
                    .and_then(|child| wait(child, Duration::from_secs(5) + usual * 5))
                {
                    Some(true) => {}
                    Some(false) => return Outcome::Caught,
                    None => return Outcome::TimedOut,
                }
            }
        }
        Outcome::Missed
    }
}

fn workers() -> usize {
    thread::available_parallelism().map_or(2, usize::from)
}

/// Runs in the folder of the package with cargo's environment, and with bounded memory, because an
/// endless loop often fills a list.
fn command(package: &Path, program: &Path) -> Command {
    let mut command = Command::new("prlimit");
    command
        .arg("--as=6000000000")
        .arg("--")
        .arg(program)
        .current_dir(package)
        .stdin(Stdio::null());
    command.env("CARGO_MANIFEST_DIR", package);
    command.env("CARGO_PKG_NAME", package.file_name().unwrap_or_default());
    command
}

/// `None` if it took too long.
fn wait(mut child: Child, limit: Duration) -> Option<bool> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(2);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if Instant::now() < end => thread::sleep(pause),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The results of one file, counted.
#[derive(Default, Clone, Copy)]
pub(crate) struct Counts {
    caught: usize,
    timed_out: usize,
    missed: usize,
    unreached: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            caught,
            timed_out,
            missed,
            unreached,
        } = self;
        let all = caught + timed_out + missed + unreached;
        write!(
            out,
            "{all} run, {caught} caught, {timed_out} out of time, {missed} missed, {unreached} unreached"
        )
    }
}

/// The results by file, and in total.
pub(crate) fn table<'a>(outcomes: &[(&'a str, Outcome)]) -> BTreeMap<&'a str, Counts> {
    let mut table: BTreeMap<&str, Counts> = BTreeMap::new();
    for (file, outcome) in outcomes {
        for name in [*file, "together"] {
            let counts = table.entry(name).or_default();
            *match outcome {
                Outcome::Caught => &mut counts.caught,
                Outcome::TimedOut => &mut counts.timed_out,
                Outcome::Missed => &mut counts.missed,
                Outcome::Unreached => &mut counts.unreached,
            } += 1;
        }
    }
    table
}
