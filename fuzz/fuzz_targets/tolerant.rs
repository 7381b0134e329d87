//! `cargo +nightly fuzz run tolerant`
#![no_main]

#[path = "../check.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
