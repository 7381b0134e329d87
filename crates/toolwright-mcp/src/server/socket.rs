//! The socket of a connection: a client that does not read is found out and given up.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::{
    net::TcpStream,
    time::{Instant, Sleep, sleep},
};

use super::connections::Counters;

/// How long a client may read nothing while there is something to read.
const WRITE: Duration = Duration::from_secs(10);

/// A socket whose writing ends in time.
pub(super) struct Socket {
    stream: TokioIo<TcpStream>,
    counters: Counters,
    /// Ends when the client has read nothing for too long; none while nothing waits.
    end: Option<Pin<Box<Sleep>>>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, counters: Counters) -> Self {
        Self {
            stream: TokioIo::new(stream),
            counters,
            end: None,
        }
    }

    /// Passes a result of writing on, and watches the time.
    fn watch(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => {
                self.counters.subtract_unwritten(*bytes);
                if let Some(end) = &mut self.end {
                    end.as_mut().reset(Instant::now() + WRITE);
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                // Until the whole buffer was written, a client that reads drop by drop counts too.
                self.counters.set_stalled(true);
                let end = self.end.get_or_insert_with(|| Box::pin(sleep(WRITE)));
                if end.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
            }
        }
        written
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watch(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, buffers);
        self.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // hyper flushes when its buffer is empty: all was written.
        self.end = None;
        self.counters.set_stalled(false);
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
