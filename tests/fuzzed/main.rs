//! Runs the bodies of the fuzz targets over their seeds and over many small changes of these.

use std::{fs, path::Path};

use callpact_tests::rng::Rng;

#[path = "../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)] // a library of its own for the fuzzer
mod targets;

/// The number of changes for each seed; `CALLPACT_CHANGES` overrides it.
const CHANGES: usize = 60;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let mut paths: Vec<_> = fs::read_dir(&place)
        .unwrap_or_else(|why| panic!("{}: {why}", place.display()))
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| fs::read(path).expect("a readable seed"))
        .collect()
}

/// One small change: a byte, or a piece that is removed, repeated, or taken from another seed.
fn changed(seed: &[u8], others: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut data = seed.to_vec();
    let at = rng.below(data.len() + 1);
    let to = (at + rng.below(12)).min(data.len());
    match rng.below(6) {
        0 => data.insert(at, *rng.pick(b"0123456789{}[]()\"'\\,:.$@*-+%&| \n\0\x1b")),
        1 => drop(data.drain(at..to)),
        2 => drop(data.splice(to..to, seed[at..to].to_vec())),
        3 => {
            let other = rng.pick(others);
            let from = rng.below(other.len() + 1);
            data.truncate(at);
            data.extend(&other[from..]);
        }
        4 => {
            if let Some(byte) = data.get_mut(at) {
                *byte = byte.wrapping_add(1);
            }
        }
        _ => data.extend("é\u{202e}🙂".as_bytes()),
    }
    data
}

fn holds_on_its_seeds_and_near_them(name: &str) {
    let changes = std::env::var("CALLPACT_CHANGES")
        .ok()
        .and_then(|changes| changes.parse().ok())
        .unwrap_or(CHANGES);
    let (_, check) = targets::TARGETS
        .iter()
        .find(|(other, _)| *other == name)
        .expect("a target");
    let seeds = seeds(name);
    assert!(seeds.len() >= 10, "{name}: {} seeds", seeds.len());
    let mut rng = Rng::new(0xF0_22);
    for seed in &seeds {
        check(seed);
        let mut data = seed.clone();
        for i in 0..changes {
            // Two changes in a row, then back to the seed.
            data = changed(if i % 2 == 0 { seed } else { &data }, &seeds, &mut rng);
            check(&data);
        }
    }
    println!(
        "{name}: {} seeds, {} inputs",
        seeds.len(),
        seeds.len() * (changes + 1)
    );
}

/// A test for each target, so that they run side by side.
macro_rules! hold {
    ($($name:ident),*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                holds_on_its_seeds_and_near_them(stringify!($name));
            }
        )*
    };
}

hold!(
    arguments, calculator, console, datetime, growth, json_path, json_text, quick, redact,
    serde_twin, tolerant
);

/// Every fuzz target must have its body here.
#[test]
fn the_programs_are_the_targets() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/fuzz_targets");
    let mut programs: Vec<String> = fs::read_dir(place)
        .expect("the programs")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    programs.sort();
    let targets = targets::TARGETS.map(|(name, _)| name);
    assert_eq!(programs, targets);
    assert_eq!(TESTED, targets);
}
