//! `cargo +nightly fuzz run tolerant`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwright_fuzz::tolerant::check(data));
