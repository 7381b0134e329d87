//! `cargo +nightly fuzz run arguments`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::arguments::check(data));
