//! Types that clap reads too: the command line and the tool agree.

mod agreement;
mod command_lines;

use callpact::{ToolInput, schema::Schema};
use clap::{Command, Parser};
use serde_json::Value;

/// The schema of a type as JSON.
fn schema_of<T: ToolInput>() -> Value {
    let schema: &Schema = T::SCHEMA;
    serde_json::from_str(&schema.to_json(callpact::Dialect::Mcp20251125)).expect("JSON")
}

fn command_of<T: Parser>() -> Command {
    let mut command = T::command();
    command.build();
    command
}
