//! `cargo +nightly fuzz run tolerant`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::tolerant::check(data));
