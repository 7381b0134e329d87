//! The steps of a call through a list, in order: find, read, precheck, approve, resolve secrets, run, shape the reply.
//! No step is skipped.

use tracing::Instrument;

use super::{
    approved::approve,
    claim::end_unread,
    finished::{EarlyEnd, FinishedCall},
    found::FoundCall,
    gate::{DecisionNeed, need},
    observed::{FollowedCall, observe_end, open_span},
    prior_decision::{PriorAnswer, PriorDecision},
    question::pending_call,
    stored::ResumeError,
    time_limit::TimeLimit,
    waiting::{explain_change, explain_workspace},
};
use crate::{
    adapter::{ToolCall, ToolReply},
    crash::BoxFuture,
    review::ReviewDecision,
    schema::cut,
    tool::{CountedStep, Halt, PendingCall, ToolContext},
    toolset::Toolset,
};

impl Toolset {
    /// Makes a call.
    ///
    /// Every fault of the call itself (an unknown tool, arguments that do not fit, a tool that fails or
    /// crashes) is a reply for the model.
    ///
    /// # Errors
    /// A [`Halt`] for the program: a reviewer ended the run, a reviewer is missing, the call was
    /// cancelled, or it waits for a decision.
    pub fn call(
        &self,
        call: &ToolCall,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<ToolReply, Halt>> {
        // Not `async`: each extra future around this one moves the reply once more.
        self.run_call(call, None, cx)
    }

    /// Makes a call with arguments that a person wrote in place of those of the model. The reviewer is asked about
    /// the edited call and told that it is an edit. The model is told too.
    ///
    /// [`call`](Self::call) does this itself after an edit by its reviewer. This method is for programs whose
    /// reviewer answers when the call is made again.
    ///
    /// ```
    /// use callpact::{Halt, ToolCall, ToolContext, Toolset, tool};
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32) -> String {
    ///     format!("paid {euros} EUR")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let later = ToolContext::new().with_deferred_approval();
    /// let asked = tools.call_edited(&call, r#"{"euros": 80}"#, &later).await;
    /// let Err(Halt::Pending(pending)) = asked else { panic!() };
    /// assert_eq!(pending.request().description, "Call pay, as a person edited it");
    /// assert_eq!(pending.arguments, r#"{"euros": 80}"#);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Like [`call`](Self::call).
    pub async fn call_edited(
        &self,
        call: &ToolCall,
        edit: &str,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        self.run_call(call, Some(PriorAnswer::Edited(edit)), cx)
            .await
    }

    /// Decides about a call that waits, and carries it out: a call that the program holds, or one in the
    /// [store](ToolContext::with_store) of the context, by its id.
    ///
    /// If the program holds the call and an edit does more than its text shows, because of a preview or filled-in
    /// defaults, the call waits again: as [`Halt::Pending`] with the edited call, for another look.
    ///
    /// In a store the first decision counts, in one process or in many. An edit, the role and the tool are checked
    /// before the decision is recorded, so after such an error the call still waits. The preview of an edited call is
    /// made at this moment. To show it to somebody first, record the result of [`preview_edit`](Self::preview_edit)
    /// with [`CallStore::take`](crate::store::CallStore::take). The decision is recorded under the
    /// [caller](ToolContext::with_caller) of the context, for the role of its reviewer.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use callpact::{Halt, ReviewDecision, ToolCall, ToolContext, Toolset, store::MemoryStore, tool};
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32) -> String {
    ///     format!("paid {euros} EUR")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let later = ToolContext::new().with_deferred_approval();
    /// let Err(Halt::Pending(pending)) = tools.call(&call, &later).await else { panic!() };
    /// let reply = tools.decide(&pending, ReviewDecision::Continue, &later).await?;
    /// assert_eq!(reply.to_model(), "paid 90 EUR");
    ///
    /// let stored = later.with_store(Arc::new(MemoryStore::new()));
    /// let Err(Halt::Pending(pending)) = tools.call(&call, &stored).await else { panic!() };
    /// let reply = tools.decide(&pending.id, ReviewDecision::Continue, &stored).await?;
    /// assert_eq!(reply.to_model(), "paid 90 EUR");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// With the reason why the call did not resume, such as a tool or parameters that have changed since the question
    /// was asked. After a [`ResumeError::Store`] or a [`ResumeError::Halt`] about a stored call, the decision may have
    /// been recorded; [`resume`](Self::resume) then carries the call out. About a call that the program holds, this
    /// list, and every list made from it, uses one decision. Another process does not know of it; a store does.
    pub fn decide<'a>(
        &'a self,
        call: impl Into<WaitingCall<'a>>,
        decision: ReviewDecision,
        cx: &'a ToolContext,
    ) -> impl Future<Output = Result<ToolReply, ResumeError>> {
        let call = call.into();
        async move {
            match call {
                WaitingCall::Held(pending) => Ok(self.decide_held(pending, decision, cx).await?),
                WaitingCall::Stored(id) => self.decide_stored(id, decision, cx).await,
            }
        }
    }

