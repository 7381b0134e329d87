//! The network engines against real sockets on this machine, and against hostile input.

mod bounds;
mod connects;
mod fetching;
mod http_call;
mod json_path;
mod json_query;
mod random;
mod readable;
mod redirects;
mod search;
mod secrecy;
mod server;
mod ssrf;
// Other systems keep their roots where a test cannot add one.
#[cfg(target_os = "linux")]
mod tls;
mod urls;
