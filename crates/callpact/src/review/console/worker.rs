//! The one thread that talks to the console, so that two questions never overlap.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use super::ask::{self, ConsoleStreams};
use crate::crash::lock;
use crate::review::reply::{AnswerEnd, WaitEnd, reply};
use crate::review::{ReviewDecision, ReviewError, ReviewRequest};

struct ConsoleJob {
    io: Arc<Mutex<ConsoleStreams>>,
    request: ReviewRequest,
    answer: AnswerEnd<ReviewDecision>,
}

/// The channel to the worker of this process, once it exists.
static WORKER: Mutex<Option<Sender<ConsoleJob>>> = Mutex::new(None);

/// Queues a question. Dropping the wait withdraws it.
pub(super) fn submit(
    io: Arc<Mutex<ConsoleStreams>>,
    request: ReviewRequest,
) -> Result<WaitEnd<ReviewDecision>, ReviewError> {
    let (answer, wait) = reply();
    let mut worker = lock(&WORKER);
    if worker.is_none() {
        let (sender, jobs) = channel();
        thread::Builder::new()
            .name("callpact-console".into())
            .spawn(move || serve(&jobs))
            .map_err(|error| ReviewError::failed_with("no thread for the console", error))?;
        *worker = Some(sender);
    }
    let sent = worker.as_ref().is_some_and(|worker| {
        worker
            .send(ConsoleJob {
                io,
                request,
                answer,
            })
            .is_ok()
    });
    if sent {
        Ok(wait)
    } else {
        Err(ReviewError::failed("the console has gone away"))
    }
}

fn serve(jobs: &Receiver<ConsoleJob>) {
    for ConsoleJob {
        io,
        request,
        answer,
    } in jobs
    {
        if !answer.is_awaited() {
            continue;
        }
        // A reader or writer that panics must not take the console from everybody else.
        let decision = catch_unwind(AssertUnwindSafe(|| {
            ask::ask(&mut lock(&io), &request, &|| answer.is_awaited())
        }));
        if !answer.send(decision.unwrap_or(ReviewDecision::REJECT)) {
            let told = AssertUnwindSafe(|| ask::tell_withdrawn(&mut lock(&io)));
            drop(catch_unwind(told));
        }
    }
}
