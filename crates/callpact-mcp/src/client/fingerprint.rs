//! The parts of a tool's listing that are fingerprinted.

use callpact::pins;
use rmcp::model::Tool;
use serde_json::Value;

/// The fingerprint of a tool's listing.
pub(super) fn fingerprint(tool: &Tool) -> String {
    let mut all = serde_json::to_value(tool).unwrap_or_default();
    if let Value::Object(map) = &mut all {
        // A person does not review icons or metadata.
        map.remove("icons");
        map.remove("_meta");
    }
    pins::fingerprint(&all)
}

#[cfg(test)]
mod tests {
    use rmcp::model::Tool;
    use serde_json::{Value, json};

    use super::fingerprint;

    #[test]
    fn whatever_a_person_accepts_of_a_tool_counts() {
        let plain = json!({
            "name": "a", "title": "A", "description": "Does it.", "inputSchema": {"type": "object"},
            "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true},
        });
        let with = |key: &str, value: Value| {
            let mut tool = plain.clone();
            tool[key] = value;
            let tool: Tool = serde_json::from_value(tool).expect("a tool");
            fingerprint(&tool)
        };
        let accepted = with("name", json!("a"));
        let other = json!({"type": "object", "properties": {"b": {"type": "string"}}});
        for (key, value) in [
            ("title", json!("B")),
            ("description", json!("Does more.")),
            ("inputSchema", other.clone()),
            ("outputSchema", other),
            ("annotations", json!({"readOnlyHint": false})),
        ] {
            assert_ne!(with(key, value), accepted, "{key}");
        }
        for (key, value) in [
            ("icons", json!([{"src": "https://example.com/a.png"}])),
            ("_meta", json!({"b": 1})),
        ] {
            assert_eq!(with(key, value), accepted, "{key}");
        }
    }
}
