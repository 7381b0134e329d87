//! What one call may cost and where it may go.

use std::time::Duration;

use super::body::Oversize;
use super::target::Ports;

#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub(super) ports: Ports,
    pub(super) timeout: Duration,
    pub(super) max_bytes: usize,
    pub(super) max_redirects: usize,
    pub(super) on_oversize: Oversize,
}
