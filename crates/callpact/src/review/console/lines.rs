//! Lines from a blocking reader, without blocking the task that waits for them.

use std::io::{self, ErrorKind, Read};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::crash::lock;

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
/// its answer, not lost to the old one. A line that arrives while no question is open waits in the channel,
/// and `discard` throws it away when the next one opens. Between questions without an outstanding read
/// the reader is not touched at all: its input may belong to others.
pub(super) struct ReaderLines {
    /// The reader, until the first question.
    reader: Option<Box<dyn Read + Send>>,
    /// The thread, from the first question on. `None` also if it could not be started.
    thread: Option<LineThread>,
}

/// The channels to the thread that reads, which ends when this is dropped.
struct LineThread {
    asks: Sender<()>,
    lines: Receiver<LineWait>,
    /// Whether the thread was asked for a line that nobody has taken.
    is_asked: bool,
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
        use_it(lock(&STDIN).get_or_insert_with(|| ReaderLines::new(std::io::stdin())))
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

impl ReaderLines {
    pub(super) fn new(reader: impl Read + Send + 'static) -> Self {
        Self {
            reader: Some(Box::new(reader)),
            thread: None,
        }
    }

    /// The thread, which the first question starts.
    fn thread(&mut self) -> Option<&mut LineThread> {
        if let Some(mut reader) = self.reader.take() {
            let (asks, asked) = channel();
            let (answers, lines) = channel();
            let read_lines = move || {
                for () in asked {
                    if answers.send(read_line(&mut *reader)).is_err() {
                        return;
                    }
                }
            };
            let started = thread::Builder::new()
                .name("callpact-input".into())
                .spawn(read_lines);
            self.thread = started.is_ok().then_some(LineThread {
                asks,
                lines,
                is_asked: false,
            });
        }
        self.thread.as_mut()
    }
}

impl LineSource for ReaderLines {
    fn discard(&mut self) {
        if let Some(thread) = &mut self.thread
            && thread.lines.try_recv().is_ok()
        {
            thread.is_asked = false;
        }
    }

    fn line(&mut self, wanted: &dyn Fn() -> bool) -> LineWait {
        let Some(thread) = self.thread() else {
            return LineWait::Failed;
        };
        if !thread.is_asked {
            thread.is_asked = thread.asks.send(()).is_ok();
        }
        while wanted() {
            match thread.lines.recv_timeout(LOOK) {
                Ok(line) => {
                    thread.is_asked = false;
                    return line;
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The reader panicked.
                Err(RecvTimeoutError::Disconnected) => return LineWait::Failed,
            }
        }
        LineWait::Withdrawn
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
