//! The thread that works on a file, so that a locked file blocks no thread of the caller.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread::{Builder, JoinHandle},
};

use rusqlite::Connection;
use tokio::sync::oneshot;

type StoreStep = Box<dyn FnOnce(&mut Connection) + Send>;

/// Runs steps on a connection, one after another. When it is dropped, it waits for the last step and closes the file.
pub(crate) struct FileThread {
    steps: Option<mpsc::Sender<StoreStep>>,
    thread: Option<JoinHandle<()>>,
}

impl FileThread {
    pub(crate) fn start(mut connection: Connection) -> io::Result<Self> {
        let (steps, queue) = mpsc::channel::<StoreStep>();
        let thread = Builder::new()
            .name("callpact-store".to_owned())
            .spawn(move || {
                for step in queue {
                    // The caller learns of a crash because nobody answers. Its transaction is rolled back.
                    let _ = catch_unwind(AssertUnwindSafe(|| step(&mut connection)));
                }
            })?;
        Ok(Self {
            steps: Some(steps),
            thread: Some(thread),
        })
    }

    /// Starts a step now, whether or not its answer is awaited. There is no answer if the step crashes.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce(&mut Connection, &StepCaller<'_>) -> T + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (answer, done) = oneshot::channel();
        let step = Box::new(move |connection: &mut Connection| {
            let value = step(connection, &StepCaller(&|| answer.is_closed()));
            let _ = answer.send(value);
        });
        if let Some(steps) = &self.steps {
            // It fails only without the thread, and then nobody answers.
            let _ = steps.send(step);
        }
        done
    }
}

impl Drop for FileThread {
    fn drop(&mut self) {
        self.steps = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The caller of a step.
pub(crate) struct StepCaller<'a>(&'a dyn Fn() -> bool);

impl StepCaller<'_> {
    /// Whether nobody waits for the end of the step any more.
    pub(crate) fn is_gone(&self) -> bool {
        (self.0)()
    }
}
