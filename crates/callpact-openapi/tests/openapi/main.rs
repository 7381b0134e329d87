//! Documents become tools, and calls become requests.
#![allow(clippy::type_complexity)] // short tests read better with short names

mod calls;
mod documents;
mod server;

type Tested = Result<(), Box<dyn std::error::Error>>;
