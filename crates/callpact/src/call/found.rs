//! The first step of a call: the list has its tool.

use std::borrow::Cow;

use super::{finished::{EarlyEnd, FinishedCall}, parsed::ParsedCall, checked::CheckedCall};
use crate::{
    adapter::{Outcome, ToolCall},
    crash::caught,
    tool::{Halt, ToolContext},
    toolset::Entry,
};

/// A call whose tool is in the list.
#[derive(Clone, Copy)]
pub(super) struct FoundCall<'a> {
    pub(super) entry: &'a Entry,
    pub(super) cx: &'a ToolContext,
    /// Whether the response of the model ended in the middle of the call.
    cut_off: bool,
    /// The arguments as the model sent them.
    arguments: &'a str,
}

impl<'a> FoundCall<'a> {
    pub(super) fn new(entry: &'a Entry, call: &'a ToolCall, cx: &'a ToolContext) -> Self {
        Self {
            entry,
            cx,
            cut_off: call.cut_off,
            arguments: &call.arguments,
        }
    }

    /// Reads and checks the arguments of the model.
    #[inline]
    pub(super) fn read(self) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        self.read_text(Cow::Borrowed(self.arguments))
    }

    /// Reads and checks arguments: those of the model, or those that a person wrote in their place.
    pub(super) fn read_text(
        self,
        arguments: Cow<'a, str>,
    ) -> Result<CheckedCall<'a>, Box<FinishedCall>> {
        let read = caught(|| ParsedCall::parse(self, arguments)?.check());
        read.unwrap_or_else(|| {
            let reason = "it crashed while it read its arguments";
            Err(FinishedCall::not_run(self.entry, Outcome::Crash, reason).into())
        })
    }

    /// Ends a call that the model did not finish writing.
    pub(super) fn refuse_cut_off(self) -> Result<Self, Box<FinishedCall>> {
        if self.cut_off {
            Err(FinishedCall::cut_off(&self.entry.name).into())
        } else {
            Ok(self)
        }
    }

    /// Ends a call that cannot start.
    #[inline]
    pub(super) fn start(self) -> Result<Self, EarlyEnd> {
        let call = self.refuse_cut_off()?;
        if self.cx.is_cancelled() {
            return Err(Halt::Cancelled.into());
        }
        Ok(call)
    }
}
