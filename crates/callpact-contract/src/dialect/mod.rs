//! What each provider takes: one table for each dialect, and the code that reads the tables.

mod anthropic;
mod bedrock;
mod gemini;
mod grammar;
pub(crate) mod keyword;
mod lint;
mod list;
mod local;
mod mcp;
mod mistral;
mod openai;
mod plan;
mod portable;
#[doc(hidden)]
pub mod profile;
mod write;

pub use grammar::{gbnf_of_calls, lark_of_calls};
pub use lint::{Lint, Severity, lint};
pub use list::{Dialect, UnknownDialect};
pub use plan::{StrictChoice, StrictCost, StrictDemand, StrictPlanner};
pub use profile::StrictBudget;
pub use write::Fingerprint;
pub(crate) use write::write_schema;
