//! Sends the progress of a tool to the client.

use std::sync::{Arc, Mutex, PoisonError};

use callpact::ToolContext;
use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::sync::mpsc;

/// The most notes that wait to be sent; further notes are dropped.
const WAITING: usize = 64;

/// The most characters of a note.
const MESSAGE: usize = 1_000;

/// Takes the notes on progress of one call.
#[derive(Clone)]
pub(super) struct Notes(Option<Arc<Open>>);

struct Open {
    token: ProgressToken,
    state: Mutex<State>,
}

struct State {
    /// `None` when the call has ended.
    sender: Option<mpsc::Sender<ProgressNotificationParam>>,
    last: f64,
}

/// Returns the receiver of notes, and the future that sends them. Neither does anything if the client
/// did not ask for progress.
pub(super) fn notes(context: &RequestContext<RoleServer>) -> (Notes, impl Future<Output = ()>) {
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let notes = context.meta.get_progress_token().map(|token| {
        let (sender, last) = (Some(sender), f64::NEG_INFINITY);
        let state = Mutex::new(State { sender, last });
        Arc::new(Open { token, state })
    });
    let peer = context.peer.clone();
    let forward = async move {
        while let Some(note) = receiver.recv().await {
            // Other code notices that a client is gone.
            let _ = peer.notify_progress(note).await;
        }
    };
    (Notes(notes), forward)
}

impl Notes {
    /// Adds these notes to a context, and keeps a listener that it already has.
    pub(super) fn attach(&self, cx: ToolContext) -> ToolContext {
        let Some(open) = self.0.clone() else {
            return cx;
        };
        let before = cx.clone();
        cx.with_progress(move |done, total, message| {
            before.progress(done, total, message);
            open.send(done, total, message);
        })
    }

    /// Takes no further notes.
    pub(super) fn close(&self) {
        if let Some(open) = &self.0 {
            open.state().sender = None;
        }
    }
}

impl Open {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a note, if it reports progress and there is room.
    fn send(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let mut state = self.state();
        // The protocol requires progress to increase from note to note.
        if !done.is_finite() || done <= state.last {
            return;
        }
        let Some(sender) = &state.sender else { return };
        let mut note = ProgressNotificationParam::new(self.token.clone(), done);
        if let Some(total) = total.filter(|total| total.is_finite()) {
            note = note.with_total(total);
        }
        if let Some(message) = message {
            note = note.with_message(message.chars().take(MESSAGE).collect::<String>());
        }
        if sender.try_send(note).is_ok() {
            state.last = done;
        }
    }
}
