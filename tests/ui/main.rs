//! What the macros accept and refuse, with the compiler's words.
//!
//! The `.stderr` files come from one compiler version, and other versions differ in their notes.
//! Use the version of `.ci/run`, and `TRYBUILD=overwrite` after a change.
//!
//! A package of its own: trybuild builds the dependencies of its package once more.

// Two tests: programs that must not compile are checked by one run of cargo where none beside them has to compile.

#[test]
fn what_compiles() {
    let cases = trybuild::TestCases::new();
    cases.pass("pass/*.rs");
    cases.pass("pass_tool/*.rs");
}

#[test]
fn what_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("fail_tool/*.rs");
}
