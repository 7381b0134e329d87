//! Functions and methods as tools: `attr` parses, `model` is what it means, `check` refuses,
//! `emit`, `single` and `block` write.
//!
//! The parameters become a hidden struct that goes through `#[derive(ToolInput)]`, so that a
//! function has the schema and the reader that a struct has, mistakes included.

mod attr;
mod block;
mod check;
mod emit;
mod model;
mod secret_paths;
mod single;
#[cfg(test)]
mod tests;

pub(crate) use block::expand as tools;
pub(crate) use secret_paths::expand as secret_params;
pub(crate) use single::expand as tool;
