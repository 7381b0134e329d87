//! The sixth step of a call: its end, before it becomes a reply.

use crate::{
    adapter::{CallRecord, Outcome, ToolCall},
    input::{Fix, Report},
    schema::cut,
    secret::Redactor,
    tool::{Halt, ToolResult},
    toolset::ToolEntry,
};

/// The end of a call that has a reply for the model.
pub(super) struct FinishedCall {
    pub(super) outcome: Outcome,
    pub(super) result: ToolResult,
    pub(super) fixes: Vec<Fix>,
    /// What a person wrote in place of the arguments, without secrets.
    pub(super) edited: Option<Box<str>>,
    /// Whether another try of the call ran the tool, or is still running it.
    pub(super) replayed: bool,
    /// Whether another try of the call is still running.
    pub(super) runs_elsewhere: bool,
}

/// Why a call goes no further.
pub(super) enum EarlyEnd {
    /// It has ended with a reply for the model.
    Finished(Box<FinishedCall>),
    /// The run stops.
    Halted(Halt),
}

impl EarlyEnd {
    /// The end of a call, at whichever step it came.
    #[inline]
    pub(super) fn finish(ended: Result<FinishedCall, Self>) -> Result<FinishedCall, Halt> {
        match ended {
            Ok(finished) => Ok(finished),
            Err(Self::Finished(finished)) => Ok(*finished),
            Err(Self::Halted(halt)) => Err(halt),
        }
    }
}

impl From<Box<FinishedCall>> for EarlyEnd {
    fn from(finished: Box<FinishedCall>) -> Self {
        Self::Finished(finished)
    }
}

impl From<FinishedCall> for EarlyEnd {
    fn from(finished: FinishedCall) -> Self {
        Box::new(finished).into()
    }
}

impl From<Halt> for EarlyEnd {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

impl FinishedCall {
    pub(super) fn new(outcome: Outcome, result: ToolResult) -> Self {
        Self {
            outcome,
            result,
            fixes: Vec::new(),
            edited: None,
            replayed: false,
            runs_elsewhere: false,
        }
    }

    /// Adds what a person wrote in place of the arguments, unless the tool itself got an edit.
    pub(super) fn note_edit(&mut self, edited: Option<Box<str>>) {
        if self.edited.is_none() {
            self.edited = edited;
        }
    }

    /// The end from the record of a store.
    pub(super) fn of_record(mut record: CallRecord) -> Self {
        let edited = record.edited.take().map(String::into_boxed_str);
        Self {
            edited,
            replayed: true,
            ..Self::new(record.outcome, record.into_result())
        }
    }

    /// The end as a record for a store.
    pub(super) fn to_stored(&self) -> String {
        let mut record = CallRecord::new(self.outcome, &self.result);
        record.edited = self.edited.as_deref().map(str::to_owned);
        // The record consists of texts, names and JSON values.
        serde_json::to_string(&record).unwrap_or_default()
    }

    /// A call that was refused, for a reason that the model gets.
    pub(super) fn refused(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self::new(outcome, ToolResult::failure(reason.into()))
    }

    /// A call that did not run its tool.
    pub(super) fn not_run(entry: &ToolEntry, outcome: Outcome, reason: &str) -> Self {
        let text = format!("Tool '{}' did not run: {reason}", entry.name);
        Self::refused(outcome, text)
    }

    /// The end of a call that the model did not finish writing, or that could not be put together. `tool` is empty
    /// if its name is that of no tool.
    #[inline]
    pub(super) fn broken(call: &ToolCall, tool: &str) -> Option<Self> {
        if call.cut_off || call.fault.is_some() {
            return Some(Self::explain_broken(call, tool));
        }
        None
    }

    #[cold]
    fn explain_broken(call: &ToolCall, tool: &str) -> Self {
        let what = if tool.is_empty() {
            "No tool ran".to_owned()
        } else {
            format!("Tool '{tool}' did not run")
        };
        let result = match &call.fault {
            Some(fault) if !call.cut_off => format!(
                "{what}: the call cannot be read, because {}. Make the call again",
                cut(fault, 500)
            ),
            _ => format!(
                "{what}: the response was cut off in this call. Make the call again, with shorter \
                 arguments or in several calls"
            ),
        };
        Self::new(Outcome::InvalidArguments, ToolResult::retry(result))
    }

    /// A call whose arguments were not accepted, with the accepted forms of the faulty fields.
    pub(super) fn invalid(entry: &ToolEntry, report: Report) -> Self {
        let text = report.with_excerpt(entry.tool.parameters().tree());
        let result = ToolResult::invalid(report).map_error(|_| text);
        Self::new(Outcome::InvalidArguments, result)
    }
}

/// Removes every secret of the call from its result.
#[inline]
pub(super) fn redact_result(result: ToolResult, redactor: Option<&Redactor>) -> ToolResult {
    match redactor {
        Some(redactor) => result.redacted(redactor),
        None => result,
    }
}

/// Removes every secret of the call from a halt.
pub(super) fn redact_halt(halt: &Halt, redactor: Option<&Redactor>) -> Halt {
    let mut halt = halt.clone();
    if let Some(redactor) = redactor {
        match &mut halt {
            Halt::ExitEarly { message, .. }
            | Halt::Misconfigured(message)
            | Halt::ReviewFailed(message)
            | Halt::StoreFailed(message) => redactor.clean(message),
            Halt::Cancelled | Halt::Pending(_) => {}
        }
    }
    halt
}
