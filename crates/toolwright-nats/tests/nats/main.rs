//! Workers, hosts and the store at a real server.

mod calls;
#[cfg(unix)]
mod chaos;
mod discovery;
mod ends;
mod kit;
mod store;
