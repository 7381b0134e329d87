//! The last step of a call: its end becomes the reply.

use std::time::Duration;

use super::finished::FinishedCall;
use crate::{
    adapter::{Outcome, RESULT_PAGE, ToolCall, ToolReply},
    schema::cut,
    tool::{ToolContext, ToolResult},
    toolset::{HEAD, Toolset},
};

impl Toolset {
    /// Makes the reply: cuts it to the limit and adds the notes.
    pub(super) fn reply(
        &self,
        call: &ToolCall,
        tool: &str,
        finished: FinishedCall,
        duration: Duration,
    ) -> ToolReply {
        // A page keeps to the limit by itself. A second cut would lead away from its result.
        let is_page = self.0.pages.is_some() && tool == RESULT_PAGE;
        let limit = self
            .0
            .max_output
            .saturating_add(if is_page { HEAD } else { 0 });
        let mut reply = ToolReply {
            origin: call.origin.clone(),
            fixes: finished.fixes,
            edited: finished.edited.map(String::from),
            replayed: finished.replayed,
            runs_elsewhere: finished.runs_elsewhere,
            duration,
            limit: Some(limit),
            told: self.0.notes,
            ..ToolReply::new(&call.id, tool, finished.outcome, finished.result)
        };
        if let Some(pages) = &self.0.pages
            && reply.is_cut()
        {
            reply.rest = Some(pages.keep(&reply.whole_text()));
        }
        reply
    }

    /// The reply to a call whose name is not the name of a tool in this list.
    #[cold]
    pub(super) fn reply_without_tool(&self, call: &ToolCall, cx: &ToolContext) -> ToolReply {
        // A tool may make a call with a secret as its name.
        let name = cx.without_secrets(&call.name);
        let name = cut(&name, 64);
        let reply = |outcome, result| ToolReply {
            origin: call.origin.clone(),
            ..ToolReply::new(&call.id, &name, outcome, result)
        };
        // The name may be cut off as well.
        if let Some(finished) = FinishedCall::broken(call, "") {
            return reply(finished.outcome, finished.result);
        }
        let text = self.describe_unknown(&call.name);
        tracing::warn!(target: "callpact", tool = %name, "Tool error: unknown tool");
        reply(Outcome::UnknownTool, ToolResult::failure(text))
    }
}
