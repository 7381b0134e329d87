//! A host: it uses the tools of workers like its own.

mod call;
mod catalog;
mod connection;
mod flight;
mod lists;
mod offered;
mod workers;

pub use workers::{Workers, WorkersConfig};
