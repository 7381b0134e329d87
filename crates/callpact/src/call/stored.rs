//! How calls that waited in a store resume.

use std::{error::Error, fmt};

use super::{
    found::FoundCall,
    prior_decision::PriorAnswer,
    question::{CallQuestion, pending_call},
    waiting::{describe_change, explain_workspace, use_decision},
};
use crate::{
    adapter::{Outcome, ToolReply},
    review::ReviewDecision,
    schema::cut,
    store::{CallState, CallStore, Decided, Moment, StoreError, StoredCall, Taken},
    tool::{Halt, PendingCall, ToolContext},
    toolset::{ToolEntry, Toolset},
};

/// Why a stored call did not resume.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResumeError {
    /// The store has no call with this id.
    NotFound,
    /// Nobody has decided yet.
    Waiting,
    /// Somebody else has decided.
    Decided(Decided),
    /// Nobody decided in time.
    Expired,
    /// This list has no such tool.
    Missing {
        /// The name of the tool.
        tool: String,
    },
    /// The text of the call, or the tool, its parameters or its permission, has changed since the call was stored.
    Changed {
        /// The name of the tool.
        tool: String,
    },
    /// The call was made in another [workspace](ToolContext::with_workspace).
    Workspace {
        /// The workspace where it was made, if that has a name.
        made_in: Option<String>,
        /// The workspace of the context, if it has a name.
        here: Option<String>,
    },
    /// The decision must come from somebody who acts for a role.
    Role {
        /// The role.
        required: String,
    },
    /// The edited arguments do not fit the tool. Nothing was decided.
    Edit(String),
    /// The call is running elsewhere.
    Busy {
        /// When its lease ends.
        until: Moment,
    },
    /// The store failed.
    Store(StoreError),
    /// The run ended, as after a rejection.
    Halt(Halt),
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("no call waits under this id"),
            Self::Waiting => f.write_str("nobody has decided about the call yet"),
            Self::Decided(decided) => write!(f, "`{}` has decided about the call", decided.by),
            Self::Expired => f.write_str("the time for a decision about the call is over"),
            Self::Missing { tool } => write!(f, "there is no tool `{tool}` here"),
            Self::Changed { tool } => f.write_str(&describe_change(tool)),
            Self::Workspace { made_in, here } => {
                f.write_str(&explain_workspace(made_in.as_deref(), here.as_deref()))
            }
            Self::Role { required } => {
                write!(f, "the decision must come from the role `{required}`")
            }
            Self::Edit(report) => write!(f, "the edited arguments do not fit: {report}"),
            Self::Busy { until } => write!(
                f,
                "the call is running elsewhere: a process has claimed it until {until}"
            ),
            Self::Store(error) => error.fmt(f),
            Self::Halt(halt) => halt.fmt(f),
        }
    }
}

impl Error for ResumeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Halt(halt) => Some(halt),
            _ => None,
        }
    }
}

impl From<StoreError> for ResumeError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Halt> for ResumeError {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl Toolset {
    /// Decides about a call in the store of the context.
    pub(super) async fn decide_stored(
        &self,
        id: &str,
        decision: ReviewDecision,
        cx: &ToolContext,
    ) -> Result<ToolReply, ResumeError> {
        let store = store_of(cx)?;
        let now = cx.now();
        let stored = store.get(id).await?.ok_or(ResumeError::NotFound)?;
        if let Some(decided) = stored.decision {
            return Err(ResumeError::Decided(decided));
        }
        if stored.state(now) == CallState::Expired {
            return Err(ResumeError::Expired);
        }
        self.unchanged(&stored.call, cx)?;
        let role = cx.reviewer().and_then(|reviewer| reviewer.role());
        if decision.goes_on() {
            check_stored_role(&stored.call, role)?;
        }
        let edited = match &decision {
            ReviewDecision::Edit(text) => Some(self.preview_edit(&stored.call, text, cx)?),
            _ => None,
        };
        let by = cx.caller().unwrap_or(cx.role());
        let mut decided = Decided::new(decision, by, now);
        decided.edited = edited.map(Box::new);
        decided.role = role.map(str::to_owned);
        match store.take(id, &decided).await? {
            Taken::Won(call) => self.carry_out(&call, &decided, cx).await,
            Taken::Lost(first) => Err(ResumeError::Decided(first)),
            Taken::Expired => Err(ResumeError::Expired),
            Taken::Unknown => Err(ResumeError::NotFound),
        }
    }

