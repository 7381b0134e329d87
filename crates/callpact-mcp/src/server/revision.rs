//! Differences between the revisions of the protocol.

use rmcp::{RoleServer, model::ProtocolVersion, service::RequestContext};

/// Whether the client takes structured output that is not an object.
pub(super) fn takes_any_value(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}
