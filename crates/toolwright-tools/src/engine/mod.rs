//! The engines under the tools: plain structs and functions that know nothing of models.

#[cfg(feature = "net")]
pub mod address;
#[cfg(feature = "net")]
pub mod fetch;
#[cfg(feature = "net")]
pub mod http_call;
#[cfg(any(feature = "scrape", feature = "search"))]
mod invisible;
#[cfg(feature = "json")]
pub mod json_query;
#[cfg(feature = "scrape")]
pub mod readable;
#[cfg(feature = "search")]
pub mod search;
