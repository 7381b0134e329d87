//! Runs tools on other machines: workers take calls over NATS with `JetStream`, and a host uses their tools
//! as its own.
//!
//! A worker serves a list of tools:
//!
//! ```no_run
//! use callpact::{ToolContext, Toolset, tool};
//! use callpact_nats::worker;
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a.saturating_add(b)
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let tools = Toolset::builder().tool(Add).build()?;
//! worker(tools, ToolContext::new()).connect("nats://127.0.0.1:4222").serve().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A host finds the tools of all workers and calls them:
//!
//! ```no_run
//! use callpact::{ToolCall, ToolContext, Toolset};
//! use callpact_nats::Workers;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let workers = Workers::connect("nats://127.0.0.1:4222").await?;
//! let tools = Toolset::builder().tools(workers.tools()).build()?;
//! let call = ToolCall::new("call-1", "add", r#"{"a": 40, "b": 2}"#);
//! println!("{}", tools.call(&call, &ToolContext::new()).await?.to_model());
//! # Ok(())
//! # }
//! ```
//!
//! The server stores a call until a worker has finished it. A call that only reads, or whose tool is
//! idempotent, runs again when its worker dies. Every other call runs at most once: when its worker dies,
//! its outcome is [`Outcome::Unknown`](callpact::Outcome::Unknown).
//!
//! [`NatsStore`] keeps waiting calls and results on the same server.
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason

mod error;
mod host;
mod link;
mod protocol;
mod records;
mod results;
mod rights;
mod server;
mod store;
mod trace;
mod worker;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/workers.md")]
mod guide {}

/// The options of a connection, such as TLS, credentials and nkeys.
pub use async_nats::ConnectOptions;
pub use callpact::pins::Unusable;
pub use error::NatsError;
pub use host::{Workers, WorkersConfig};
pub use server::Server;
pub use store::NatsStore;
pub use trace::TraceParent;
pub use worker::{Serving, Worker, worker};
