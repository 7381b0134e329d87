//! Programs that run offline; and the pages of `docs/` and the README, compiled as doc-tests.

#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    struct Readme;
}
