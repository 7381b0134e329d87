//! What the macros accept and refuse, with the compiler's words.
//!
//! The `.stderr` files come from one compiler version, and other versions differ in their notes.
//! Use the version of `.ci/run`, and `TRYBUILD=overwrite` after a change.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.pass("ui/pass_tool/*.rs");
    cases.compile_fail("ui/fail/*.rs");
    cases.compile_fail("ui/fail_tool/*.rs");
}
