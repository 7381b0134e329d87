//! `cargo +nightly fuzz run serde_twin`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::serde_twin::check(data));
