//! The limits of one call, and the addresses that it may reach.

use std::time::Duration;

use super::body::Oversize;
use super::target::Ports;

#[derive(Debug, Clone)]
pub(super) struct FetchLimits {
    pub(super) ports: Ports,
    pub(super) timeout: Duration,
    pub(super) max_bytes: usize,
    pub(super) max_redirects: usize,
    pub(super) on_oversize: Oversize,
}
