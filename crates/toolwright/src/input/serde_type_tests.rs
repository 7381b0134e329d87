use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::Serde;
use crate::{Policy, ToolInput, read_str, read_value};