    async fn decide_held(
        &self,
        pending: &PendingCall,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let call = pending_call(pending, &pending.arguments);
        let (made_in, here) = (pending.workspace.as_deref(), cx.workspace());
        let unchanged = self
            .entry(&pending.tool)
            .filter(|entry| entry.is_unchanged(pending) && made_in == here);
        let decision =
            unchanged.and_then(|entry| PriorDecision::new(decision, pending, &entry.used));
        let Some(decision) = decision else {
            let tool = cut(&pending.tool, 64);
            let halt = if made_in == here {
                explain_change(&tool)
            } else {
                Halt::Misconfigured(explain_workspace(made_in, here))
            };
            cx.metrics().increment_halt(&tool, cx.role(), halt.name());
            tracing::error!(target: "callpact", %tool, "Tool configuration error: {halt}");
            return Err(halt);
        };
        self.run_decided(&call, Box::new(decision), cx).await
    }

    /// Behind a pointer, so that this code is compiled in this crate too, where a dev build of the program finds it.
    fn run_decided<'a>(
        &'a self,
        call: &'a ToolCall,
        decision: Box<PriorDecision<'a>>,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<ToolReply, Halt>> {
        Box::pin(self.run_call(call, Some(PriorAnswer::Decided(decision)), cx))
    }

    pub(super) async fn run_call(
        &self,
        call: &ToolCall,
        prior: Option<PriorAnswer<'_>>,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let entry = self.called_entry(call);
        let observed = FollowedCall::begin(entry, call, cx);
        let ended = match entry {
            None => Ok(self.reply_without_tool(call, cx)),
            Some(entry) => {
                let cx = observed.watched(cx.for_call(&call.id, &entry.name));
                let found = FoundCall::new(entry, call, &cx);
                let counted = CountedStep::new(&cx, &entry.name);
                let span = open_span(entry, call, &cx);
                let ended = if span.is_disabled() {
                    // Made where it is awaited, so that it is not moved.
                    run_steps(found, prior).await
                } else {
                    let steps = run_steps(found, prior);
                    // Boxed, so that an untraced call does not move the room for it.
                    Box::pin(steps.instrument(span.clone())).await
                };
                let duration = counted.end();
                let ended = EarlyEnd::finish(ended)
                    .map(|finished| self.reply(call, &entry.name, finished, duration));
                observe_end(&ended, entry, call, duration, (&cx, &span));
                ended
            }
        };
        observed.end(&ended);
        ended
    }
}

/// A call that waits for a decision.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum WaitingCall<'a> {
    /// The program holds it.
    Held(&'a PendingCall),
    /// It waits in the [store](ToolContext::with_store) of the context, under this id.
    Stored(&'a str),
}

impl<'a> From<&'a PendingCall> for WaitingCall<'a> {
    fn from(call: &'a PendingCall) -> Self {
        Self::Held(call)
    }
}

impl<'a> From<&'a Box<PendingCall>> for WaitingCall<'a> {
    fn from(call: &'a Box<PendingCall>) -> Self {
        Self::Held(call)
    }
}

impl<'a> From<&'a str> for WaitingCall<'a> {
    fn from(id: &'a str) -> Self {
        Self::Stored(id)
    }
}

impl<'a> From<&'a String> for WaitingCall<'a> {
    fn from(id: &'a String) -> Self {
        Self::Stored(id)
    }
}

/// The steps of a call that was found. The rare cases are boxed, since every call moves the room for the rest.
async fn run_steps(
    found: FoundCall<'_>,
    prior: Option<PriorAnswer<'_>>,
) -> Result<FinishedCall, EarlyEnd> {
    let found = found.start()?;
    let approved = match (need(found.entry, found.cx), prior) {
        (DecisionNeed::No, None) => match found.read() {
            Ok(call) => call.allow()?,
            Err(finished) => return Err(Box::pin(end_unread(found, finished)).await),
        },
        (need, prior) => Box::pin(approve(found, need, prior)).await?,
    };
    // The time that a person needs to decide does not count as the tool's time.
    let time = TimeLimit::of_call(found.entry, found.cx)?;
    if !found.entry.layers.is_empty() {
        return Box::pin(approved.run_in_layers(time)).await;
    }
    let claimed = match approved.claim_plain(time) {
        Ok(claimed) => claimed,
        Err(approved) => Box::pin(approved.claim(time)).await?,
    };
    claimed.run(None).await
}
