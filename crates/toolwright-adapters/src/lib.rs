//! Toolwright tools in hosts that talk to models: [rig], [genai] and [async-openai].
//!
//! Each host is a feature of this crate and a module of it; none is on by default. The module of a
//! host gives its tool list, takes its calls, and hands back its result messages, with the host's
//! own types. What a call goes through stays the same everywhere: it is a
//! [`Toolset`](toolwright::Toolset) that reads, asks, resolves secrets and runs.
//!
//! - Whatever is wrong with a call is a result that the model sees, every fault at once.
//! - A [`Halt`](toolwright::Halt) ends the run of the host as an error, and the model does not see it.
//! - A broken call goes back into the history in a form that providers accept.
//!
//! [rig]: https://docs.rs/rig-core
//! [genai]: https://docs.rs/genai
//! [async-openai]: https://docs.rs/async-openai
#![forbid(unsafe_code)]
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
