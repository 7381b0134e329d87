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

use crate::{
    asked::{AskedQuestion, LIVE, QuestionEnd},
    events::DeskEvents,
    replies,
    row::{InboxRow, row_of_asked},
    sorted::{FoundRows, SortedRows, WantedRows},
    tools::CurrentTools,
};

/// How many settled questions are kept, to say who decided.
const SETTLED: usize = 1_000;
/// The most questions at the same time.
const OPEN: usize = 10_000;

/// The questions that wait for a person.
pub(crate) struct OpenQuestions {
    events: Arc<DeskEvents>,
    tools: Arc<CurrentTools>,
    program: Arc<ProgramName>,
    desk: Mutex<OpenQuestion>,
}

/// The name of the program, which people see.
pub(crate) struct ProgramName(Mutex<Arc<str>>);

impl ProgramName {
    /// The name of the program's file.
    pub(crate) fn of_file() -> Self {
        let path = std::env::current_exe().ok();
        let name = path.as_deref().and_then(|path| path.file_stem()?.to_str());
        Self(Mutex::new(name.unwrap_or("program").into()))
    }

    pub(crate) fn get(&self) -> Arc<str> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set(&self, name: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = name.into();
    }
}

#[derive(Default)]
struct OpenQuestion {
    count: u64,
    waiting: BTreeMap<u64, PersonQuestion>,
    sorted: SortedRows,
    settled: VecDeque<SettledQuestion>,
}

struct SettledQuestion {
    number: u64,
    digest: String,
    settled: QuestionEnd,
}

struct PersonQuestion {
    request: ReviewRequest,
    row: Arc<InboxRow>,
    /// The person who made the call, if one did.
    asked_by: Option<Arc<str>>,
    since: Moment,
    answer: oneshot::Sender<(ReviewDecision, TakenNotice)>,
}

/// Notified when the call has taken its decision.
type TakenNotice = oneshot::Sender<()>;

