//! The work of the tools, as plain structs and functions that know nothing of models: every limit is a
//! parameter with a safe default, every error is a value whose `Display` is the text that a model may
//! see.

#[cfg(feature = "net")]
pub mod address;
#[cfg(feature = "calculator")]
pub mod calculator;
#[cfg(feature = "datetime")]
pub mod datetime;
#[cfg(feature = "net")]
pub mod fetch;
#[cfg(feature = "files")]
pub mod files;
#[cfg(feature = "net")]
pub mod http_call;
#[cfg(feature = "json")]
pub mod json_query;
#[cfg(all(feature = "process-engine", unix))]
pub mod process;
#[cfg(feature = "scrape")]
pub mod readable;
#[cfg(feature = "search")]
pub mod search;

#[cfg(any(feature = "files", feature = "datetime"))]
mod echo;
#[cfg(any(feature = "scrape", feature = "search"))]
mod invisible;

#[cfg(all(feature = "process", unix))]
pub use process::table as process_table;
