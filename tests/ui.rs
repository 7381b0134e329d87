//! What the macros accept and refuse, and in which words.
//!
//! The `.stderr` files are those of one compiler; `rust-toolchain` versions differ in their notes,
//! so run this with the one that `.ci/run` uses, and `TRYBUILD=overwrite` after a change.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.pass("ui/pass_tool/*.rs");
    cases.compile_fail("ui/fail/*.rs");
    cases.compile_fail("ui/fail_tool/*.rs");
}
