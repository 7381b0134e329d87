//! The second step of a call: its arguments fit the parameters of the tool.

use std::borrow::Cow;

use super::{finished::FinishedCall, found::FoundCall};
use crate::tool::ParsedInput;

/// A call whose arguments were read.
pub(super) struct ParsedCall<'a> {
    found: FoundCall<'a>,
    arguments: Cow<'a, str>,
    input: ParsedInput,
}

impl<'a> FoundCall<'a> {
    /// Reads arguments with the reader of the tool.
    #[inline]
    pub(super) fn parse(
        self,
        arguments: Cow<'a, str>,
    ) -> Result<ParsedCall<'a>, Box<FinishedCall>> {
        let input = self
            .entry
            .tool
            .prepare(&arguments, self.cx.policy())
            .map_err(|report| FinishedCall::invalid(self.entry, report))?;
        Ok(ParsedCall {
            found: self,
            arguments,
            input,
        })
    }
}

impl<'a> ParsedCall<'a> {
    #[inline]
    pub(super) fn into_parts(self) -> (FoundCall<'a>, Cow<'a, str>, ParsedInput) {
        (self.found, self.arguments, self.input)
    }
}
