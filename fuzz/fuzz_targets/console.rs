//! `cargo +nightly fuzz run console`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::console::check(data));
