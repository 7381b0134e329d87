//! `cargo +nightly fuzz run redact`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::redact::check(data));
