//! One call at a worker: claim it, run it with a lease and a heartbeat, finish it by revision, and
//! reply.

use std::{
    pin::pin,
    time::{Duration, Instant},
};

use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use callpact::{Cancellation, Halt, Outcome, ToolCall, ToolResult, adapter::CallRecord};
use tokio::{
    sync::mpsc,
    task::{AbortHandle, JoinHandle},
};
use tracing::Instrument;

use super::{
    claim::{ClaimOutcome, claim},
    running::TakenCall,
    shared::{ServedCall, SharedWorker},
};
use crate::{
    protocol::{CallDelivery, CallMessage, RecordState, WorkerNote, WorkerRecord, reply_subject},
    results::CallResults,
};

/// How many reports of progress may wait to be sent; more are dropped.
const REPORTS: usize = 16;

/// How long a worker tries to store a result.
const PATIENCE: Duration = Duration::from_secs(600);

/// The bytes that a record needs besides the result.
const AROUND: usize = 4096;

/// Finishes a call that this worker got, if it is this worker's task.
pub(super) async fn take_call(
    shared: &SharedWorker,
    results: &CallResults,
    lease: Duration,
    message: Message,
) {
    let Some(call) = CallMessage::parse(&message.payload) else {
        tracing::warn!(target: "callpact", "a message that is not a call was dropped");
        let _ = message.ack_with(AckKind::Term).await;
        return;
    };
    let delivery = match message.info() {
        Ok(info) => CallDelivery {
            worker: shared.id.clone(),
            message: info.stream_sequence,
            count: info.delivered,
        },
        Err(error) => {
            tracing::warn!(target: "callpact", "a message without its place: {error}");
            return;
        }
    };
    let tool = &call.tool;
    // Before the claim, since whoever sees the claim may stop the call.
    let taken = shared
        .running
        .take(&call.key, (delivery.message, delivery.count));
    match claim(results, &call, check(shared, &call), &delivery).await {
        Ok(ClaimOutcome::Run(revision)) => {
            let span = tracing::info_span!(
                target: "callpact",
                "worker_call",
                tool = %tool,
                delivery = delivery.count,
                traceparent = call.trace,
            );
            let held = HeldCall {
                taken,
                delivery,
                revision,
                lease,
                message: &message,
            };
            let run = run_call(shared, results, &call, held);
            run.instrument(span).await;
        }
        Ok(ClaimOutcome::Done(result)) => finish(shared, &call, result, &message).await,
        Ok(ClaimOutcome::Drop) => {
            let _ = message.ack().await;
        }
        Ok(ClaimOutcome::Leave) => {}
        // The server delivers the call again when the lease has ended.
        Err(error) => {
            tracing::warn!(target: "callpact", %tool, "the call was not claimed: {error}");
        }
    }
}

/// The tool of a call, or why the call is refused.
#[allow(clippy::result_large_err)] // once per call
fn check<'a>(shared: &'a SharedWorker, call: &CallMessage) -> Result<&'a ServedCall, CallRecord> {
    let why = match shared.served.get(&call.tool) {
        _ if !call.is_unchanged() => "the call is not the one that was approved",
        None => "this worker does not have it",
        Some(served) if served.fingerprint != call.fingerprint => {
            "it has changed since the list of tools was made"
        }
        Some(served) => return Ok(served),
    };
    let name: String = call.tool.chars().take(64).collect();
    let result = ToolResult::failure(format!("Tool '{name}' did not run: {why}"));
    Err(CallRecord::new(Outcome::Refused, &result))
}

/// A call that this worker has claimed.
struct HeldCall<'a> {
    taken: TakenCall,
    delivery: CallDelivery,
    /// The revision of the claim.
    revision: u64,
    lease: Duration,
    message: &'a Message,
}

async fn run_call(
    shared: &SharedWorker,
    results: &CallResults,
    call: &CallMessage,
    held: HeldCall<'_>,
) {
    let heartbeat = OwnedTask::spawn(hold_lease(held.message.clone(), held.lease));
    let longest = results.longest_call();
    let result = run_tool(shared, call, longest, held.taken.stop.clone()).await;
    drop(held.taken);
    let result = fitting(result, &call.tool, shared.link.max_message());
    let record = WorkerRecord {
        digest: call.digest.clone(),
        state: RecordState::Finished {
            by: held.delivery,
            result,
        },
    };
    let written = store(results, &call.key, &record, held.revision).await;
    drop(heartbeat);
    if let (true, RecordState::Finished { result, .. }) = (written, record.state) {
        finish(shared, call, result, held.message).await;
    }
}

