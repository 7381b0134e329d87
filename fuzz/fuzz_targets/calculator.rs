//! `cargo +nightly fuzz run calculator`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::calculator::check(data));
