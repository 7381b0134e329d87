//! The server and the client with each other, with rmcp's client, and as raw messages.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod asking;
#[cfg(unix)]
#[path = "../../../callpact-tools/tests/tools/changed_files.rs"]
mod changed_files;
#[cfg(unix)]
mod changes;
mod client;
mod crowd;
mod edits;
#[cfg(unix)]
mod family;
mod fixture;
mod help;
#[cfg(unix)]
mod hostile;
mod hosts;
mod http;
mod identity;
mod jwt;
mod jwt_attacks;
mod large;
mod logs;
mod pages;
mod peer;
#[path = "../../../callpact-http/tests/http/process.rs"]
mod process;
mod raw;
mod raw_arguments;
mod redirects;
mod requests;
mod schemas;
mod server;
mod servers_file;
mod stdio;
mod trace;
mod watch;
