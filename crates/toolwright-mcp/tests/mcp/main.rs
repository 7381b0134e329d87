//! The server and the client against each other, against rmcp's own client, and on the wire.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod client;
#[cfg(unix)]
mod family;
mod fixture;
mod help;
#[cfg(unix)]
mod hostile;
mod http;
mod odd;
mod peer;
mod redirects;
mod server;
mod stdio;
