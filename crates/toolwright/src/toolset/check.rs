//! The first steps of a call, and no more.

use std::borrow::Cow;

use super::{
    Toolset,
    call::{cut_off, read},
};
use crate::{
    adapter::{Outcome, ToolCall, ToolReply},
    tool::{ToolContext, ToolResult},
};

impl Toolset {
    /// What [`call`](Self::call) would say of the arguments: they are read, and the tool itself is
    /// heard on them. Nobody is asked, no secret is looked up, and nothing runs.
    ///
    /// A success has no output; what was changed in the arguments is in its fixes.
    ///
    /// ```
    /// use toolwright::{DynamicTool, Outcome, ToolCall, ToolContext, Toolset};
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
        let Some(entry) = self.entry(&call.name) else {
            return self.no_entry(call);
        };
        let cx = cx.for_call(&call.id, &entry.name);
        let read = if call.cut_off {
            Err(cut_off(&entry.name))
        } else {
            read(entry, &mut Cow::Borrowed(&*call.arguments), &cx)
        };
        let (outcome, result, fixes) = match read {
            Ok((prepared, _)) => (Outcome::Success, ToolResult::success(()), prepared.fixes),
            Err(done) => (done.outcome, done.result, done.fixes),
        };
        let mut reply = ToolReply::new(&call.id, &entry.name, outcome, result);
        reply.fixes = fixes;
        reply.limit = self.0.max_output;
        reply
    }
}
