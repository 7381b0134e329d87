//! `#[tool]` and `#[tools]`: functions and methods as tools.
//!
//! The parameters become a hidden struct with `#[derive(ToolInput)]`, so that functions and structs have
//! the same attributes, schemas, readers and errors.

mod attr;
mod block;
mod check;
mod codegen;
mod commands;
mod model;
mod secret_paths;
mod single;
#[cfg(test)]
mod tests;

pub(crate) use block::expand as tools;
pub(crate) use commands::expand as command_tools;
pub(crate) use secret_paths::expand as secret_params;
pub(crate) use single::expand as tool;
