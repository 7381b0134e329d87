//! A page where people see the tools of a program, try one, approve waiting calls, and watch running ones.
//!
//! ```no_run
//! use callpact::{ToolContext, Toolset, tool};
//! use callpact_desk::Desk;
//!
//! /// Adds two numbers
//! #[tool(read_only)]
//! fn add(a: i64, b: i64) -> i64 {
//!     a.saturating_add(b)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tools = Toolset::builder().tool(Add).build()?;
//! let desk = Desk::new(tools.clone(), ToolContext::new());
//! // The calls of the program: the page decides about them, and shows them.
//! let cx = desk.watch(ToolContext::new().with_reviewer(desk.reviewer()));
//! let server = desk.bind("127.0.0.1:0".parse()?).await?;
//! println!("open {}", server.url()?);
//! server.run().await?;
//! # drop(cx);
//! # Ok(())
//! # }
//! ```
//!
//! [`Desk::service`] is the same page as a service of `tower`, for a router of your own.
//!
//! # Safety
//!
//! The page is for people on this machine. [`Desk::bind`] refuses other addresses unless [`Desk::authenticate`]
//! identifies visitors. A browser enters with a token that works once and follows the `#` of the address, which
//! no browser sends to a server. With an authenticator, it enters only with a token that the authenticator
//! knows, or by the invitation of a person who has entered. The token becomes a session: a secret that the page
//! keeps in the storage of its origin and sends in a header, so pages of other ports do not get it. Requests that name another host or come from another origin are refused. The page runs
//! only its own files, and writes every text of a tool, a model or a server as text.
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)]
// an enum that cannot grow gives its reason
// A refusal is as large as any other answer, and a request has only one.
#![allow(clippy::result_large_err)]

mod answer;
mod api;
mod asked;
mod card;
mod decide;
mod desk;
mod events;
mod form;
mod gate;
mod inbox;
mod late;
mod live;
mod messages;
mod page;
mod repeat;
mod replies;
mod rights;
mod row;
mod server;
mod servers;
mod service;
mod sessions;
mod share;
mod sorted;
mod tools;
mod trace;
mod tries;

pub use answer::DeskBody;
pub use callpact_http::Stop;
pub use desk::Desk;
pub use live::DeskReviewer;
pub use messages::MessageLog;
pub use server::DeskServer;
pub use servers::{Connection, ConnectionState, Connections, NewConnection};
pub use service::DeskService;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[cfg(doctest)]
#[doc = include_str!("../../../docs/desk.md")]
mod page_of_the_guide {}
