//! Schemas in the form that hosts take.

use callpact::ToolSpec;
use serde_json::Value;

/// The schema of the parameters as a value.
pub(crate) fn parameters(spec: &ToolSpec) -> Value {
    serde_json::from_str(&spec.parameters).unwrap_or_default()
}

#[cfg(any(feature = "async-openai", feature = "genai"))]
/// Whether the provider holds the model to the schema.
pub(crate) fn is_strict(spec: &ToolSpec) -> bool {
    spec.dialect.is_strict()
}
