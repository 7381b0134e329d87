//! The server and the client against each other, against rmcp's own client, and on the wire.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod client;
mod crowd;
#[cfg(unix)]
mod family;
mod fixture;
mod help;
#[cfg(unix)]
mod hostile;
mod http;
mod peer;
mod raw;
mod raw_arguments;
mod redirects;
mod requests;
mod server;
mod servers_file;
mod stdio;
