//! `cargo +nightly fuzz run quick`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::quick::check(data));
