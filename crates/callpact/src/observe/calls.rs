//! Calls as an observer sees them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{
    input::Fix,
    review::{ReviewDecision, ReviewRequest},
    store::Moment,
};

/// Is told about every call of a context, when it begins and when it ends.
///
/// Secrets are placeholders in what an observer sees, and the values of secret parameters are masked. Set it with
/// [`ToolContext::with_observer`](crate::ToolContext::with_observer).
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use callpact::{ToolCall, ToolContext, Toolset, observe::{CallEnd, CallObserver, ObservedCall}, tool};
///
/// #[derive(Clone, Default)]
/// struct Diary(Arc<Mutex<Vec<String>>>);
///
/// impl CallObserver for Diary {
///     fn ended(&self, call: &ObservedCall<'_>, end: &CallEnd<'_>) {
///         self.0.lock().unwrap().push(format!("{}: {}", call.tool, end.outcome));
///     }
/// }
///
/// /// Says hello
/// #[tool(read_only)]
/// fn hello() -> &'static str {
///     "hello"
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let diary = Diary::default();
/// let tools = Toolset::builder().tool(Hello).build()?;
/// let cx = ToolContext::new().with_observer(diary.clone());
/// tools.call(&ToolCall::new("1", "hello", "{}"), &cx).await?;
/// assert_eq!(*diary.0.lock().unwrap(), ["hello: success"]);
/// # Ok(())
/// # }
/// ```
pub trait CallObserver: Send + Sync {
    /// A call begins.
    fn began(&self, call: &ObservedCall<'_>) {
        let _ = call;
    }

    /// The call waits for a person. A call may wait several times.
    fn waiting(&self, call: &ObservedCall<'_>, request: &ReviewRequest) {
        let _ = (call, request);
    }

    /// The call does not wait any more: somebody decided, or with `None` the question was withdrawn.
    fn decided(&self, call: &ObservedCall<'_>, decision: Option<&CallDecision>) {
        let _ = (call, decision);
    }

    /// A call ended. Every call that began ends, also one that is dropped.
    fn ended(&self, call: &ObservedCall<'_>, end: &CallEnd<'_>) {
        let _ = (call, end);
    }
}

/// A call as a [`CallObserver`] sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ObservedCall<'a> {
    /// Tells the calls of this process apart; the model chooses the other id.
    pub number: u64,
    /// The id that the model gave the call.
    pub call_id: &'a str,
    /// The name of the tool, which may be one that does not exist.
    pub tool: &'a str,
    /// The role of the agent that calls, if one was set.
    pub role: Option<&'a str>,
    /// The [run](crate::ToolContext::with_run) of the call, if it was named.
    pub run: Option<&'a str>,
    /// The [turn](crate::ToolContext::with_turn) of the run, if it was set.
    pub turn: Option<u32>,
    /// The arguments as the model wrote them, with masks in place of the values of secret parameters.
    pub arguments: &'a str,
}

/// The end of a call, as a [`CallObserver`] sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CallEnd<'a> {
    /// The name of the outcome, or of the halt.
    pub outcome: &'static str,
    /// Whether the call ended as a halt, which the model does not see.
    pub halted: bool,
    /// The text for the model, or the text of the halt.
    pub text: &'a str,
    /// The changes that were made to the arguments to read them.
    pub fixes: &'a [Fix],
    /// How long the call took.
    pub duration: Duration,
    /// Where that time went.
    pub times: CallTimes,
    /// The last decision about the call, if a person was asked.
    pub decision: Option<&'a CallDecision>,
}

/// Where the time of a call went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallTimes {
    /// Reading and checking the arguments, and everything around the run.
    pub reading: Duration,
    /// Waiting for a person. For a call that waited in a store, from the question to the decision.
    pub waiting: Duration,
    /// Running the tool, without its questions to a person.
    pub running: Duration,
}

/// A decision about a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallDecision {
    /// The decision. Values of secret parameters are masked in an edit.
    pub decision: ReviewDecision,
    /// Who decided, if that is known.
    pub by: Option<String>,
    /// When.
    pub at: Moment,
    /// The text that was decided about, as it was shown.
    pub asked: String,
    /// The digest that the decision is bound to.
    pub digest: String,
}

impl CallDecision {
    /// A decision about a text, under a digest.
    pub fn new(
        decision: ReviewDecision,
        asked: impl Into<String>,
        digest: impl Into<String>,
        at: Moment,
    ) -> Self {
        Self {
            decision,
            by: None,
            at,
            asked: asked.into(),
            digest: digest.into(),
        }
    }
}