/// Renews the lease of a call until it is dropped.
async fn hold_lease(message: Message, lease: Duration) {
    loop {
        tokio::time::sleep(lease / 3).await;
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

async fn run_tool(
    shared: &SharedWorker,
    call: &CallMessage,
    longest: Duration,
    stop: Cancellation,
) -> CallRecord {
    let (reports, mut waiting) = mpsc::channel(REPORTS);
    let cx = &shared.cx;
    let cx = cx.for_call(&shared.tools, call, longest, stop, reports);
    let wanted = ToolCall::new(&call.id, &call.tool, &call.arguments);
    let mut run = pin!(shared.tools.call(&wanted, &cx));
    let ended = loop {
        tokio::select! {
            biased;
            Some(report) = waiting.recv() => publish(shared, &call.key, &report).await,
            ended = &mut run => break ended,
        }
    };
    while let Ok(report) = waiting.try_recv() {
        publish(shared, &call.key, &report).await;
    }
    match ended {
        Ok(reply) => CallRecord::from(&reply),
        Err(halt) => explain_halt(shared, call, &halt),
    }
}

/// The text to the host about a call that the worker itself halted.
fn explain_halt(shared: &SharedWorker, call: &CallMessage, halt: &Halt) -> CallRecord {
    let tool = &call.tool;
    let repeatable = shared
        .served
        .get(tool)
        .is_some_and(|served| served.repeatable);
    match halt {
        Halt::Cancelled if repeatable => {
            let result = ToolResult::failure(format!("Tool '{tool}' was stopped"));
            CallRecord::new(Outcome::TimedOut, &result)
        }
        Halt::Cancelled => CallRecord::new(Outcome::Unknown, &ToolResult::unknown(tool)),
        halt => {
            let text = format!("Tool '{tool}' did not run: the worker halted the call: {halt}");
            CallRecord::new(Outcome::Refused, &ToolResult::failure(text))
        }
    }
}

/// The result, or a note about it if it does not fit in a message.
fn fitting(result: CallRecord, tool: &str, max_message: usize) -> CallRecord {
    let bytes = serde_json::to_vec(&result).map_or(usize::MAX, |text| text.len());
    if bytes.saturating_add(AROUND) <= max_message {
        return result;
    }
    let text = format!(
        "Tool '{tool}' ran, and its result has {bytes} bytes; a message between machines may have \
         {max_message}. Ask for less at once"
    );
    CallRecord::new(Outcome::Failure, &ToolResult::failure(text))
}

/// Stores a result. Returns whether it counts. It does not if the lease has ended and another worker, or the
/// host, has decided about the call since.
async fn store(results: &CallResults, key: &str, record: &WorkerRecord, revision: u64) -> bool {
    let end = Instant::now() + PATIENCE;
    loop {
        match results.write(key, record, revision).await {
            Ok(Some(_)) => return true,
            Ok(None) => {
                tracing::warn!(target: "callpact", "a result came after the lease had ended, and does not count");
                return false;
            }
            Err(error) if Instant::now() < end => {
                tracing::warn!(target: "callpact", "the result waits: {error}");
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            Err(error) => {
                tracing::error!(target: "callpact", "the result was lost: {error}");
                return false;
            }
        }
    }
}

/// Sends the result to the host, and tells the server that the call needs nothing more.
async fn finish(shared: &SharedWorker, call: &CallMessage, result: CallRecord, message: &Message) {
    publish(shared, &call.key, &WorkerNote::Done(result)).await;
    let _ = message.ack().await;
}

/// A lost note does no harm: the host reads the record.
async fn publish(shared: &SharedWorker, key: &str, note: &WorkerNote) {
    if let Ok(bytes) = serde_json::to_vec(note) {
        let subject = reply_subject(&shared.link.prefix, key);
        let _ = shared
            .link
            .client
            .publish(subject, Bytes::from(bytes))
            .await;
    }
}

/// A task that ends when it is dropped.
struct OwnedTask(AbortHandle);

impl OwnedTask {
    fn spawn(work: impl Future<Output = ()> + Send + 'static) -> Self {
        let handle: JoinHandle<()> = tokio::spawn(work);
        Self(handle.abort_handle())
    }
}

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}
