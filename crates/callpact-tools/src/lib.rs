//! The built-in tools of Callpact, hardened: a toolbox that can be handed to a model.
//!
//! One feature a family, one file a tool; `full` is all of them. Every tool is bounded in time, size
//! and reach by limits with safe defaults, declares how far it reaches and which of its parameters may
//! hold secrets, and asks before an action that cannot be undone. [`engine`] holds the work of the
//! tools, without the tool traits.
//!
//! | feature | tools |
//! | --- | --- |
//! | `files` (default) | `FileRead`, `FileWrite`, `FileEdit` |
//! | `calculator` (default) | `Calculator` |
//! | `datetime` (default) | `DateTime` |
//! | `json` (default) | `JsonParser` |
//! | `human` (default) | `HumanInput` |
//! | `search` | `WebSearch` |
//! | `scrape` | `WebScrape` |
//! | `net` | `HttpAgentTool` |
//! | `process` (Unix) | `ProcessAgentTool` |
//! | `shell` (Unix) | `Shell`, `ShellProcess` |
//!
//! ```
//! # #[cfg(all(feature = "files", feature = "calculator"))]
//! # {
//! use callpact::{ToolCall, ToolContext, Toolset};
//! use callpact_tools::{Calculator, FileWrite};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let dir = dir.path();
//! let tools = Toolset::builder().tool(FileWrite::new(dir)?).tool(Calculator::new()).build()?;
//! let call = ToolCall::new("call-1", "calculator", r#"{"input": "2 + 3 * 4"}"#);
//! let reply = tools.call(&call, &ToolContext::new()).await?;
//! assert_eq!(reply.to_model(), "14");
//! # Ok(())
//! # }
//! # }
//! ```
#![forbid(unsafe_code)]
#![warn(clippy::exhaustive_enums)] // an enum that cannot grow gives its reason
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod engine;

#[cfg(any(feature = "files", feature = "scrape", feature = "json"))]
mod blocking;
mod config;
#[cfg(any(feature = "net", all(feature = "process", unix)))]
mod configured;
#[cfg(any(feature = "net", all(feature = "process", unix)))]
mod runtime;
mod system;
#[cfg(any(feature = "calculator", feature = "datetime"))]
mod text_input;
#[cfg(any(feature = "files", feature = "net", feature = "process"))]
mod words;

#[cfg(feature = "calculator")]
mod calculator;
#[cfg(feature = "datetime")]
mod datetime;
#[cfg(feature = "files")]
mod file_edit;
#[cfg(feature = "files")]
mod file_read;
#[cfg(feature = "files")]
mod file_write;
#[cfg(feature = "net")]
mod http_agent;
#[cfg(feature = "human")]
mod human_input;
#[cfg(feature = "json")]
mod json_parser;
#[cfg(all(feature = "process", unix))]
mod processes;
mod toolbox;
#[cfg(feature = "scrape")]
mod web_scrape;
#[cfg(feature = "search")]
mod web_search;

#[cfg(feature = "calculator")]
pub use calculator::Calculator;
pub use config::ToolConfigError;
#[cfg(feature = "datetime")]
pub use datetime::DateTime;
#[cfg(feature = "files")]
pub use file_edit::{FileEdit, FileEditInput};
#[cfg(feature = "files")]
pub use file_read::{FileRead, FileReadInput};
#[cfg(feature = "files")]
pub use file_write::{FileWrite, FileWriteInput, FileWriteMode};
#[cfg(feature = "net")]
pub use http_agent::{HttpAgentTool, HttpAgentToolBuilder};
#[cfg(feature = "human")]
pub use human_input::HumanInput;
#[cfg(feature = "json")]
pub use json_parser::{JsonParser, JsonParserInput};
#[cfg(all(feature = "process", unix))]
pub use processes::*;
pub use toolbox::toolbox;
#[cfg(feature = "scrape")]
pub use web_scrape::{WebScrape, WebScrapeInput};
#[cfg(feature = "search")]
pub use web_search::{WebSearch, WebSearchInput};

#[cfg(all(doctest, feature = "full"))]
#[doc = include_str!("../../../docs/tools.md")]
mod guide {}
