//! What the local tools do, without the tool traits.

#[cfg(feature = "calculator")]
pub mod calculator;
#[cfg(feature = "datetime")]
pub mod datetime;
#[cfg(feature = "files")]
pub mod files;
#[cfg(all(feature = "process", unix))]
pub mod process;
#[cfg(all(feature = "process", unix))]
pub mod process_table;

#[cfg(any(feature = "files", feature = "datetime"))]
mod echo;