    /// The call that an edit makes of a waiting call, as it would run: its arguments with every default, the
    /// changes to them, the preview and the digest. It is for the person who decides about the edit, and changes
    /// nothing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use callpact::{
    ///     Halt, ReviewDecision, ToolCall, ToolContext, Toolset, tool,
    ///     store::{CallStore, Decided, MemoryStore, Moment},
    /// };
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32, #[tool_param(default = "EUR")] currency: String) -> String {
    ///     format!("paid {euros} {currency}")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let store = Arc::new(MemoryStore::new());
    /// let cx = ToolContext::new().with_store(Arc::clone(&store)).with_deferred_approval();
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else { panic!() };
    ///
    /// let edit = r#"{"euros": 80}"#;
    /// let edited = tools.preview_edit(&pending, edit, &cx)?;
    /// assert_eq!(edited.arguments, r#"{"euros":80,"currency":"EUR"}"#);
    /// // Somebody looks at it, and lets it run. Any process with the tool carries it out.
    /// let decision = ReviewDecision::Edit(edit.to_owned());
    /// let decided = Decided::new(decision, "grace", Moment::now()).showing(edited);
    /// store.take(&pending.id, &decided).await?;
    /// let reply = tools.resume(&pending.id, &cx).await?;
    /// assert_eq!(reply.result.output(), "paid 80 EUR");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ResumeError::Edit`] if the edit does not fit, and if the call does not belong here or has changed.
    pub fn preview_edit(
        &self,
        pending: &PendingCall,
        text: &str,
        cx: &ToolContext,
    ) -> Result<PendingCall, ResumeError> {
        let entry = self.unchanged(pending, cx)?;
        let cx = cx.for_call(&pending.call_id, &entry.name);
        let call = pending_call(pending, &pending.arguments);
        let edit =
            CallQuestion::of_edit(FoundCall::new(entry, &call, &cx), text, &pending.arguments);
        let (edit, question) = edit.map_err(|finished| {
            let report = finished.result.error().unwrap_or_default();
            ResumeError::Edit(report.to_owned())
        })?;
        let role = pending.required_role.as_deref();
        Ok(question.describe(&edit, pending.id.clone(), role))
    }

    /// Carries out a call that was decided, in this process or in another, with
    /// [`CallStore::take`]. A call that was already carried out gives its result again.
    ///
    /// # Errors
    /// With the reason why the call did not resume.
    pub async fn resume(&self, id: &str, cx: &ToolContext) -> Result<ToolReply, ResumeError> {
        let stored = store_of(cx)?.get(id).await?.ok_or(ResumeError::NotFound)?;
        let decided = match (&stored.decision, stored.state(cx.now())) {
            (Some(decided), _) => decided.clone(),
            (None, CallState::Expired) => return Err(ResumeError::Expired),
            (None, _) => return Err(ResumeError::Waiting),
        };
        self.unchanged(&stored.call, cx)?;
        if decided.decision.goes_on() {
            check_stored_role(&stored.call, decided.role.as_deref())?;
        }
        self.carry_out(&stored, &decided, cx).await
    }

