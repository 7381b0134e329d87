//! Lines from a blocking reader, without blocking the task that waits for them.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The longest answer taken: room for an edited call.
pub(super) const MAX_LINE: usize = 1 << 20;

/// How often a waiting read checks whether it is still wanted.
pub(super) const LOOK: Duration = Duration::from_millis(25);

/// The end of a wait for a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineWait {
    /// A whole line, without its end.
    Whole(Vec<u8>),
    /// The end of the input, even in the middle of a line.
    End,
    /// A line that is too long.
    TooLong,
    Failed,
    /// The question was withdrawn.
    Withdrawn,
}

/// Where answers come from.
pub(super) trait LineSource: Send {
    /// Discards everything typed so far, as far as the source can tell.
    fn discard(&mut self);

    /// Waits for the next line as long as `wanted` says so.
    fn line(&mut self, wanted: &dyn Fn() -> bool) -> LineWait;
}

/// The lines of any reader, read on demand in a thread of its own.
///
/// When a wait is withdrawn the thread is still inside `read`, and nothing can call it back. So the read
/// stays outstanding, and the next question takes it over: a line typed after that question appears is
/// its answer, not lost to the old one. A line that arrives while no question is open waits in the slot,
/// and `discard` throws it away when the next one opens. Between questions without an outstanding read
/// the reader is not touched at all: its input may belong to others.
pub(super) struct ReaderLines {
    slot: Arc<LineSlot>,
    reader: Option<Box<dyn Read + Send>>,
}

/// Standard input, read by one thread for all reviewers of the process.
///
/// If each had its own, the thread of a dropped reviewer could still be inside `read` and take the
/// answer to another question.
pub(super) struct StdinLines;

static STDIN: Mutex<Option<ReaderLines>> = Mutex::new(None);

impl StdinLines {
    /// Only the one worker comes here, so holding the lock during the wait blocks nobody.
    fn with<T>(use_it: impl FnOnce(&mut ReaderLines) -> T) -> T {
        let mut stdin = STDIN.lock().unwrap_or_else(PoisonError::into_inner);
        use_it(stdin.get_or_insert_with(|| ReaderLines::new(std::io::stdin())))
    }
}

impl LineSource for StdinLines {
    fn discard(&mut self) {
        Self::with(ReaderLines::discard);
    }

    fn line(&mut self, wanted: &dyn Fn() -> bool) -> LineWait {
        Self::with(|lines| lines.line(wanted))
    }
}

struct LineSlot {
    state: Mutex<LineState>,
    changed: Condvar,
}

#[derive(Debug)]
enum LineState {
    Idle,
    Reading,
    Ready(LineWait),
    /// There are no more questions: the thread ends when it can.
    Closed,
}

impl LineSlot {
    fn lock(&self) -> MutexGuard<'_, LineState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, next: LineState) {
        *self.lock() = next;
        self.changed.notify_all();
    }
}

impl ReaderLines {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        let slot = LineSlot {
            state: Mutex::new(LineState::Idle),
            changed: Condvar::new(),
        };
        Self {
            slot: Arc::new(slot),
            reader: Some(Box::new(reader)),
        }
    }

    /// Starts the thread at the first question.
    fn start(&mut self) -> bool {
        let Some(reader) = self.reader.take() else {
            return true;
        };
        let slot = Arc::clone(&self.slot);
        thread::Builder::new()
            .name("callpact-input".into())
            .spawn(move || serve(&slot, reader))
            .is_ok()
    }
}

impl LineSource for ReaderLines {
    fn discard(&mut self) {
        let mut state = self.slot.lock();
        if matches!(*state, LineState::Ready(_)) {
            *state = LineState::Idle;
        }
    }

    fn line(&mut self, wanted: &dyn Fn() -> bool) -> LineWait {
        if !self.start() {
            self.slot.set(LineState::Closed);
        }
        let mut state = self.slot.lock();
        loop {
            match std::mem::replace(&mut *state, LineState::Reading) {
                LineState::Ready(line) => {
                    *state = LineState::Idle;
                    return line;
                }
                LineState::Idle => self.slot.changed.notify_all(),
                LineState::Reading => {}
                LineState::Closed => {
                    *state = LineState::Closed;
                    return LineWait::Failed;
                }
            }
            if !wanted() {
                return LineWait::Withdrawn;
            }
            let (next, _) = self
                .slot
                .changed
                .wait_timeout(state, LOOK)
                .unwrap_or_else(PoisonError::into_inner);
            state = next;
        }
    }
}

impl Drop for ReaderLines {
    fn drop(&mut self) {
        self.slot.set(LineState::Closed);
    }
}

/// Closes the slot however the thread ends, so that a panicking reader is an input error and not an
/// endless wait.
struct CloseAtEnd<'a>(&'a LineSlot);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        self.0.set(LineState::Closed);
    }
}

fn serve(slot: &LineSlot, mut reader: Box<dyn Read + Send>) {
    let _close = CloseAtEnd(slot);
    let mut state = slot.lock();
    loop {
        match *state {
            LineState::Idle | LineState::Ready(_) => {
                state = slot
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            LineState::Closed => return drop(state),
            LineState::Reading => {
                drop(state);
                let line = read_line(&mut *reader);
                state = slot.lock();
                if matches!(*state, LineState::Reading) {
                    *state = LineState::Ready(line);
                    slot.changed.notify_all();
                }
            }
        }
    }
}

/// Reads the available bytes. A signal in between is neither an end nor an error.
pub(super) fn read(reader: &mut (impl Read + ?Sized), into: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Reads exactly one line.
fn read_line(reader: &mut dyn Read) -> LineWait {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let mut byte = [0];
        match read(reader, &mut byte) {
            Ok(0) => return LineWait::End,
            Ok(_) if byte == [b'\n'] => {
                return if too_long {
                    LineWait::TooLong
                } else {
                    LineWait::Whole(line)
                };
            }
            Ok(_) if line.len() < MAX_LINE => line.extend(byte),
            // The rest of the line is read all the same: it is not the answer to the next question.
            Ok(_) => too_long = true,
            Err(_) => return LineWait::Failed,
        }
    }
}
