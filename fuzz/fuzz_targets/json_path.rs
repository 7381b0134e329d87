//! `cargo +nightly fuzz run json_path`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::json_path::check(data));
