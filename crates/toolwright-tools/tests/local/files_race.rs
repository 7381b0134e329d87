//! A directory that turns into a link outside between one moment and the next.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::support::{CANARY, Scene};

const OPENS: usize = 20_000;

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

/// Runs `act` while another thread swaps without a pause; returns how often it swapped.
fn while_swapping(base: &Path, act: impl FnOnce()) -> usize {
    let (done, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                exchange(base);
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        act();
        done.store(true, Ordering::Relaxed);
    });
    swaps.into_inner()
}

#[test]
fn reading_never_escapes() {
    let scene = scene();
    let (mut inside, mut refused, mut escaped) = (0, 0, 0);
    let swaps = while_swapping(&scene.base, || {
        for _ in 0..OPENS {
            match scene.read("d/f") {
                Ok(text) if text.text == "inside\n" => inside += 1,
                Ok(_) => escaped += 1,
                Err(e) => {
                    assert_eq!(
                        e.to_string(),
                        "Access denied: path is outside the sandbox directory"
                    );
                    refused += 1;
                }
            }
        }
    });
    println!("{OPENS} opens, {swaps} swaps: {inside} inside, {refused} refused, {escaped} escaped");
    assert_eq!(escaped, 0);
    assert!(inside > 0 && refused > 0 && swaps > 100, "the race was run");
}

#[test]
fn writing_never_escapes() {
    let scene = scene();
    let before = scene.outside_state();
    let mut written = 0;
    let swaps = while_swapping(&scene.base, || {
        for i in 0..1_000 {
            written += usize::from(scene.write("d/f", "inside\n").is_ok());
            written += usize::from(scene.write(&format!("d/new{i}/x"), "inside\n").is_ok());
        }
    });
    println!("2000 writes, {swaps} swaps: {written} inside");
    assert_eq!(scene.outside_state(), before);
    assert!(written > 0 && swaps > 100, "the race was run");
}

#[test]
fn a_leaf_that_turns_into_a_link_is_never_followed() {
    let scene = Scene::new();
    let before = scene.outside_state();
    fs::write(scene.base.join("d"), "old").unwrap();
    symlink("../outside/secret.txt", scene.base.join("swap")).unwrap();
    let swaps = while_swapping(&scene.base, || {
        for _ in 0..1_000 {
            if scene.write("d", "PWNED").is_ok() {
                // The link may have been replaced by the file: plant it anew.
                let link = scene.base.join("relink");
                symlink("../outside/secret.txt", &link).unwrap();
                fs::rename(&link, scene.base.join("swap")).unwrap();
            }
        }
    });
    println!("1000 writes, {swaps} swaps");
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
    let swaps = while_swapping(&scene.base, || {
        for _ in 0..2_000 {
            let read = canonicalise_then_open(&scene.base, "d/f", thread::yield_now);
            escaped += usize::from(read.as_deref() == Some(CANARY));
        }
    });
    println!("canonicalise-then-open: {escaped} of 2000 escaped by chance, {swaps} swaps");
}
