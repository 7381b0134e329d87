//! The commands, one file each.

pub mod call;
pub mod check;
pub mod completions;
pub mod desk;
pub mod lint;
pub mod list;
pub mod man;
pub mod mcp;
pub mod new;
pub mod schema;
pub mod serve;
pub mod stored;
pub mod tokens;
pub mod worker;
