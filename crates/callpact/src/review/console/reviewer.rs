//! The reviewer on a console.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};

use super::ask::ConsoleStreams;
use super::lines::{LineSource, ReaderLines};
use super::{system, worker};
use crate::review::run::within;
use crate::review::{BoxFuture, ReviewDecision, ReviewError, ReviewHandler, ReviewRequest};

/// A reviewer on the process's own console: asks on standard error, reads from standard input.
///
/// If standard error does not go to a terminal while standard input comes from one, the question goes to
/// the controlling terminal instead, so that nobody answers a question that they cannot see. A process
/// whose standard input carries a protocol should use [`ConsoleReviewer::tty`], which never reads it.
///
/// ```no_run
/// use callpact::review::{ReviewRequest, console, run_review};
///
/// # async fn example() -> Result<(), callpact::review::ReviewError> {
/// let request = ReviewRequest::new("Delete the build directory").action(r#"{"path": "target"}"#);
/// let decision = run_review(&console(), &request).await?;
/// # Ok(())
/// # }
/// ```
pub fn console() -> ConsoleReviewer {
    let (input, output) = system::standard_streams();
    ConsoleReviewer::from_parts(input, output)
}

/// A reviewer that asks a person line by line.
///
/// The question shows every field of the request behind a gutter that no text can step out of, with
/// invisible and active characters [written out](crate::review::visible). A long request comes in pages, and
/// no yes counts before the last page. Answers are whole lines: `y`, `yes`, `c` or `continue` goes on; `e` or
/// `edit` asks for a replacement in one line; `r` or `refuse` asks for a reason, which the model gets; `x` or
/// `n` exits early. Anything else rejects, as do an empty line, a line without an end, the end of the input
/// and every input or output error.
///
/// The layout is made for a terminal of at least 80 columns in UTF-8.
///
/// All console reviewers of a process share one queue: their questions never overlap, whichever thread
/// they come from. The wait in that queue counts towards a request's time. A question whose time is up
/// is withdrawn; text typed between two questions answers neither. On a Unix terminal whole lines
/// typed before the question are thrown away, and with the feature `terminal` so is a half-typed one.
pub struct ConsoleReviewer {
    io: Arc<Mutex<ConsoleStreams>>,
}

impl ConsoleReviewer {
    /// A reviewer on any reader and writer.
    ///
    /// The reader is read from a thread of its own, a byte at a time and never past the requested
    /// line, so that the rest stays for the next question.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use callpact::review::*;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ReviewError> {
    /// let reviewer = ConsoleReviewer::new(Cursor::new("y\n"), std::io::sink());
    /// let request = ReviewRequest::new("Write a file");
    /// assert_eq!(run_review(&reviewer, &request).await?, ReviewDecision::Continue);
    /// // The input is at its end now.
    /// assert_eq!(run_review(&reviewer, &request).await?, ReviewDecision::REJECT);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Self::from_parts(Box::new(ReaderLines::new(input)), Box::new(output))
    }

    /// A reviewer on the controlling terminal, whatever the standard streams are.
    ///
    /// # Errors
    /// When the process has no controlling terminal, or the system does not support one.
    pub fn tty() -> io::Result<Self> {
        let (input, output) = system::controlling_terminal()?;
        Ok(Self::from_parts(input, output))
    }

    pub(super) fn from_parts(input: Box<dyn LineSource>, output: Box<dyn Write + Send>) -> Self {
        Self {
            io: Arc::new(Mutex::new(ConsoleStreams { input, output })),
        }
    }
}

impl ReviewHandler for ConsoleReviewer {
    fn review<'a>(
        &'a self,
        request: &'a ReviewRequest,
    ) -> BoxFuture<'a, Result<ReviewDecision, ReviewError>> {
        // The time-out is enforced here as well as in `run_review`, so that no call waits for ever.
        Box::pin(within(request, async move {
            let wait = worker::submit(Arc::clone(&self.io), request.clone())?;
            Ok(wait.await.unwrap_or(ReviewDecision::REJECT))
        }))
    }
}

impl fmt::Debug for ConsoleReviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConsoleReviewer(..)")
    }
}
