//! The rules of foreign schemas that no kind has, checked at the node that they are about.
//!
//! A rule is about the value as it will run, so the changes of the node are made before. Inside a rule nothing is
//! converted.

mod enter;
mod faults;
mod list;
mod object;
mod rule;
mod scope;
#[cfg(test)]
mod tests;
mod unevaluated;
