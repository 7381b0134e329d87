//! Keeps waiting calls, and the results of calls that ran, in a file that many processes share.
//!
//! ```
//! use callpact::store::{CallStore, Moment};
//! use callpact_store::SqliteStore;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let file = dir.path().join("calls.db");
//! let store = SqliteStore::open(&file)?;
//! for waiting in store.list().await? {
//!     println!("{} {}", waiting.call.id, waiting.call.tool);
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason

mod error;
mod row;
mod schema;
mod sqlite;
mod thread;
mod traced;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use error::OpenError;
pub use row::DamagedCall;
pub use sqlite::SqliteStore;
