//! The network engines against real sockets on this machine, and against hostile input.

mod fetching;
mod http_call;
mod json_query;
mod readable;
mod search;
mod secrecy;
mod server;
mod ssrf;
