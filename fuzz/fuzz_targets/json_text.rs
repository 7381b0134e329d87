//! `cargo +nightly fuzz run json_text`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| callpact_fuzz::json_text::check(data));
