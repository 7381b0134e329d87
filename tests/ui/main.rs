//! What the macros refuse, with the compiler's words.
//!
//! The `.stderr` files come from one compiler version, and other versions differ in their notes.
//! Use the version of `.ci/run`, and `TRYBUILD=overwrite` after a change.
//!
//! A package of its own: trybuild builds the dependencies of its package once more. It only checks them, since no
//! program here has to compile. Those that have to are targets of this package.

#[test]
fn what_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("fail_tool/*.rs");
}
