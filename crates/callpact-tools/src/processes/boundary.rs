//! The boundary that a tool puts around its processes.

use crate::ToolConfigError;
use crate::engine::process::Boundary;

/// `boundary`, if this machine has it.
pub(super) fn check_boundary(boundary: Boundary) -> Result<Boundary, ToolConfigError> {
    if boundary.is_available() {
        return Ok(boundary);
    }
    Err(missing(boundary))
}

/// The strongest boundary of this machine, if it is at least `least`.
pub(super) fn require_boundary(least: Boundary) -> Result<Boundary, ToolConfigError> {
    let strongest = Boundary::strongest();
    if strongest >= least {
        return Ok(strongest);
    }
    Err(missing(least))
}

fn missing(boundary: Boundary) -> ToolConfigError {
    let strongest = Boundary::strongest();
    ToolConfigError::Boundary(format!(
        "this machine cannot put processes into a {boundary}; the strongest boundary that it has is a {strongest}"
    ))
}
