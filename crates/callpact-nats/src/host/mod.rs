//! A host: it uses the tools of workers as its own.

mod call;
mod catalog;
mod connection;
mod flight;
mod lists;
mod offered;
mod workers;

pub use workers::{Workers, WorkersConfig};
