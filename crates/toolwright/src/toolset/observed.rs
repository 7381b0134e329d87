//! Tells the observer of a context about one call, however the call ends.

use std::{
    borrow::Cow,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use crate::{
    adapter::{ToolCall, ToolReply},
    crash::caught,
    observe::{CallEnd, CallObserver, ObservedCall},
    tool::{Halt, ToolContext},
};

/// A call that its observer was told about.
pub(super) struct Observed<'a>(Option<Told<'a>>);

struct Told<'a> {
    observer: &'a dyn CallObserver,
    number: u64,
    call: &'a ToolCall,
    cx: &'a ToolContext,
    arguments: Cow<'a, str>,
    began: Instant,
}

impl<'a> Observed<'a> {
    /// Tells the observer, if the context has one, that a call begins.
    pub(super) fn begin(call: &'a ToolCall, cx: &'a ToolContext) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let told = cx.observer().map(|observer| Told {
            observer,
            number: COUNT.fetch_add(1, Ordering::Relaxed),
            call,
            cx,
            arguments: cx.without_secrets(&call.arguments),
            began: Instant::now(),
        });
        if let Some(told) = &told {
            // The program's own code, which must not end the call.
            let _ = caught(|| told.observer.began(&told.call()));
        }
        Self(told)
    }

    pub(super) fn end(mut self, ended: &Result<ToolReply, Halt>) {
        let Some(told) = self.0.take() else { return };
        match ended {
            Ok(reply) => told.end(&CallEnd {
                outcome: reply.outcome.name(),
                halted: false,
                text: &reply.to_model(),
                fixes: &reply.fixes,
                duration: told.began.elapsed(),
            }),
            Err(halt) => told.halt(halt),
        }
    }
}

impl Told<'_> {
    fn call(&self) -> ObservedCall<'_> {
        ObservedCall {
            number: self.number,
            call_id: &self.call.id,
            tool: &self.call.name,
            role: self.cx.named_role(),
            arguments: &self.arguments,
        }
    }

    fn halt(&self, halt: &Halt) {
        self.end(&CallEnd {
            outcome: halt.name(),
            halted: true,
            text: &self.cx.without_secrets(&halt.to_string()),
            fixes: &[],
            duration: self.began.elapsed(),
        });
    }

    fn end(&self, end: &CallEnd<'_>) {
        let _ = caught(|| self.observer.ended(&self.call(), end));
    }
}

impl Drop for Observed<'_> {
    fn drop(&mut self) {
        // Whoever waited for the call stopped waiting.
        if let Some(told) = self.0.take() {
            told.halt(&Halt::Cancelled);
        }
    }
}