impl OpenQuestions {
    pub(crate) fn new(
        events: Arc<DeskEvents>,
        tools: Arc<CurrentTools>,
        program: Arc<ProgramName>,
    ) -> Self {
        Self {
            events,
            tools,
            program,
            desk: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, OpenQuestion> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows of open questions for a page.
    pub(crate) fn find_rows(&self, wanted: &WantedRows) -> FoundRows {
        self.open().sorted.find(wanted)
    }

    /// An open question.
    pub(crate) fn find(&self, id: &str) -> Option<AskedQuestion> {
        let number = id.parse().ok()?;
        let open = self.open();
        open.waiting.get(&number).map(|question| AskedQuestion {
            id: number.to_string(),
            request: question.request.clone(),
            by: question.asked_by.clone(),
            since: question.since,
        })
    }

    /// How a question ended, if that is still known.
    pub(crate) fn settled(&self, id: &str) -> Option<QuestionEnd> {
        let number: u64 = id.parse().ok()?;
        let open = self.open();
        let mut settled = open.settled.iter();
        let found = settled.find(|one| one.number == number)?;
        Some(found.settled.clone())
    }

    /// Who decided about a question with this digest.
    pub(crate) fn who_decided(&self, digest: &str) -> Option<String> {
        let open = self.open();
        let mut settled = open.settled.iter().rev();
        settled.find_map(|one| match &one.settled {
            QuestionEnd::By { who, .. } if one.digest == digest => Some(who.clone()),
            _ => None,
        })
    }

    /// The id of the open question with this digest.
    pub(crate) fn id_of(&self, digest: &str) -> Option<String> {
        let open = self.open();
        let mut waiting = open.waiting.iter();
        let found = waiting.find(|(_, question)| question.request.digest == digest)?;
        Some(format!("{LIVE}{}", found.0))
    }

    /// Answers a question. It is answered once the call has taken the answer: another reviewer may have been faster at
    /// the same moment.
    pub(crate) async fn decide(
        &self,
        id: &str,
        decision: ReviewDecision,
        who: &str,
    ) -> Result<(), QuestionEnd> {
        let number: u64 = id.parse().map_err(|_| QuestionEnd::Gone)?;
        let what = replies::name(&decision);
        let (taken, was_taken) = oneshot::channel();
        {
            let mut open = self.open();
            let Some(question) = open.close(number) else {
                let mut settled = open.settled.iter();
                let settled = settled.find(|one| one.number == number);
                return Err(settled.map_or(QuestionEnd::Gone, |it| it.settled.clone()));
            };
            let who = who.to_owned();
            let settled = QuestionEnd::By {
                who,
                decision: decision.clone(),
            };
            open.settle(number, question.request.digest, settled);
            // If nobody waits any more, nobody takes it.
            let _ = question.answer.send((decision, taken));
        }
        if was_taken.await.is_ok() {
            self.tell_settled(number, Some((who, what)));
            return Ok(());
        }
        {
            let mut open = self.open();
            let mut settled = open.settled.iter_mut();
            if let Some(one) = settled.find(|one| one.number == number) {
                one.settled = QuestionEnd::Gone;
            }
        }
        self.tell_settled(number, None);
        Err(QuestionEnd::Gone)
    }

    /// Withdraws a question whose call does not wait any more.
    fn withdraw(&self, number: u64) {
        let mut open = self.open();
        let Some(question) = open.close(number) else {
            return;
        };
        open.settle(number, question.request.digest, QuestionEnd::Gone);
        drop(open);
        self.tell_settled(number, None);
    }

    fn tell_settled(&self, number: u64, by: Option<(&str, &str)>) {
        let (who, what) = by.unzip();
        let live = self.open().waiting.len();
        let id = format!("{LIVE}{number}");
        let data = json!({ "id": id, "by": who, "what": what, "live": live });
        self.events.send("settled", &data);
    }
}

impl OpenQuestion {
    fn close(&mut self, number: u64) -> Option<PersonQuestion> {
        let question = self.waiting.remove(&number)?;
        self.sorted.remove(&question.row);
        Some(question)
    }

    fn settle(&mut self, number: u64, digest: String, settled: QuestionEnd) {
        if self.settled.len() == SETTLED {
            self.settled.pop_front();
        }
        self.settled.push_back(SettledQuestion {
            number,
            digest,
            settled,
        });
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
    questions: Arc<OpenQuestions>,
    /// The person who makes the calls, if one does.
    asked_by: Option<Arc<str>>,
}

impl DeskReviewer {
    pub(crate) fn new(questions: Arc<OpenQuestions>) -> Self {
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
            let (number, arrived) = {
                let mut open = questions.open();
                if open.waiting.len() >= OPEN {
                    return Err(ReviewError::failed("too many calls wait at the desk"));
                }
                open.count += 1;
                let number = open.count;
                let asked = AskedQuestion {
                    id: number.to_string(),
                    request: request.clone(),
                    by: self.asked_by.clone(),
                    since: Moment::now(),
                };
                let row = row_of_asked(&questions.tools.get(), &questions.program.get(), &asked);
                let row = Arc::new(row);
                let question = PersonQuestion {
                    request: asked.request,
                    row: Arc::clone(&row),
                    asked_by: asked.by,
                    since: asked.since,
                    answer,
                };
                open.waiting.insert(number, question);
                open.sorted.insert(Arc::clone(&row));
                (number, json!({ "row": *row, "live": open.waiting.len() }))
            };
            let _asked = QuestionWithdrawal { questions, number };
            questions.events.send("waiting", &arrived);
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
struct QuestionWithdrawal<'a> {
    questions: &'a OpenQuestions,
    number: u64,
}

impl Drop for QuestionWithdrawal<'_> {
    fn drop(&mut self) {
        self.questions.withdraw(self.number);
    }
}

impl std::fmt::Debug for DeskReviewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DeskReviewer(..)")
    }
}
