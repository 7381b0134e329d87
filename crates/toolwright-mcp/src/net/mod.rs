//! Requests to other machines: which address may be used, and the client of HTTP.

mod address;
mod http;

#[cfg(feature = "client")]
pub(crate) use self::address::authority;
#[cfg(feature = "jwt")]
pub(crate) use self::address::is_local;
pub(crate) use self::{address::check_address, http::http_client};
