//! Callpact tools in hosts that talk to models: [rig], [genai] and [async-openai].
//!
//! Each host is a feature and a module of this crate; none is on by default. The module of a host
//! makes its tool list, takes its calls, and returns its result messages, in the host's own types.
//! Every call goes through a [`Toolset`](callpact::Toolset), which reads it, asks the reviewer,
//! resolves secrets and runs it.
//!
//! - The faults of a call are one result that the model sees.
//! - A [`Halt`](callpact::Halt) ends the run of the host as an error, and the model does not see it.
//! - A broken call enters the history in a form that providers accept.
//!
//! [rig]: https://docs.rs/rig-core
//! [genai]: https://docs.rs/genai
//! [async-openai]: https://docs.rs/async-openai
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "async-openai")]
#[cfg_attr(docsrs, doc(cfg(feature = "async-openai")))]
pub mod async_openai;
#[cfg(feature = "genai")]
#[cfg_attr(docsrs, doc(cfg(feature = "genai")))]
pub mod genai;
#[cfg(feature = "rig")]
#[cfg_attr(docsrs, doc(cfg(feature = "rig")))]
pub mod rig;
#[cfg(any(feature = "async-openai", feature = "genai", feature = "rig"))]
mod schema;
#[cfg(any(feature = "async-openai", feature = "genai"))]
mod turn;

#[cfg(any(feature = "async-openai", feature = "genai"))]
#[cfg_attr(docsrs, doc(cfg(any(feature = "async-openai", feature = "genai"))))]
pub use turn::Halted;

#[cfg(all(doctest, feature = "async-openai", feature = "genai", feature = "rig"))]
#[doc = include_str!("../../../docs/hosts.md")]
mod guide {}
