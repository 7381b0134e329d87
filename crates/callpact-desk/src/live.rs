//! Asks questions about running calls of this process on the page.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::{
    ReviewDecision, ReviewHandler, ReviewRequest,
    review::{BoxFuture, ReviewError},
    store::Moment,
};
use serde_json::json;
use tokio::sync::oneshot;

use crate::events::Events;

/// How many settled questions are kept, to say who decided.
const SETTLED: usize = 1_000;
/// The most questions at the same time.
const OPEN: usize = 10_000;

/// The questions that wait for a person.
pub(crate) struct Questions {
    events: Arc<Events>,
    desk: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    count: u64,
    waiting: BTreeMap<u64, Question>,
    settled: VecDeque<(u64, Settled)>,
}

struct Question {
    request: ReviewRequest,
    /// The person who made the call, if one did.
    asked_by: Option<Arc<str>>,
    since: Moment,
    answer: oneshot::Sender<(ReviewDecision, Taken)>,
}

/// Notified when the call has taken its decision.
type Taken = oneshot::Sender<()>;

/// The end of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// A person decided.
    By {
        who: String,
        decision: ReviewDecision,
    },
    /// The call does not wait any more: it timed out, was cancelled, or was decided elsewhere.
    Gone,
}

/// An open question, for the page.
pub(crate) struct Asked {
    pub(crate) id: String,
    pub(crate) request: ReviewRequest,
    pub(crate) by: Option<Arc<str>>,
    pub(crate) since: Moment,
}

impl Questions {
    pub(crate) fn new(events: Arc<Events>) -> Self {
        Self {
            events,
            desk: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn list(&self) -> Vec<Asked> {
        let open = self.open();
        let waiting = open.waiting.iter();
        waiting
            .map(|(number, question)| Asked {
                id: number.to_string(),
                request: question.request.clone(),
                by: question.asked_by.clone(),
                since: question.since,
            })
            .collect()
    }

    pub(crate) fn get(&self, id: &str) -> Option<ReviewRequest> {
        let number = id.parse().ok()?;
        let open = self.open();
        open.waiting
            .get(&number)
            .map(|question| question.request.clone())
    }

    /// Answers a question; `None` if it never existed. It is answered once the call has taken the answer:
    /// another reviewer may have been faster at the same moment.
    pub(crate) async fn decide(
        &self,
        id: &str,
        decision: ReviewDecision,
        who: &str,
    ) -> Option<Result<(), Settled>> {
        let number: u64 = id.parse().ok()?;
        let (taken, was_taken) = oneshot::channel();
        {
            let mut open = self.open();
            let Some(question) = open.waiting.remove(&number) else {
                let mut settled = open.settled.iter();
                let settled = settled.find(|(known, _)| *known == number)?;
                return Some(Err(settled.1.clone()));
            };
            let who = who.to_owned();
            let settled = Settled::By {
                who,
                decision: decision.clone(),
            };
            open.settle(number, settled);
            // If nobody waits any more, nobody takes it.
            let _ = question.answer.send((decision, taken));
        }
        self.changed();
        if was_taken.await.is_ok() {
            return Some(Ok(()));
        }
        let mut open = self.open();
        let mut settled = open.settled.iter_mut();
        if let Some((_, settled)) = settled.find(|(known, _)| *known == number) {
            *settled = Settled::Gone;
        }
        Some(Err(Settled::Gone))
    }

    /// Withdraws a question whose call does not wait any more.
    fn withdraw(&self, number: u64) {
        let mut open = self.open();
        if open.waiting.remove(&number).is_none() {
            return;
        }
        open.settle(number, Settled::Gone);
        drop(open);
        self.changed();
    }

    fn changed(&self) {
        self.events.send("waiting", &json!({}));
    }
}

impl Open {
    fn settle(&mut self, number: u64, settled: Settled) {
        if self.settled.len() == SETTLED {
            self.settled.pop_front();
        }
        self.settled.push_back((number, settled));
    }
}

/// Asks the people at a [`Desk`](crate::Desk).
///
/// A question stays on the page until a person answers it or the call stops waiting.
///
/// ```
/// use callpact::{ToolContext, Toolset};
/// use callpact_desk::Desk;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let desk = Desk::new(Toolset::builder().build()?, ToolContext::new());
/// // Calls with this context that need approval wait for the people at the page.
/// let cx = ToolContext::new().with_reviewer(desk.reviewer());
/// # drop(cx);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DeskReviewer {
    questions: Arc<Questions>,
    /// The person who makes the calls, if one does.
    asked_by: Option<Arc<str>>,
}

impl DeskReviewer {
    pub(crate) fn new(questions: Arc<Questions>) -> Self {
        Self {
            questions,
            asked_by: None,
        }
    }

    /// Says who makes the calls.
    pub(crate) fn asked_by(mut self, name: &str) -> Self {
        self.asked_by = Some(name.into());
        self
    }
}

impl ReviewHandler for DeskReviewer {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        Box::pin(async move {
            let questions = &self.questions;
            let (answer, wait) = oneshot::channel();
            let number = {
                let mut open = questions.open();
                if open.waiting.len() >= OPEN {
                    return Err(ReviewError::failed("too many calls wait at the desk"));
                }
                open.count += 1;
                let number = open.count;
                let question = Question {
                    request: request.clone(),
                    asked_by: self.asked_by.clone(),
                    since: Moment::now(),
                    answer,
                };
                open.waiting.insert(number, question);
                number
            };
            let _asked = Withdrawn { questions, number };
            questions.changed();
            // The sender stays with the question until it is answered or withdrawn.
            let answered = wait.await;
            let (decision, taken) =
                answered.map_err(|_| ReviewError::failed("the question was taken back"))?;
            // The browser may have gone away meanwhile.
            let _ = taken.send(());
            Ok(decision)
        })
    }
}

/// Withdraws a question when its call stops waiting.
struct Withdrawn<'a> {
    questions: &'a Questions,
    number: u64,
}

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        self.questions.withdraw(self.number);
    }
}

impl std::fmt::Debug for DeskReviewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeskReviewer(..)")
    }
}
