use std::collections::BTreeMap;

use serde::Serialize;
use callpact::ToolOutput;

#[derive(Serialize)]
struct Unknown;

#[derive(Serialize, ToolOutput, PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    name: String,
}

#[derive(Serialize, ToolOutput)]
struct Found {
    inner: Unknown,
}

#[derive(Serialize, ToolOutput)]
struct Keyed {
    keyed: BTreeMap<Named, u8>,
}

fn main() {}
