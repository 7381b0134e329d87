//! Keeps a run from going round in circles.

use std::collections::HashMap;

use crate::adapter::{ToolCall, ToolReply};

/// Bounds one run of an agent: how many calls, how many retries of one tool, how often the same
/// failing call.
///
/// ```
/// use toolwright::{CallGuard, ToolCall, toolset::Verdict};
///
/// let mut guard = CallGuard::new().max_calls(1);
/// let call = ToolCall::new("1", "search", "{}");
/// assert_eq!(guard.admit(&call), Verdict::Go);
/// let Verdict::Stop(text) = guard.admit(&call) else { panic!() };
/// assert!(text.starts_with("STOP: Maximum tool iterations (1) reached."));
/// ```
#[derive(Clone, Debug)]
pub struct CallGuard {
    max_calls: usize,
    max_refused: usize,
    max_retries: usize,
    max_repeats: usize,
    calls: usize,
    refused: usize,
    retries: HashMap<String, usize>,
    last_failure: Option<(String, String)>,
    repeats: usize,
}

/// What a [`CallGuard`] says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Make the call.
    Go,
    /// Do not make it; send this to the model instead.
    Stop(String),
    /// The model does not listen; end the run.
    GiveUp,
}

impl CallGuard {
    /// 25 calls, 3 retries of a tool, 3 times the same failing call.
    pub fn new() -> Self {
        Self {
            max_calls: 25,
            max_refused: 3,
            max_retries: 3,
            max_repeats: 3,
            calls: 0,
            refused: 0,
            retries: HashMap::new(),
            last_failure: None,
            repeats: 0,
        }
    }

    /// How many calls a run may make.
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// How often in a row a tool may ask for another try.
    #[must_use]
    pub fn max_retries(mut self, retries: usize) -> Self {
        self.max_retries = retries;
        self
    }

    /// How often in a row the same call may fail.
    #[must_use]
    pub fn max_repeats(mut self, repeats: usize) -> Self {
        self.max_repeats = repeats;
        self
    }

    /// How many calls were made.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// Whether the next call may be made.
    pub fn admit(&mut self, call: &ToolCall) -> Verdict {
        if self.calls >= self.max_calls {
            return self.refuse(format!(
                "STOP: Maximum tool iterations ({}) reached. You must provide your best final answer now based on information gathered so far.",
                self.max_calls
            ));
        }
        let same = self
            .last_failure
            .as_ref()
            .is_some_and(|(name, arguments)| *name == call.name && *arguments == call.arguments);
        if same && self.repeats >= self.max_repeats {
            return self.refuse(format!(
                "STOP: This call has failed {} times with the same arguments. Change the arguments, use another tool, or answer without it.",
                self.repeats
            ));
        }
        if self
            .retries
            .get(&call.name)
            .is_some_and(|retries| *retries >= self.max_retries)
        {
            return self.refuse(format!(
                "STOP: Tool '{}' has failed {} times in a row. Do not call it again; go on without it.",
                call.name, self.max_retries
            ));
        }
        self.calls += 1;
        Verdict::Go
    }

    fn refuse(&mut self, text: String) -> Verdict {
        self.refused += 1;
        if self.refused > self.max_refused {
            Verdict::GiveUp
        } else {
            Verdict::Stop(text)
        }
    }

    /// Takes note of what a call came to.
    pub fn record(&mut self, call: &ToolCall, reply: &ToolReply) {
        if reply.is_success() {
            self.retries.remove(&call.name);
            self.last_failure = None;
            self.repeats = 0;
            return;
        }
        if reply.result.is_retry() || reply.result.report().is_some() {
            *self.retries.entry(call.name.clone()).or_default() += 1;
        }
        let this = (call.name.clone(), call.arguments.clone());
        if self.last_failure.as_ref() == Some(&this) {
            self.repeats += 1;
        } else {
            self.last_failure = Some(this);
            self.repeats = 1;
        }
    }
}

impl Default for CallGuard {
    fn default() -> Self {
        Self::new()
    }
}
