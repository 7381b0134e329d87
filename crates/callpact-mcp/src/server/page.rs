//! Calls that are decided at a page which the program names: the call waits in the store, the user of the client is
//! led to the page, and the call resumes with the decision in the store.

use std::time::Duration;

use callpact::{
    Halt, PendingCall, ReviewDecision, ToolCall, ToolContext, ToolReply, Toolset,
    call::ResumeError, review::visible,
};
use rmcp::model::{CustomNotification, ElicitResult, ElicitationAction, ServerNotification};
use serde_json::json;
use tokio::time::Instant;

use super::{
    ask::{AskClients, AskingWay, ClientAsking, ClientQuestion, RepeatedCall},
    question::describe_page,
};

/// How often the store is checked for the decision.
const EVERY: Duration = Duration::from_millis(500);

/// The start of the fingerprint of such a question. Other fingerprints start with a bracket.
const CALL: &str = "call:";

/// Makes a call. If the program names a page and the client can show it, the call waits for its decision there.
pub(super) async fn make_call(
    ask: &AskClients,
    asking: &ClientAsking,
    tools: &Toolset,
    call: &ToolCall,
    cx: &ToolContext,
) -> Result<ToolReply, Halt> {
    if let AskingWay::InRounds(rounds) = &asking.how
        && let Some((fingerprint, answer)) = rounds.answered()
        && let Some(id) = fingerprint.strip_prefix(CALL)
    {
        return go_on(ask, answer, tools, id, cx).await;
    }
    let ended = match asking.edit() {
        Some(edit) => tools.call_edited(call, edit, cx).await,
        None => tools.call(call, cx).await,
    };
    let Err(Halt::Pending(pending)) = &ended else {
        return ended;
    };
    let Some(page) = ask.page_of(pending) else {
        return ended;
    };
    if cx.store().is_none() {
        return Err(Halt::misconfigured(
            "calls are decided about at a page, and the context has no store",
        ));
    }
    if !asking.shows.pages {
        return ended;
    }
    let params =
        describe_page(&pending.request(), &page, &pending.id).map_err(Halt::misconfigured)?;
    match &asking.how {
        AskingWay::AtOnce(at_once) => {
            let answer = match at_once.ask(params).await {
                Ok(answer) => answer,
                Err(error) => {
                    tracing::warn!(target: "callpact", tool = %call.name, "{}", visible(&error.to_string()));
                    return ended;
                }
            };
            let ended = go_on(ask, &answer, tools, &pending.id, cx).await;
            if !matches!(ended, Err(Halt::Pending(_))) {
                let id = json!({"elicitationId": pending.id});
                let note = CustomNotification::new("notifications/elicitation/complete", Some(id));
                let note = ServerNotification::CustomNotification(note);
                // A client that misses this learns from the result that the call has ended.
                let _ = at_once.peer().send_notification(note).await;
            }
            ended
        }
        AskingWay::InRounds(rounds) => {
            rounds.ask(ClientQuestion {
                params,
                before: RepeatedCall::new(format!("{CALL}{}", pending.id)),
            });
            ended
        }
        AskingWay::Nobody => ended,
    }
}

impl AskClients {
    /// The page for deciding about a call, if the program names one.
    pub(super) fn page_of(&self, pending: &PendingCall) -> Option<String> {
        self.page.as_ref().map(|page| page(pending))
    }
}

/// Resumes a waiting call after the user of the client was led to the page. The user's answer is a no or
/// nothing: the decision is made at the page.
async fn go_on(
    ask: &AskClients,
    answer: &ElicitResult,
    tools: &Toolset,
    id: &str,
    cx: &ToolContext,
) -> Result<ToolReply, Halt> {
    match answer.action {
        ElicitationAction::Accept => {}
        ElicitationAction::Decline => {
            let no = ReviewDecision::Refuse(String::new());
            let refused = tools.decide(id, no, cx).await;
            return match refused {
                // Somebody at the page was faster.
                Err(ResumeError::Decided(_)) => wait(tools, id, cx, ask.valid_for).await,
                refused => refused.map_err(|error| explain(error, None)),
            };
        }
        _ => return wait(tools, id, cx, Duration::ZERO).await,
    }
    wait(tools, id, cx, ask.valid_for).await
}

/// Waits for the decision about a call, and carries the call out.
async fn wait(
    tools: &Toolset,
    id: &str,
    cx: &ToolContext,
    limit: Duration,
) -> Result<ToolReply, Halt> {
    let end = Instant::now().checked_add(limit);
    loop {
        let error = match tools.resume(id, cx).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        let waits = matches!(error, ResumeError::Waiting | ResumeError::Busy { .. });
        if !waits || end.is_some_and(|end| Instant::now() >= end) {
            let stored = match cx.store() {
                Some(store) => store.get(id).await?.map(|stored| stored.call),
                None => None,
            };
            return Err(explain(error, stored));
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// The halt of a call that did not resume.
fn explain(error: ResumeError, stored: Option<PendingCall>) -> Halt {
    match (error, stored) {
        (ResumeError::Waiting | ResumeError::Busy { .. }, Some(call)) => {
            Halt::Pending(Box::new(call))
        }
        (ResumeError::Halt(halt), _) => halt,
        (ResumeError::Store(error), _) => error.into(),
        (error @ ResumeError::Expired, _) => Halt::ExitEarly {
            message: error.to_string(),
            timed_out: true,
        },
        (error, _) => Halt::misconfigured(error.to_string()),
    }
}