    async fn carry_out(
        &self,
        stored: &StoredCall,
        decided: &Decided,
        cx: &ToolContext,
    ) -> Result<ToolReply, ResumeError> {
        check_running(stored, cx).await?;
        let tool = &stored.call.tool;
        let call = pending_call(&stored.call, &decided.seen(&stored.call).arguments);
        let entry = self.unchanged(&stored.call, cx)?;
        let run = async || {
            let resuming = use_decision(entry, stored, decided);
            let resuming = resuming.ok_or_else(|| ResumeError::Changed {
                tool: cut(tool, 64),
            })?;
            let said = PriorAnswer::Decided(Box::new(resuming));
            Ok::<_, ResumeError>(self.run_call(&call, Some(said), cx).await?)
        };
        let reply = run().await?;
        if reply.outcome != Outcome::Unknown || !reply.replayed {
            return Ok(reply);
        }
        // Another process has claimed it. It may still be running, or may have finished by now.
        check_running(stored, cx).await?;
        let reply = run().await?;
        if reply.outcome == Outcome::Unknown {
            check_running(stored, cx).await?;
        }
        Ok(reply)
    }

    /// Checks that a stored call belongs here, and that neither its text nor its tool has changed. A decision that
    /// lets it run requires this.
    ///
    /// # Errors
    /// [`ResumeError::Workspace`], [`ResumeError::Missing`] or [`ResumeError::Changed`].
    pub fn check_stored(&self, call: &PendingCall, cx: &ToolContext) -> Result<(), ResumeError> {
        self.unchanged(call, cx).map(|_| ())
    }

    /// The tool of a stored call, if the call belongs here and nothing about it has changed.
    fn unchanged(
        &self,
        pending: &PendingCall,
        cx: &ToolContext,
    ) -> Result<&ToolEntry, ResumeError> {
        if pending.workspace.as_deref() != cx.workspace() {
            return Err(ResumeError::Workspace {
                made_in: pending.workspace.clone(),
                here: cx.workspace().map(str::to_owned),
            });
        }
        let tool = || cut(&pending.tool, 64);
        let entry = self.entry(&pending.tool);
        let entry = entry.ok_or_else(|| ResumeError::Missing { tool: tool() })?;
        if entry.is_unchanged(pending) {
            Ok(entry)
        } else {
            Err(ResumeError::Changed { tool: tool() })
        }
    }
}

/// Removes a call that nobody needs any more from the [store](ToolContext::with_store) of the context: one that is
/// decided or expired, or that cannot be read. An approved call that has not run will not run after this. The record of
/// a run stays. A process that has already read the decision may still start the call.
///
/// # Errors
/// [`ResumeError::Waiting`] if somebody may still decide about it, [`ResumeError::Busy`] while it runs,
/// and [`ResumeError::NotFound`]; also when the store fails.
pub async fn forget_stored(id: &str, cx: &ToolContext) -> Result<(), ResumeError> {
    let store = store_of(cx)?;
    match store.get(id).await {
        Ok(None) => return Err(ResumeError::NotFound),
        Ok(Some(stored)) => {
            if stored.state(cx.now()) == CallState::Waiting {
                return Err(ResumeError::Waiting);
            }
            check_running(&stored, cx).await?;
        }
        // Nobody can decide about it or run it.
        Err(StoreError::Damaged(_)) => {}
        Err(error) => return Err(error.into()),
    }
    if store.remove(id).await? {
        Ok(())
    } else {
        Err(ResumeError::NotFound)
    }
}

/// Fails if the call is running in another process.
async fn check_running(stored: &StoredCall, cx: &ToolContext) -> Result<(), ResumeError> {
    match store_of(cx)?.claim_record(&stored.key).await {
        Ok(Some(record)) if record.result.is_none() && record.until > cx.now() => {
            Err(ResumeError::Busy {
                until: record.until,
            })
        }
        // A damaged record belongs to a run that is over.
        Ok(_) | Err(StoreError::Damaged(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn store_of(cx: &ToolContext) -> Result<&dyn CallStore, Halt> {
    cx.store().ok_or_else(|| {
        Halt::misconfigured("the context has no call store: `ToolContext::new().with_store(…)`")
    })
}

fn check_stored_role(call: &PendingCall, acting: Option<&str>) -> Result<(), ResumeError> {
    match call.required_role.as_deref() {
        Some(required) if acting != Some(required) => Err(ResumeError::Role {
            required: required.to_owned(),
        }),
        _ => Ok(()),
    }
}
