//! The first steps of a call: it is read and checked, but does not run.

use std::time::Duration;

use super::{finished::FinishedCall, found::FoundCall};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    tool::{ToolContext, ToolResult},
    toolset::Toolset,
};

impl Toolset {
    /// Checks the arguments of a call as [`call`](Self::call) does: they are read, and the tool checks
    /// them. Nobody is asked, no secret is looked up, and nothing runs.
    ///
    /// A success has no output. Its fixes say what was changed in the arguments.
    ///
    /// ```
    /// use callpact::{DynamicTool, Outcome, ToolCall, ToolContext, Toolset};
    ///
    /// let schema = r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
    /// let delete = DynamicTool::new("delete", "Deletes a file.", Some(schema), |_, _| async {
    ///     panic!("it is only checked");
    ///     #[allow(unreachable_code)]
    ///     ""
    /// })?;
    /// let tools = Toolset::builder().tool(delete).build()?;
    /// let check = |arguments| {
    ///     tools.check(&ToolCall::new("1", "delete", arguments), &ToolContext::new())
    /// };
    /// assert!(check(r#"{"path": "a.txt"}"#).is_success());
    /// assert_eq!(check("{}").outcome, Outcome::InvalidArguments);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, call: &ToolCall, cx: &ToolContext) -> ToolReply {
        let Some(entry) = self.called_entry(call) else {
            return self.reply_without_tool(call, cx);
        };
        let cx = cx.for_call(&call.id, &entry.name);
        let found = FoundCall::new(entry, call, &cx).refuse_broken();
        let finished = match found.and_then(FoundCall::read) {
            Ok(mut call) => FinishedCall {
                fixes: call.input.take_fixes(),
                ..FinishedCall::new(Outcome::Success, ToolResult::success(()))
            },
            Err(finished) => *finished,
        };
        self.reply(call, &entry.name, finished, Duration::ZERO)
    }
}
