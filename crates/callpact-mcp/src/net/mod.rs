//! Requests to other machines: the addresses that may be used, and the HTTP client.

mod address;
#[cfg(any(feature = "client", feature = "jwt"))]
mod http;

#[cfg(feature = "client")]
pub(crate) use self::address::authority;
#[cfg(any(feature = "client", feature = "server"))]
pub use self::address::check_page;
#[cfg(feature = "jwt")]
pub(crate) use self::address::is_local;
#[cfg(any(feature = "client", feature = "jwt"))]
pub(crate) use self::{address::check_address, http::http_client};
