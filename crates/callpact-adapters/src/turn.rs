//! The calls of one turn, for hosts whose programs run the calls themselves.

use std::{error::Error, fmt};

use callpact::{Halt, ToolCall, ToolContext, ToolReply, Toolset};

/// A turn in which a call halted.
///
/// The other calls may have run: [`replies`](Self::replies) holds the result of each call. A program
/// that asks a person later, on [`Halt::Pending`], keeps the replies and answers the model when all
/// are there.
///
/// In a function that returns a [`Halt`], `?` converts it.
///
/// ```
/// use callpact::{Halt, PendingCall};
/// use callpact_adapters::Halted;
///
/// /// The calls that wait for a person.
/// fn waiting(halted: &Halted) -> impl Iterator<Item = &PendingCall> {
///     halted.replies.iter().filter_map(|reply| match reply {
///         Err(Halt::Pending(call)) => Some(&**call),
///         _ => None,
///     })
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Halted {
    /// Why the run ends.
    pub halt: Halt,
    /// The result of every call, in the order of the calls.
    pub replies: Vec<Result<ToolReply, Halt>>,
}

impl fmt::Display for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.halt.fmt(f)
    }
}

impl Error for Halted {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.halt)
    }
}

impl From<Halted> for Halt {
    fn from(halted: Halted) -> Self {
        halted.halt
    }
}

/// Runs the calls as the toolset does: read-only calls together, every other alone.
pub(crate) async fn run_calls(
    tools: &Toolset,
    calls: &[ToolCall],
    cx: &ToolContext,
) -> Result<Vec<ToolReply>, Halted> {
    let replies = tools.call_all(calls, cx).await;
    // A waiting call does not stop the others, so any other halt says more.
    let halts = || replies.iter().filter_map(|reply| reply.as_ref().err());
    let halt = halts()
        .find(|halt| !matches!(halt, Halt::Pending(_)))
        .or_else(|| halts().next());
    match halt.cloned() {
        Some(halt) => Err(Halted { halt, replies }),
        None => Ok(replies.into_iter().flatten().collect()),
    }
}

/// Marks the last call of a response that was cut off: it may not be whole.
pub(crate) fn mark_last_cut_off(calls: &mut [ToolCall]) {
    if let Some(last) = calls.last_mut() {
        last.cut_off = true;
    }
}

#[cfg(test)]
mod tests {
    use callpact::{ReviewDecision, tool};

    use super::*;

    /// Deletes a report
    #[tool(destructive)]
    fn delete_report(name: String) -> String {
        format!("deleted {name}")
    }

    #[tokio::test]
    async fn halted_turn_reports_reason_and_keeps_replies() {
        let tools = Toolset::builder().tool(DeleteReport).build();
        let tools = tools.expect("nothing conflicts");
        let call = |id: &str, name: &str| {
            ToolCall::new(
                id,
                "delete_report",
                serde_json::json!({ "name": name }).to_string(),
            )
        };
        let reviewer = callpact_testing::RecordingReviewer::new([
            ReviewDecision::Continue,
            ReviewDecision::REJECT,
        ]);
        let cx = ToolContext::new().with_reviewer(reviewer);
        let calls = [call("1", "q1"), call("2", "q2"), call("3", "q3")];
        let halted = run_calls(&tools, &calls, &cx)
            .await
            .expect_err("a rejection");
        let why = "the call of 'delete_report' was rejected by the reviewer";
        assert_eq!(halted.to_string(), why);
        // As an error, it leads to the halt itself.
        let source = halted
            .source()
            .and_then(|source| source.downcast_ref::<Halt>());
        assert_eq!(source, Some(&halted.halt));
        assert_eq!(halted.replies.len(), 3);
        let first = halted.replies.first().and_then(|reply| reply.as_ref().ok());
        assert_eq!(
            first.map(|reply| reply.to_model().into_owned()).as_deref(),
            Some("deleted q1")
        );
        let last = halted.replies.last();
        assert!(
            last.is_some_and(Result::is_err),
            "it was not asked about: {last:?}"
        );
        let through = || -> Result<(), Halt> { Err(halted.clone())? };
        assert_eq!(through(), Err(halted.halt.clone()));
    }
}
