//! Decides whether a call that this worker got runs here.

use callpact::{Outcome, ToolResult, adapter::CallRecord};

use super::shared::ServedCall;
use crate::{
    NatsError,
    protocol::{CallDelivery, CallMessage, RecordState, WorkerRecord},
    records::{ROUNDS, too_busy},
    results::{CallResults, KnownRecord},
};

/// How often a repeatable call is started.
const MAX_STARTS: i64 = 5;

/// What a worker does with a call that it got.
pub(super) enum ClaimOutcome {
    /// The call runs here. The revision is that of the claim.
    Run(u64),
    /// The call has a result, which the host gets.
    Done(CallRecord),
    /// The call needs nothing more.
    Drop,
    /// Another worker has the call.
    Leave,
}

/// Claims a call. `served` is the tool, or says why the call cannot run here.
pub(super) async fn claim(
    results: &CallResults,
    call: &CallMessage,
    served: Result<&ServedCall, CallRecord>,
    delivery: &CallDelivery,
) -> Result<ClaimOutcome, NatsError> {
    // Usually there is no record. If there is one, the write reports it.
    let (mut known, mut revision) = (KnownRecord::Nothing, 0);
    for _ in 0..ROUNDS {
        let (state, run) = match decide(&known, call, &served, delivery) {
            ClaimDecision::Claim => (RecordState::Claimed(delivery.clone()), true),
            ClaimDecision::Finish(result) => {
                let by = delivery.clone();
                (RecordState::Finished { by, result }, false)
            }
            ClaimDecision::Answer(claimed) => return Ok(claimed),
        };
        let record = WorkerRecord {
            digest: call.digest.clone(),
            state,
        };
        match (
            results.write(&call.key, &record, revision).await?,
            record.state,
        ) {
            (Some(revision), _) if run => return Ok(ClaimOutcome::Run(revision)),
            (Some(_), RecordState::Finished { result, .. }) => {
                return Ok(ClaimOutcome::Done(result));
            }
            _ => (known, revision) = results.read(&call.key).await?,
        }
    }
    Err(too_busy())
}

enum ClaimDecision {
    Claim,
    Finish(CallRecord),
    Answer(ClaimOutcome),
}

fn decide(
    known: &KnownRecord,
    call: &CallMessage,
    served: &Result<&ServedCall, CallRecord>,
    delivery: &CallDelivery,
) -> ClaimDecision {
    let record = match known {
        KnownRecord::Nothing => {
            return match served {
                Ok(_) => ClaimDecision::Claim,
                Err(refusal) => ClaimDecision::Finish(refusal.clone()),
            };
        }
        // A worker may have started the call before somebody overwrote its claim.
        KnownRecord::Spoiled => return start_again(call, served, delivery),
        KnownRecord::Record(record) => record,
    };
    if record.digest != call.digest {
        let text = "Another call ran under the key of this one. The tool did not run";
        let result = ToolResult::failure(text);
        let refusal = CallRecord::new(Outcome::Refused, &result);
        return ClaimDecision::Answer(ClaimOutcome::Done(refusal));
    }
    let before = match &record.state {
        RecordState::Withdrawn { .. } => return ClaimDecision::Answer(ClaimOutcome::Drop),
        RecordState::Finished { result, .. } => {
            return ClaimDecision::Answer(ClaimOutcome::Done(result.clone()));
        }
        RecordState::Claimed(before) => before,
    };
    if before.message != delivery.message {
        // The call was published twice. The other message finishes it.
        return ClaimDecision::Answer(ClaimOutcome::Drop);
    }
    if before.count >= delivery.count {
        // The lease of this worker has ended, and another one has the call. The claim of this delivery is no
        // exception: this worker did not make it, or it would know its revision.
        return ClaimDecision::Answer(ClaimOutcome::Leave);
    }
    start_again(call, served, delivery)
}

