//! The socket of a connection. It detects and drops a client that does not read.

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

use crate::connections::ConnectionCounters;

/// How long a client may read nothing while output waits.
const WRITE: Duration = Duration::from_secs(10);

/// A socket that limits the time of writing.
pub(crate) struct TimedSocket {
    stream: TokioIo<TcpStream>,
    counters: ConnectionCounters,
    /// Fires when the client has read nothing for too long; `None` while no output waits.
    end: Option<Pin<Box<Sleep>>>,
}

impl TimedSocket {
    pub(crate) fn new(stream: TcpStream, counters: ConnectionCounters) -> Self {
        Self {
            stream: TokioIo::new(stream),
            counters,
            end: None,
        }
    }

    /// Passes on the result of a write, and watches the time.
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
                // Until the whole buffer is written, even a client that reads drop by drop counts
                // as stalled.
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

impl Read for TimedSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl Write for TimedSocket {
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
        // hyper flushes when its buffer is empty, so everything was written.
        self.end = None;
        self.counters.set_stalled(false);
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
