//! Follows one call for its observer: what it waits for, and where its time goes.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use super::calls::{CallDecision, CallEnd, CallObserver, CallTimes, ObservedCall};
use crate::{
    crash::{caught, lock},
    input::Fix,
    review::{ReviewDecision, ReviewRequest},
    secret::Redactor,
    store::Moment,
};

/// What a call has of its own for its observer.
pub(crate) struct WatchedCall {
    pub(crate) number: u64,
    pub(crate) call_id: String,
    pub(crate) tool: String,
    pub(crate) role: Option<String>,
    pub(crate) run: Option<String>,
    pub(crate) turn: Option<u32>,
    pub(crate) arguments: String,
    pub(crate) hide: HideArguments,
}

/// Hides the secrets in arguments, and returns what hides the values of secret parameters in other texts.
pub(crate) type HideArguments = Box<dyn Fn(&str) -> (String, Redactor) + Send + Sync>;

/// A call that its observer follows.
pub(crate) struct CallWatch {
    observer: Arc<dyn CallObserver>,
    call: WatchedCall,
    began: Instant,
    line: Mutex<CallTimeline>,
}

/// What a call does at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallPhase {
    Reading,
    Waiting,
    Running,
}

struct CallTimeline {
    phase: CallPhase,
    since: Instant,
    times: CallTimes,
    decision: Option<CallDecision>,
    /// Hide the values of secret parameters, those of the model and those of people's edits.
    redactors: Vec<Redactor>,
}

impl CallTimeline {
    /// Begins another phase, and returns the one before it.
    fn enter(&mut self, phase: CallPhase) -> CallPhase {
        let now = Instant::now();
        let spent = now.saturating_duration_since(self.since);
        let CallTimes {
            reading,
            waiting,
            running,
        } = &mut self.times;
        *match self.phase {
            CallPhase::Reading => reading,
            CallPhase::Waiting => waiting,
            CallPhase::Running => running,
        } += spent;
        self.since = now;
        std::mem::replace(&mut self.phase, phase)
    }
}

impl CallWatch {
    /// Begins to follow a call, whose arguments are still as the model sent them.
    pub(crate) fn begin(observer: Arc<dyn CallObserver>, mut call: WatchedCall) -> Arc<Self> {
        let began = Instant::now();
        let (shown, redactor) = (call.hide)(&call.arguments);
        call.arguments = shown;
        let watch = Self {
            observer,
            call,
            began,
            line: Mutex::new(CallTimeline {
                phase: CallPhase::Reading,
                since: began,
                times: CallTimes::default(),
                decision: None,
                redactors: vec![redactor],
            }),
        };
        // This is the program's own code, which must not end the call.
        let _ = caught(|| watch.observer.began(&watch.call()));
        Arc::new(watch)
    }

    fn call(&self) -> ObservedCall<'_> {
        ObservedCall {
            number: self.call.number,
            call_id: &self.call.call_id,
            tool: &self.call.tool,
            role: self.call.role.as_deref(),
            run: self.call.run.as_deref(),
            turn: self.call.turn,
            arguments: &self.call.arguments,
        }
    }

    /// The tool runs from now on, or has ended.
    pub(crate) fn runs(&self, runs: bool) {
        lock(&self.line).enter(if runs {
            CallPhase::Running
        } else {
            CallPhase::Reading
        });
    }

    /// The call waits for an answer to this question.
    pub(crate) fn ask(self: &Arc<Self>, request: &ReviewRequest) -> OpenQuestion {
        let before = lock(&self.line).enter(CallPhase::Waiting);
        let _ = caught(|| self.observer.waiting(&self.call(), request));
        OpenQuestion {
            watch: Arc::clone(self),
            before,
            asked: request.action.clone(),
            digest: request.digest.clone(),
            is_answered: false,
        }
    }

    /// The call goes on with a decision that was made while it waited elsewhere.
    pub(crate) fn resume(&self, waited: Duration, decision: &CallDecision) {
        let decision = self.hide(decision.clone());
        let mut line = lock(&self.line);
        line.times.waiting += waited;
        line.decision = Some(decision);
    }

    fn hide(&self, mut decision: CallDecision) -> CallDecision {
        if let ReviewDecision::Edit(text) = &mut decision.decision {
            let (shown, redactor) = (self.call.hide)(text);
            *text = shown;
            lock(&self.line).redactors.push(redactor);
        }
        decision
    }

    /// Tells the observer how the call ended.
    pub(crate) fn end(&self, outcome: &'static str, halted: bool, text: &str, fixes: &[Fix]) {
        let (times, decision, text) = {
            let mut line = lock(&self.line);
            line.enter(CallPhase::Reading);
            let hide = |text: Cow<'_, str>, redactor: &Redactor| {
                Cow::Owned(redactor.redact(&text).into_owned())
            };
            let text = line.redactors.iter().fold(Cow::Borrowed(text), hide);
            (line.times, line.decision.clone(), text)
        };
        let end = CallEnd {
            outcome,
            halted,
            text: &text,
            fixes,
            duration: self.began.elapsed(),
            times,
            decision: decision.as_ref(),
        };
        let _ = caught(|| self.observer.ended(&self.call(), &end));
    }
}

/// A question that waits for its answer. It is withdrawn when it is dropped.
pub(crate) struct OpenQuestion {
    watch: Arc<CallWatch>,
    before: CallPhase,
    asked: String,
    digest: String,
    is_answered: bool,
}

impl OpenQuestion {
    /// Somebody decided.
    pub(crate) fn decided(mut self, decision: &ReviewDecision) {
        self.is_answered = true;
        let (asked, digest) = (
            std::mem::take(&mut self.asked),
            std::mem::take(&mut self.digest),
        );
        let decision = CallDecision::new(decision.clone(), asked, digest, Moment::now());
        let decision = self.watch.hide(decision);
        lock(&self.watch.line).decision = Some(decision.clone());
        let watch = &self.watch;
        let _ = caught(|| watch.observer.decided(&watch.call(), Some(&decision)));
    }
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        let watch = &self.watch;
        lock(&watch.line).enter(self.before);
        if !self.is_answered {
            let _ = caught(|| watch.observer.decided(&watch.call(), None));
        }
    }
}
