//! The first step of a call: its tool is in the list.

use super::finished::{EarlyEnd, FinishedCall};
use crate::{
    adapter::ToolCall,
    tool::{Halt, ToolContext},
    toolset::ToolEntry,
};

/// A call whose tool is in the list.
#[derive(Clone, Copy)]
pub(super) struct FoundCall<'a> {
    pub(super) entry: &'a ToolEntry,
    pub(super) cx: &'a ToolContext,
    /// The call as the model made it.
    pub(super) call: &'a ToolCall,
}

impl<'a> FoundCall<'a> {
    /// `entry` is the tool that the call names, and `cx` the context of this call.
    pub(super) fn new(entry: &'a ToolEntry, call: &'a ToolCall, cx: &'a ToolContext) -> Self {
        Self { entry, cx, call }
    }

    /// Ends a call that cannot start: its text is cut off, or it was cancelled.
    #[inline]
    pub(super) fn start(self) -> Result<Self, EarlyEnd> {
        self.refuse_broken()?;
        if self.cx.is_cancelled() {
            return Err(Halt::Cancelled.into());
        }
        Ok(self)
    }

    /// Ends a call that the model did not finish writing, or that could not be put together.
    pub(super) fn refuse_broken(self) -> Result<Self, Box<FinishedCall>> {
        match FinishedCall::broken(self.call, &self.entry.name) {
            Some(finished) => Err(finished.into()),
            None => Ok(self),
        }
    }
}
