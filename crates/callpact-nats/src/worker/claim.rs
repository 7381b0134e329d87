//! Decides whether a call that this worker got runs here.

use callpact::{Outcome, ToolResult, adapter::CallRecord};

use super::shared::Served;
use crate::{
    NatsError,
    protocol::{Call, Delivery, Record, State},
    records::{ROUNDS, too_busy},
    results::{Known, Results},
};

/// How often a repeatable call is started.
const MAX_STARTS: i64 = 5;

/// What a worker does with a call that it got.
pub(super) enum Claimed {
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
    results: &Results,
    call: &Call,
    served: Result<&Served, CallRecord>,
    delivery: &Delivery,
) -> Result<Claimed, NatsError> {
    // Usually there is no record. If there is one, the write reports it.
    let (mut known, mut revision) = (Known::Nothing, 0);
    for _ in 0..ROUNDS {
        let (state, run) = match decide(&known, call, &served, delivery) {
            Decision::Claim => (State::Claimed(delivery.clone()), true),
            Decision::Finish(result) => {
                let by = delivery.clone();
                (State::Finished { by, result }, false)
            }
            Decision::Answer(claimed) => return Ok(claimed),
        };
        let record = Record {
            digest: call.digest.clone(),
            state,
        };
        match (
            results.write(&call.key, &record, revision).await?,
            record.state,
        ) {
            (Some(revision), _) if run => return Ok(Claimed::Run(revision)),
            (Some(_), State::Finished { result, .. }) => return Ok(Claimed::Done(result)),
            _ => (known, revision) = results.read(&call.key).await?,
        }
    }
    Err(too_busy())
}

enum Decision {
    Claim,
    Finish(CallRecord),
    Answer(Claimed),
}

fn decide(
    known: &Known,
    call: &Call,
    served: &Result<&Served, CallRecord>,
    delivery: &Delivery,
) -> Decision {
    let record = match known {
        Known::Nothing => {
            return match served {
                Ok(_) => Decision::Claim,
                Err(refusal) => Decision::Finish(refusal.clone()),
            };
        }
        // A worker may have started the call before somebody overwrote its claim.
        Known::Spoiled => return start_again(call, served, delivery),
        Known::Record(record) => record,
    };
    if record.digest != call.digest {
        let text = "Another call ran under the key of this one. The tool did not run";
        let result = ToolResult::failure(text);
        let refusal = CallRecord::new(Outcome::Refused, &result);
        return Decision::Answer(Claimed::Done(refusal));
    }
    let before = match &record.state {
        State::Withdrawn { .. } => return Decision::Answer(Claimed::Drop),
        State::Finished { result, .. } => {
            return Decision::Answer(Claimed::Done(result.clone()));
        }
        State::Claimed(before) => before,
    };
    if before.message != delivery.message {
        // The call was published twice. The other message finishes it.
        return Decision::Answer(Claimed::Drop);
    }
    if before.count >= delivery.count {
        // The lease of this worker has ended, and another one has the call. The claim of this delivery is no
        // exception: this worker did not make it, or it would know its revision.
        return Decision::Answer(Claimed::Leave);
    }
    start_again(call, served, delivery)
}

