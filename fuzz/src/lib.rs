//! Properties that hold for every input: the bodies of the fuzz targets.
//!
//! The ordinary tests run the same bodies over the seeds in `corpus`, so a machine without a fuzzer
//! tests them too.

pub mod arguments;
pub mod calculator;
pub mod console;
pub mod datetime;
pub mod growth;
pub mod json_path;
pub mod json_text;
pub mod quick;
pub mod redact;
pub mod serde_twin;
pub mod tolerant;

/// The name of a target and of its corpus, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 11] = [
    ("arguments", arguments::check),
    ("calculator", calculator::check),
    ("console", console::check),
    ("datetime", datetime::check),
    ("growth", growth::check),
    ("json_path", json_path::check),
    ("json_text", json_text::check),
    ("quick", quick::check),
    ("redact", redact::check),
    ("serde_twin", serde_twin::check),
    ("tolerant", tolerant::check),
];

/// The input as text. Tools never receive invalid Unicode.
pub(crate) fn text_of(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// Two texts in one input, separated by the first line break.
pub(crate) fn two_texts(data: &[u8]) -> Option<(&str, &str)> {
    text_of(data)?.split_once('\n')
}
