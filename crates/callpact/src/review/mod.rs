//! Asking a person, or a stand-in, before something happens.
//!
//! A [`ReviewRequest`] goes to a [`ReviewHandler`] by way of [`run_review`], which enforces the required role and the
//! request's time-out; a [`ReviewDecision`] comes back. Ready-made handlers are [`auto_approve`],
//! [`auto_approve_after`], [`channel`] for a user interface, and [`console`]; [`first_of`] asks two at once.
//!
//! The gate fails closed. Whatever goes wrong between the question and a clear yes (no receiver, a dropped
//! request, an unknown key, the end of the input, an input or output error) means that the action does
//! not go on.

#[cfg(feature = "diff")]
mod change;
mod channel;
mod console;
mod decision;
mod escape;
mod facts;
mod first;
mod handler;
mod layout;
mod preview;
mod reply;
mod request;
mod run;
mod timer;

pub use channel::{ChannelReviewer, PendingReview, ReviewRequests, channel};
pub use console::{ConsoleReviewer, console};
pub use decision::{OnTimeout, ReviewDecision, ReviewError, ReviewTiming};
pub use escape::{Visible, has_hidden, is_hidden, visible};
pub(crate) use facts::summarize;
pub use facts::{CallFacts, FieldMark, MarkKind, ToolServer};
pub use first::{FirstOf, first_of};
pub use handler::{
    AutoApprove, ReviewFn, ReviewHandler, WithRole, auto_approve, auto_approve_after, review_fn,
};
pub use layout::arguments_as_lines;
pub use preview::{
    CommandPreview, DiffLine, DiffPart, FileChange, IntoPreview, Preview, PreviewShape,
    RequestPreview,
};
pub use request::ReviewRequest;
pub use run::run_review;
pub(crate) use timer::{TimedSleep, wait_for};

pub use crate::crash::BoxFuture;

/// How often a reviewer may edit one action before it is refused.
pub(crate) const EDITS: usize = 8;

/// Why an action does not go on after a yes, for the model.
pub(crate) const PREVIEW_CHANGED: &str = "what it would do has changed since it was shown for approval. Make the call \
     again if it is still needed";
pub(crate) const PREVIEW_CRASHED: &str = "it crashed while it made its preview";

#[cfg(test)]
mod tests;
