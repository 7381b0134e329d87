//! A directory that turns into a link outside between one moment and the next.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::support::{CANARY, Scene};

const OPENS: usize = 20_000;
const MIN_SWAPS: usize = 1_000;

/// `base/d` is a directory with `f` and `base/swap` a link to the canary's directory, which has an `f` too.
fn scene() -> Scene {
    let scene = Scene::new();
    fs::create_dir(scene.base.join("d")).unwrap();
    fs::write(scene.base.join("d/f"), "inside\n").unwrap();
    fs::write(scene.outside.join("f"), CANARY).unwrap();
    symlink("../outside", scene.base.join("swap")).unwrap();
    scene
}

fn exchange(base: &Path) {
    renameat_with(
        CWD,
        base.join("d"),
        CWD,
        base.join("swap"),
        RenameFlags::EXCHANGE,
    )
    .unwrap();
}

/// Ends the other thread also when a test fails.
struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `act` at least `times` times, and on until there were `MIN_SWAPS` swaps by another thread and
/// `act` has met what it waits for; how long that takes is up to the scheduler. Returns the number of
/// runs and swaps.
fn while_swapping(base: &Path, times: usize, mut act: impl FnMut(usize) -> bool) -> (usize, usize) {
    let (done, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut runs = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                exchange(base);
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let _done = Done(&done);
        let end = Instant::now() + Duration::from_secs(60);
        let mut met = false;
        while runs < times || !met || swaps.load(Ordering::Relaxed) < MIN_SWAPS {
            met = act(runs);
            runs += 1;
            if Instant::now() > end {
                break;
            }
        }
    });
    let swaps = swaps.into_inner();
    assert!(
        runs >= times && swaps >= MIN_SWAPS,
        "the race was run: {runs} runs, {swaps} swaps"
    );
    (runs, swaps)
}

#[test]
fn reading_never_escapes() {
    let scene = scene();
    let (mut inside, mut refused, mut escaped) = (0, 0, 0);
    let (opens, swaps) = while_swapping(&scene.base, OPENS, |_| {
        match scene.read("d/f") {
            Ok(text) if text.text == "inside\n" => inside += 1,
            Ok(_) => escaped += 1,
            // The text depends on the moment where the kernel cannot resolve the whole path in one step.
            Err(_) => refused += 1,
        }
        inside > 0 && refused > 0
    });
    println!("{opens} opens, {swaps} swaps: {inside} inside, {refused} refused, {escaped} escaped");
    assert_eq!(escaped, 0);
    assert!(inside > 0 && refused > 0);
}

#[test]
fn writing_never_escapes() {
    let scene = scene();
    let before = scene.outside_state();
    let (mut written, mut refused) = (0, 0);
    let (runs, swaps) = while_swapping(&scene.base, 2_000, |i| {
        let new = format!("d/new{}/x", i % 500);
        let path = if i % 2 == 0 { "d/f" } else { new.as_str() };
        match scene.write(path, "inside\n") {
            Ok(_) => written += 1,
            // The text depends on the moment where the kernel cannot resolve the whole path in one step.
            Err(_) => refused += 1,
        }
        written >= 50 && refused >= 50
    });
    println!("{runs} writes, {swaps} swaps: {written} inside, {refused} refused");
    assert_eq!(scene.outside_state(), before);
    assert!(written > 0 && refused > 0);
}

#[test]
fn never_follows_leaf_replaced_by_link() {
    let scene = Scene::new();
    let before = scene.outside_state();
    // A write may replace the link with the file, or a planting land on the wrong one: plant both often.
    let plant = || {
        let (file, link) = (scene.base.join("refile"), scene.base.join("relink"));
        fs::write(&file, "old").unwrap();
        symlink("../outside/secret.txt", &link).unwrap();
        fs::rename(&file, scene.base.join("d")).unwrap();
        fs::rename(&link, scene.base.join("swap")).unwrap();
    };
    plant();
    let mut written = 0;
    let (runs, swaps) = while_swapping(&scene.base, 2_000, |i| {
        if i % 10 == 9 {
            plant();
        }
        written += usize::from(scene.write("d", "PWNED").is_ok());
        written >= 50
    });
    println!("{runs} writes to a leaf, {swaps} swaps: {written} inside");
    assert!(written > 0);
    assert_eq!(scene.outside_state(), before);
}

/// What must not be done: look where the path leads, then open it by name.
fn canonicalise_then_open(base: &Path, path: &str, pause: impl FnOnce()) -> Option<String> {
    let base = base.canonicalize().ok()?;
    let real = base.join(path).canonicalize().ok()?;
    if !real.starts_with(&base) {
        return None;
    }
    pause();
    fs::read_to_string(base.join(path)).ok()
}

/// The test of the test: this scene does catch a build that checks before it opens.
#[test]
fn the_race_is_lost_by_canonicalise_then_open() {
    let scene = scene();
    // Without the swap it works, and a link that stays is refused.
    assert_eq!(
        canonicalise_then_open(&scene.base, "d/f", || {}).as_deref(),
        Some("inside\n")
    );
    assert_eq!(canonicalise_then_open(&scene.base, "swap/f", || {}), None);
    // With the swap between check and open it reads what lies outside.
    let read = canonicalise_then_open(&scene.base, "d/f", || exchange(&scene.base));
    assert_eq!(read.as_deref(), Some(CANARY));
    exchange(&scene.base);
    // Left to chance it happens too, sooner or later; how often is only told.
    let mut escaped = 0;
    let (runs, swaps) = while_swapping(&scene.base, 2_000, |_| {
        let read = canonicalise_then_open(&scene.base, "d/f", thread::yield_now);
        escaped += usize::from(read.as_deref() == Some(CANARY));
        true
    });
    println!("canonicalise-then-open: {escaped} of {runs} escaped by chance, {swaps} swaps");
}
