//! The answers to somebody who is too late.

use callpact::ReviewDecision;
use http::StatusCode;

use crate::{
    answer::{DeskAnswer, fault},
    asked::QuestionEnd,
    replies::name,
};

/// The message to a person who is too late, if nobody knows who was faster.
pub(crate) const GONE: &str =
    "the call does not wait any more: it was decided about elsewhere, or given up";

/// The answer to somebody who is too late.
pub(crate) fn lost_to(settled: &QuestionEnd) -> DeskAnswer {
    match settled {
        QuestionEnd::By { who, decision } => lost(who, decision),
        QuestionEnd::Gone => fault(StatusCode::CONFLICT, GONE),
    }
}

pub(crate) fn lost(by: &str, decision: &ReviewDecision) -> DeskAnswer {
    let text = format!("already {} by {by}", name(decision));
    fault(StatusCode::CONFLICT, &text)
}
