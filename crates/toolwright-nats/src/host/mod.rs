//! A host: it uses the tools of workers like its own.

mod call;
mod catalog;
mod flight;
mod workers;

pub use workers::{Unusable, Workers, WorkersConfig};
