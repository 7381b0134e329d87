//! What is fingerprinted of a tool's listing.

use rmcp::model::Tool;
use serde_json::Value;
use toolwright::pins;

/// The fingerprint of a tool's listing.
pub(super) fn fingerprint(tool: &Tool) -> String {
    let mut all = serde_json::to_value(tool).unwrap_or_default();
    if let Value::Object(map) = &mut all {
        // A person accepts neither icons nor metadata.
        map.remove("icons");
        map.remove("_meta");
    }
    pins::fingerprint(&all)
}
