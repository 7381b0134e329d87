//! Keeps a run from going round in circles.

use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::{
    adapter::{ToolCall, ToolReply},
    tool::compact,
};

/// Bounds one run of an agent: how many calls, how many retries of one tool, how often the same
/// failing call.
///
/// ```
/// use callpact::{CallGuard, ToolCall, toolset::Verdict};
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
    budgets: HashMap<String, usize>,
    /// By tool: how many times in a row it asked for another try.
    retries: HashMap<String, usize>,
    /// By tool and arguments: how many times it failed since the last success.
    failures: HashMap<(String, String), usize>,
}

/// Arguments in the form that is compared: blanks between the parts do not matter.
fn written(arguments: &str) -> String {
    if serde_json::from_str::<IgnoredAny>(arguments).is_ok() {
        compact(arguments)
    } else {
        arguments.to_owned()
    }
}

/// The verdict of a [`CallGuard`] on a call.
#[must_use = "a call that the guard stops is not to be made"]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Make the call.
    Go,
    /// Do not make it; send this to the model instead.
    Stop(String),
    /// The model does not react; end the run.
    GiveUp,
}

impl CallGuard {
    /// The limits are 25 calls, 3 retries of a tool, 3 times the same failing call, and 3 refusals in
    /// a row before it gives up.
    pub fn new() -> Self {
        Self {
            max_calls: 25,
            max_refused: 3,
            max_retries: 3,
            max_repeats: 3,
            calls: 0,
            refused: 0,
            budgets: HashMap::new(),
            retries: HashMap::new(),
            failures: HashMap::new(),
        }
    }

    /// How many calls a run may make.
    #[must_use]
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// How many times in a row the model may try a tool again after it asked for that or did not
    /// accept its arguments: with 1, the second such failure is the last.
    #[must_use]
    pub fn max_retries(mut self, retries: usize) -> Self {
        self.max_retries = retries;
        self
    }

    /// Sets the limit for one tool; it takes precedence over the limit for all tools.
    #[must_use]
    pub fn max_retries_of(mut self, tool: impl Into<String>, retries: usize) -> Self {
        self.budgets.insert(tool.into(), retries);
        self
    }

    /// How many times the same call may fail while nothing succeeds.
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
        let repeats = if self.failures.is_empty() {
            0
        } else {
            let this = (call.name.clone(), written(&call.arguments));
            self.failures.get(&this).copied().unwrap_or_default()
        };
        if repeats > 0 && repeats >= self.max_repeats {
            return self.refuse(format!(
                "STOP: This call has failed {repeats} times with the same arguments. Change the arguments, use another tool, or answer without it."
            ));
        }
        let budget = self.budgets.get(&call.name).unwrap_or(&self.max_retries);
        let retries = self.retries.get(&call.name).copied().unwrap_or_default();
        if retries > *budget {
            return self.refuse(format!(
                "STOP: Tool '{}' has failed {retries} times in a row. Do not call it again; go on without it.",
                call.name
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

    /// Records the outcome of a call.
    pub fn record(&mut self, call: &ToolCall, reply: &ToolReply) {
        if reply.is_success() {
            // Something has changed; what failed before may work now.
            self.retries.remove(&call.name);
            self.failures.clear();
            self.refused = 0;
            return;
        }
        if reply.result.is_retry() || reply.result.report().is_some() {
            *self.retries.entry(call.name.clone()).or_default() += 1;
        }
        let this = (call.name.clone(), written(&call.arguments));
        *self.failures.entry(this).or_default() += 1;
    }
}

impl Default for CallGuard {
    fn default() -> Self {
        Self::new()
    }
}
