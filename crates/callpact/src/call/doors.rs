//! The steps of a call through a list, in order: find, read, precheck, approve, resolve secrets, run, shape the reply.
//! No step is skipped.

use tracing::Instrument;

use super::{
    approved::approve,
    finished::{EarlyEnd, FinishedCall},
    found::FoundCall,
    gate::{Need, need},
    observed::{Observed, observe_end, open_span},
    prior_decision::{PriorAnswer, PriorDecision},
    time_limit::TimeLimit,
    waiting::{explain_change, explain_workspace},
};
use crate::{
    adapter::{ToolCall, ToolReply},
    crash::BoxFuture,
    review::ReviewDecision,
    schema::cut,
    tool::{Counted, Halt, PendingCall, ToolContext},
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

    /// Makes a call that waited for a decision, perhaps in another process.
    ///
    /// If an edit does more than its text says, because of a preview or filled-in defaults, the call waits again: as
    /// [`Halt::Pending`] with the edited call, for another look.
    ///
    /// # Errors
    /// Like [`call`](Self::call). Also when the tool, its parameters or the arguments have changed
    /// since the question was asked, and when this list, or one made from it, has already used a
    /// decision about this call. Another process does not know that;
    /// [`resume_stored`](Self::resume_stored) does.
    pub async fn resume(
        &self,
        pending: &PendingCall,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, Halt> {
        let call = ToolCall::new(&pending.call_id, &pending.tool, &pending.arguments);
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
        let observed = Observed::begin(call, cx);
        let ended = match self.entry(&call.name) {
            None => Ok(self.reply_without_tool(call)),
            Some(entry) => {
                let cx = cx.for_call(&call.id, &entry.name);
                let found = FoundCall::new(entry, call, &cx);
                let counted = Counted::new(&cx, &entry.name);
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
                    .map(|finished| self.reply(&call.id, &entry.name, finished, duration));
                observe_end(&ended, entry, call, duration, (&cx, &span));
                ended
            }
        };
        observed.end(&ended);
        ended
    }
}

/// The steps of a call that was found. The rare cases are boxed, since every call moves the room for the rest.
async fn run_steps(
    found: FoundCall<'_>,
    prior: Option<PriorAnswer<'_>>,
) -> Result<FinishedCall, EarlyEnd> {
    let found = found.start()?;
    let approved = match (need(found.entry, found.cx), prior) {
        (Need::No, None) => found.read()?.allow()?,
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
