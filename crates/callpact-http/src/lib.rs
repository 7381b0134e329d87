//! The listener of callpact's servers, for any service of `tower`, such as a router of `axum`.
//!
//! ```
//! use axum::{Router, routing::get};
//! use callpact_http::Listener;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let listener = Listener::bind("127.0.0.1:0".parse().expect("an address")).await?;
//! let stop = listener.stopper();
//! let app = Router::new().route("/", get(|| async { "here" }));
//! let serving = tokio::spawn(listener.serve(app));
//! // Whatever the program does.
//! stop.stop();
//! serving.await??;
//! # Ok(())
//! # }
//! ```
//!
//! # Limits
//!
//! There are at most 900 connections, 800 of them from one address, all of them HTTP/1.1. If there is one connection
//! too many, the oldest one without work gives way, first one of the address with the most: a connection works from the
//! end of a request to the end of its answer, if its client reads. At most 400 answers are event streams to a GET
//! request, 350 of them to one address; one more is refused (503). A client has 10 seconds for the head of a request,
//! and 10 to read something of an answer. At most 256 MiB of answers wait to be written; beyond that the client with
//! the most unread bytes loses its connection.
//!
//! The service reads the body of a request with [`read_body`], which has a limit on its time and its length.
//!
//! # Why not `axum::serve`
//!
//! `axum::serve` has no limit on the time for a head, on the time that a client may not read, and on the number of
//! connections, and no connection gives way to another. It also accepts HTTP/2 as soon as another crate of the program
//! enables that feature of `hyper-util`; to tell it from HTTP/1, it waits for the first bytes of a client without a
//! limit. Everything above the connection is a service of `tower`, so it can be a router of `axum`.
#![forbid(unsafe_code)]

mod body;
mod connections;
mod exchange;
mod listener;
mod socket;

pub use body::{BodyFault, read_body};
pub use exchange::RequestBody;
pub use listener::{Listener, Peer, Stop};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