/// Decides about a call that a worker may have started, and that no worker runs now.
fn start_again(call: &Call, served: &Result<&Served, CallRecord>, delivery: &Delivery) -> Decision {
    match served {
        Ok(served) if !served.repeatable => {
            let unknown = ToolResult::unknown(&call.tool);
            Decision::Finish(CallRecord::new(Outcome::Unknown, &unknown))
        }
        Ok(_) if delivery.count > MAX_STARTS => {
            let text = format!(
                "Tool '{}' was started {MAX_STARTS} times for this call, and its worker ended each time",
                call.tool
            );
            let result = ToolResult::failure(text);
            Decision::Finish(CallRecord::new(Outcome::Crash, &result))
        }
        Ok(_) => Decision::Claim,
        Err(refusal) => Decision::Finish(refusal.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Call {
        let (fingerprint, arguments) = ("f".to_owned(), "{}".to_owned());
        Call {
            key: "k".to_owned(),
            id: "call-1".to_owned(),
            tool: "pay".to_owned(),
            digest: Call::digest_of(&fingerprint, &arguments),
            arguments,
            fingerprint,
            role: None,
            caller: None,
            timeout: 1000,
            trace: None,
        }
    }

    fn delivery(worker: &str, message: u64, count: i64) -> Delivery {
        Delivery {
            worker: worker.to_owned(),
            message,
            count,
        }
    }

    fn served(repeatable: bool) -> Served {
        Served {
            fingerprint: "f".to_owned(),
            repeatable,
        }
    }

    /// What worker `b` does with the second delivery of message 7, in one word.
    fn decided(state: Option<State>, repeatable: bool) -> &'static str {
        decided_at(state, repeatable, &delivery("b", 7, 2))
    }

    fn decided_at(state: Option<State>, repeatable: bool, delivery: &Delivery) -> &'static str {
        let digest = call().digest;
        let known = state.map_or(Known::Nothing, |state| {
            Known::Record(Box::new(Record { digest, state }))
        });
        in_a_word(&known, repeatable, delivery)
    }

    fn in_a_word(known: &Known, repeatable: bool, delivery: &Delivery) -> &'static str {
        match decide(known, &call(), &Ok(&served(repeatable)), delivery) {
            Decision::Claim => "run",
            Decision::Finish(record) | Decision::Answer(Claimed::Done(record)) => {
                record.outcome.name()
            }
            Decision::Answer(Claimed::Drop) => "drop",
            Decision::Answer(Claimed::Leave | Claimed::Run(_)) => "leave",
        }
    }

    #[test]
    fn a_call_that_nobody_claimed_runs() {
        assert_eq!(decided(None, false), "run");
        assert_eq!(decided(None, true), "run");
    }

    #[test]
    fn a_call_whose_worker_died_runs_again_only_where_that_does_no_harm() {
        let dead = || Some(State::Claimed(delivery("a", 7, 1)));
        assert_eq!(decided(dead(), false), "unknown");
        assert_eq!(decided(dead(), true), "run");
        let sixth = delivery("b", 7, 6);
        assert_eq!(decided_at(dead(), true, &sixth), "crash");
    }

    #[test]
    fn a_worker_whose_lease_ended_leaves_the_call() {
        let newer = || Some(State::Claimed(delivery("c", 7, 3)));
        assert_eq!(decided(newer(), false), "leave");
        assert_eq!(decided(newer(), true), "leave");
    }

    #[test]
    fn a_claim_that_this_worker_has_not_made_is_not_its_own() {
        let forged = || Some(State::Claimed(delivery("b", 7, 2)));
        assert_eq!(decided(forged(), false), "leave");
        assert_eq!(decided(forged(), true), "leave");
    }

    #[test]
    fn what_is_no_record_stands_for_a_call_that_was_begun() {
        for count in [1, 2] {
            let delivery = delivery("b", 7, count);
            assert_eq!(in_a_word(&Known::Spoiled, false, &delivery), "unknown");
            assert_eq!(in_a_word(&Known::Spoiled, true, &delivery), "run");
        }
        let sixth = delivery("b", 7, 6);
        assert_eq!(in_a_word(&Known::Spoiled, true, &sixth), "crash");
    }

    #[test]
    fn a_call_that_was_published_twice_runs_once() {
        let other = || Some(State::Claimed(delivery("a", 6, 1)));
        assert_eq!(decided(other(), false), "drop");
        assert_eq!(decided(other(), true), "drop");
    }

    #[test]
    fn a_call_that_was_taken_back_or_has_a_result_does_not_run() {
        let by = "host".to_owned();
        assert_eq!(decided(Some(State::Withdrawn { by }), true), "drop");
        let result = CallRecord::new(Outcome::Success, &ToolResult::success("paid"));
        let by = delivery("a", 7, 1);
        let finished = State::Finished { by, result };
        assert_eq!(decided(Some(finished), true), "success");
    }

    #[test]
    fn a_key_is_for_one_call() {
        let record = Box::new(Record {
            digest: "that of another call".to_owned(),
            state: State::Withdrawn { by: String::new() },
        });
        let decision = decide(
            &Known::Record(record),
            &call(),
            &Ok(&served(true)),
            &delivery("b", 7, 1),
        );
        let Decision::Answer(Claimed::Done(refusal)) = decision else {
            panic!("it is refused");
        };
        assert_eq!(refusal.outcome, Outcome::Refused);
    }
}