/// Decides about a call that a worker may have started, and that no worker runs now.
fn start_again(
    call: &CallMessage,
    served: &Result<&ServedCall, CallRecord>,
    delivery: &CallDelivery,
) -> ClaimDecision {
    match served {
        Ok(served) if !served.repeatable => {
            let unknown = ToolResult::unknown(&call.tool);
            ClaimDecision::Finish(CallRecord::new(Outcome::Unknown, &unknown))
        }
        Ok(_) if delivery.count > MAX_STARTS => {
            let text = format!(
                "Tool '{}' was started {MAX_STARTS} times for this call, and its worker ended each time",
                call.tool
            );
            let result = ToolResult::failure(text);
            ClaimDecision::Finish(CallRecord::new(Outcome::Crash, &result))
        }
        Ok(_) => ClaimDecision::Claim,
        Err(refusal) => ClaimDecision::Finish(refusal.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> CallMessage {
        let (fingerprint, arguments) = ("f".to_owned(), "{}".to_owned());
        CallMessage {
            key: "k".to_owned(),
            id: "call-1".to_owned(),
            tool: "pay".to_owned(),
            digest: CallMessage::digest_of(&fingerprint, &arguments),
            arguments,
            fingerprint,
            role: None,
            caller: None,
            timeout: 1000,
            trace: None,
        }
    }

    fn delivery(worker: &str, message: u64, count: i64) -> CallDelivery {
        CallDelivery {
            worker: worker.to_owned(),
            message,
            count,
        }
    }

    fn served(repeatable: bool) -> ServedCall {
        ServedCall {
            fingerprint: "f".to_owned(),
            repeatable,
        }
    }

    /// What worker `b` does with the second delivery of message 7, in one word.
    fn decided(state: Option<RecordState>, repeatable: bool) -> &'static str {
        decided_at(state, repeatable, &delivery("b", 7, 2))
    }

    fn decided_at(
        state: Option<RecordState>,
        repeatable: bool,
        delivery: &CallDelivery,
    ) -> &'static str {
        let digest = call().digest;
        let known = state.map_or(KnownRecord::Nothing, |state| {
            KnownRecord::Record(Box::new(WorkerRecord { digest, state }))
        });
        in_a_word(&known, repeatable, delivery)
    }

    fn in_a_word(known: &KnownRecord, repeatable: bool, delivery: &CallDelivery) -> &'static str {
        match decide(known, &call(), &Ok(&served(repeatable)), delivery) {
            ClaimDecision::Claim => "run",
            ClaimDecision::Finish(record) | ClaimDecision::Answer(ClaimOutcome::Done(record)) => {
                record.outcome.name()
            }
            ClaimDecision::Answer(ClaimOutcome::Drop) => "drop",
            ClaimDecision::Answer(ClaimOutcome::Leave | ClaimOutcome::Run(_)) => "leave",
        }
    }

    #[test]
    fn a_call_that_nobody_claimed_runs() {
        assert_eq!(decided(None, false), "run");
        assert_eq!(decided(None, true), "run");
    }

    #[test]
    fn reruns_call_of_dead_worker_only_if_harmless() {
        let dead = || Some(RecordState::Claimed(delivery("a", 7, 1)));
        assert_eq!(decided(dead(), false), "unknown");
        assert_eq!(decided(dead(), true), "run");
        let sixth = delivery("b", 7, 6);
        assert_eq!(decided_at(dead(), true, &sixth), "crash");
    }

    #[test]
    fn a_worker_whose_lease_ended_leaves_the_call() {
        let newer = || Some(RecordState::Claimed(delivery("c", 7, 3)));
        assert_eq!(decided(newer(), false), "leave");
        assert_eq!(decided(newer(), true), "leave");
    }

    #[test]
    fn leaves_forged_claim_alone() {
        let forged = || Some(RecordState::Claimed(delivery("b", 7, 2)));
        assert_eq!(decided(forged(), false), "leave");
        assert_eq!(decided(forged(), true), "leave");
    }

    #[test]
    fn spoiled_record_counts_as_started_call() {
        for count in [1, 2] {
            let delivery = delivery("b", 7, count);
            assert_eq!(
                in_a_word(&KnownRecord::Spoiled, false, &delivery),
                "unknown"
            );
            assert_eq!(in_a_word(&KnownRecord::Spoiled, true, &delivery), "run");
        }
        let sixth = delivery("b", 7, 6);
        assert_eq!(in_a_word(&KnownRecord::Spoiled, true, &sixth), "crash");
    }

    #[test]
    fn a_call_that_was_published_twice_runs_once() {
        let other = || Some(RecordState::Claimed(delivery("a", 6, 1)));
        assert_eq!(decided(other(), false), "drop");
        assert_eq!(decided(other(), true), "drop");
    }

    #[test]
    fn withdrawn_or_finished_call_does_not_run() {
        let by = "host".to_owned();
        assert_eq!(decided(Some(RecordState::Withdrawn { by }), true), "drop");
        let result = CallRecord::new(Outcome::Success, &ToolResult::success("paid"));
        let by = delivery("a", 7, 1);
        let finished = RecordState::Finished { by, result };
        assert_eq!(decided(Some(finished), true), "success");
    }

    #[test]
    fn a_key_is_for_one_call() {
        let record = Box::new(WorkerRecord {
            digest: "that of another call".to_owned(),
            state: RecordState::Withdrawn { by: String::new() },
        });
        let decision = decide(
            &KnownRecord::Record(record),
            &call(),
            &Ok(&served(true)),
            &delivery("b", 7, 1),
        );
        let ClaimDecision::Answer(ClaimOutcome::Done(refusal)) = decision else {
            panic!("it is refused");
        };
        assert_eq!(refusal.outcome, Outcome::Refused);
    }
}
