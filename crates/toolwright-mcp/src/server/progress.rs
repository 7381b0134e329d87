//! Carries what a tool says of its progress to the client.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::{
    RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::sync::mpsc;
use toolwright::ToolContext;

/// How many notes wait to go out; what a tool says beyond that is dropped.
const WAITING: usize = 64;

/// How many characters of a note go out.
const MESSAGE: usize = 1_000;

/// What a tool of one call says.
#[derive(Clone)]
pub(super) struct Notes(Option<Arc<Open>>);

struct Open {
    token: ProgressToken,
    state: Mutex<State>,
}

struct State {
    /// Gone when the call has ended.
    sender: Option<mpsc::Sender<ProgressNotificationParam>>,
    last: f64,
}

/// Where notes are put, and the work of sending them; neither does anything for a client that did
/// not ask.
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
            // A client that is gone is found out about elsewhere.
            let _ = peer.notify_progress(note).await;
        }
    };
    (Notes(notes), forward)
}

impl Notes {
    /// The context with these notes beside whoever listens already.
    pub(super) fn attach(&self, cx: ToolContext) -> ToolContext {
        let Some(open) = self.0.clone() else {
            return cx;
        };
        let before = cx.clone();
        cx.with_progress(move |done, total, message| {
            before.progress(done, total, message);
            open.put(done, total, message);
        })
    }

    /// The last note was put.
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

    fn put(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let mut state = self.state();
        // Progress has to increase from note to note.
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
