//! The network engines against real sockets on this machine, and against hostile input.

mod bounds;
mod fetching;
mod http_call;
mod json_query;
mod random;
mod readable;
mod redirects;
mod search;
mod secrecy;
mod server;
mod ssrf;
mod urls;
