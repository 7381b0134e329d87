//! `cargo +nightly fuzz run datetime`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::datetime::check(data));
