//! Code that the macros refuse, with the messages of the compiler.
//!
//! The `.stderr` files come from one compiler version, and other versions differ in their notes.
//! Use the version of `.ci/run`, and `TRYBUILD=overwrite` after a change.
//!
//! This is a separate package, because trybuild builds the dependencies of its package once more. It only checks them,
//! since the programs here need not compile. Programs that must compile are targets of this package.

#[test]
fn what_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*.rs");
    cases.compile_fail("fail_tool/*.rs");
}
