//! Functions and methods as tools, and the list that mixes them with everything else.
// Tools here are as small as possible.
#![allow(
    clippy::float_cmp,
    clippy::items_after_statements,
    clippy::unnecessary_literal_bound,
    clippy::unused_async,
    clippy::unused_self
)]

mod block;
mod blocking;
mod broken;
mod commands;
mod free;
mod mixed;
mod outputs;
mod testing;

use callpact::{Halt, ToolCall, ToolContext, ToolReply, Toolset};

/// Calls a tool of a list.
async fn call(
    tools: &Toolset,
    name: &str,
    arguments: &str,
    cx: &ToolContext,
) -> Result<ToolReply, Halt> {
    tools
        .call(&ToolCall::new("call-1", name, arguments), cx)
        .await
}
