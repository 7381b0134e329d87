//! Asks for the features of other projects' crates that the tests ask for, and for no feature of ours.
//!
//! Built together with one of our crates, it lets that crate be compiled with its default features alone against what
//! the tests have compiled already. Where a feature is missing here, crates are compiled again; nothing else changes.
