//! The calls under way, and the notes on their progress.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::ToolContext;
use rmcp::{
    RoleClient,
    model::{ClientRequest, GetMeta, JsonRpcMessage, ProgressToken, ServerNotification},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
};

use super::error::cut;

/// The contexts of the calls under way, by the tokens of their progress.
///
/// A call is added when its message is sent, and a note is passed on when it is read: what rmcp starts for a note may run
/// after the reply.
#[derive(Clone, Default)]
pub(super) struct ProgressCalls(Arc<Mutex<HashMap<ProgressToken, ToolContext>>>);

impl ProgressCalls {
    fn calls(&self) -> MutexGuard<'_, HashMap<ProgressToken, ToolContext>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call whose request carries its context.
    pub(super) fn note_sent(&self, message: &TxJsonRpcMessage<RoleClient>) {
        if let JsonRpcMessage::Request(request) = message
            && let ClientRequest::CallToolRequest(call) = &request.request
            && let Some(cx) = call.extensions.get::<ToolContext>()
            && let Some(token) = request.request.get_meta().get_progress_token()
        {
            self.calls().insert(token, cx.clone());
        }
    }

    /// Passes a note on progress to its call.
    pub(super) fn note_heard(&self, message: &RxJsonRpcMessage<RoleClient>) {
        if let JsonRpcMessage::Notification(note) = message
            && let ServerNotification::ProgressNotification(note) = &note.notification
            && let note = &note.params
            && let Some(cx) = self.calls().get(&note.progress_token).cloned()
        {
            let message = note.message.as_deref().map(|message| cut(message, 1_000));
            cx.progress(note.progress, note.total, message.as_deref());
        }
    }

    /// Removes a call that has ended.
    pub(super) fn remove(&self, token: &ProgressToken) {
        self.calls().remove(token);
    }
}
