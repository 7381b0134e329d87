//! Sends the progress of a tool and its messages for people to the client.

use std::sync::{Arc, Mutex, PoisonError};

use callpact::{ToolContext, tool::LogLevel};
use rmcp::{
    RoleServer,
    model::{self, ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use serde_json::json;
use tokio::sync::mpsc;

use super::log_level::to_protocol;

/// The most notes that wait to be sent; further notes are dropped.
const WAITING: usize = 64;

/// The most characters of a note.
const MESSAGE: usize = 1_000;

/// Takes the notes of one call.
#[derive(Clone)]
pub(super) struct ProgressNotes(Option<Arc<OpenProgress>>);

struct OpenProgress {
    /// Names the call in notes on its progress.
    token: Option<ProgressToken>,
    /// The least level of the messages that the client wants.
    level: Option<LogLevel>,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    /// `None` when the call has ended.
    sender: Option<mpsc::Sender<Note>>,
    last: f64,
}

enum Note {
    Progress(ProgressNotificationParam),
    Message(LogLevel, String),
}

/// Returns the receiver of notes, and the future that sends them. Neither does anything if the client asked for no
/// notes.
pub(super) fn notes(
    context: &RequestContext<RoleServer>,
    tool: &str,
    level: Option<LogLevel>,
) -> (ProgressNotes, impl Future<Output = ()> + use<>) {
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let token = context.meta.get_progress_token();
    let notes = (token.is_some() || level.is_some()).then(|| {
        let (sender, last) = (Some(sender), f64::NEG_INFINITY);
        let state = Mutex::new(ProgressState { sender, last });
        Arc::new(OpenProgress {
            token,
            level,
            state,
        })
    });
    let (peer, tool) = (context.peer.clone(), tool.to_owned());
    let forward = async move {
        while let Some(note) = receiver.recv().await {
            // Other code notices that a client is gone.
            let _ = match note {
                Note::Progress(note) => peer.notify_progress(note).await,
                #[allow(deprecated)] // clients of today show these messages
                Note::Message(level, text) => {
                    let note = model::LoggingMessageNotificationParam::new(
                        to_protocol(level),
                        json!(text),
                    );
                    peer.notify_logging_message(note.with_logger(&*tool)).await
                }
            };
        }
    };
    (ProgressNotes(notes), forward)
}

impl ProgressNotes {
    /// Adds these notes to a context, and keeps a listener that it already has.
    pub(super) fn attach(&self, cx: ToolContext) -> ToolContext {
        let Some(open) = self.0.clone() else {
            return cx;
        };
        let mut cx = cx;
        if open.token.is_some() {
            let (before, open) = (cx.clone(), Arc::clone(&open));
            cx = cx.with_progress(move |done, total, message| {
                before.progress(done, total, message);
                open.send(done, total, message);
            });
        }
        if let Some(least) = open.level {
            let before = cx.clone();
            cx = cx.with_log(move |level, text| {
                before.log(level, text);
                if level >= least {
                    open.write(level, text);
                }
            });
        }
        cx
    }

    /// Takes no further notes.
    pub(super) fn close(&self) {
        if let Some(open) = &self.0 {
            open.state().sender = None;
        }
    }
}

impl OpenProgress {
    fn state(&self) -> std::sync::MutexGuard<'_, ProgressState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a message, if there is room.
    fn write(&self, level: LogLevel, text: &str) {
        if let Some(sender) = &self.state().sender {
            let text = text.chars().take(MESSAGE).collect();
            let _ = sender.try_send(Note::Message(level, text));
        }
    }

    /// Queues a note, if it reports progress and there is room.
    fn send(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let mut state = self.state();
        // The protocol requires progress to increase from note to note.
        if !done.is_finite() || done <= state.last {
            return;
        }
        let Some(sender) = &state.sender else { return };
        let Some(token) = self.token.clone() else {
            return;
        };
        let mut note = ProgressNotificationParam::new(token, done);
        if let Some(total) = total.filter(|total| total.is_finite()) {
            note = note.with_total(total);
        }
        if let Some(message) = message {
            note = note.with_message(message.chars().take(MESSAGE).collect::<String>());
        }
        if sender.try_send(Note::Progress(note)).is_ok() {
            state.last = done;
        }
    }
}
