//! HTTP for tools: one bounded call that cannot be tricked into an internal network.
//!
//! The address that is connected to is the address that was checked: names are resolved once, inside
//! the connector, through a filter; literals are checked in the form that the URL parser gives them;
//! the peer is checked again before a byte of the answer is used. Redirects are followed by hand and
//! each hop is checked again. Time and decoded bytes are bounded for the whole call.

mod body;
mod builder;
mod client;
mod error;
mod guard;
mod limits;
mod request;
mod secrets;
mod target;

pub use body::Oversize;
pub use builder::FetcherBuilder;
pub use client::Fetcher;
pub use error::FetchError;
pub use guard::{Lookup, Resolver, SystemResolver};
pub use request::{FetchRequest, Fetched, Method};
pub use secrets::Secrets;
pub use target::{Ports, shown_url};
