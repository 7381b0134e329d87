use serde::{Serialize, Serializer};
use callpact::ToolOutput;

fn hex<S: Serializer>(value: &u8, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[derive(Serialize, ToolOutput)]
struct Found {
    #[serde(serialize_with = "hex")]
    colour: u8,
    inside: Vec<Found>,
    #[serde(rename = "colour2")]
    one: u8,
    colour2: u8,
    #[tool_output(display)]
    three: u8,
}

#[derive(Serialize, ToolOutput)]
struct Pair(u8, #[serde(skip_serializing_if = "Option::is_none")] Option<u8>);

#[derive(Serialize, ToolOutput)]
enum Mixed {
    One(u8),
    #[serde(untagged)]
    Other(String),
}

fn main() {}
