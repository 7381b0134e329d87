//! `cargo +nightly fuzz run growth`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::growth::check(data));
