//! Serves on standard input and output.

use std::io;

use rmcp::{
    RoleServer, ServiceExt,
    model::ServerJsonRpcMessage,
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport},
};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncWrite, BufReader, Empty, empty, stdin, stdout,
};

use super::{
    handler::ToolServer,
    http::ServingTask,
    incoming::{IncomingMessage, RefusedMessage},
};

/// The most bytes of one line, as in rmcp's own transport.
const LINE: usize = 16 << 20;

impl ToolServer {
    /// Serves on standard input and output until the client goes away.
    ///
    /// The rest of the program must not write to standard output meanwhile.
    ///
    /// # Errors
    /// If the client does not speak the protocol.
    pub async fn serve_stdio(self) -> io::Result<()> {
        self.serve_lines().await
    }

    fn serve_lines(self) -> ServingTask {
        Box::pin(async {
            let lines = MessageLines::new(BufReader::new(stdin()), stdout());
            let running = self.serve(lines).await.map_err(|error| {
                io::Error::other(match error {
                    ServerInitializeError::ConnectionClosed(_) => {
                        "the client went away before it introduced itself".to_owned()
                    }
                    ServerInitializeError::ExpectedInitializeRequest(_) => {
                        "the client did not introduce itself; it has to speak the Model Context Protocol"
                            .to_owned()
                    }
                    other => other.to_string(),
                })
            })?;
            running.waiting().await.map_err(io::Error::other)?;
            Ok(())
        })
    }
}

/// How a line was read.
enum LineRead {
    Whole,
    TooLong,
}

/// One message a line. rmcp's transport writes; this one reads, to get the raw arguments.
struct MessageLines<R, W: AsyncWrite> {
    reader: R,
    line: Vec<u8>,
    /// Whether the rest of a line that was too long is being skipped.
    skipping: bool,
    writer: AsyncRwTransport<RoleServer, Empty, W>,
    // The answer of a dropped `receive`, which the next `receive` continues.
    answering: Option<ServingTask>,
}

impl<R, W> MessageLines<R, W>
where
    R: AsyncBufRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    fn new(reader: R, writer: W) -> Self {
        Self {
            reader,
            line: Vec::new(),
            skipping: false,
            writer: AsyncRwTransport::new(empty(), writer),
            answering: None,
        }
    }

    /// Reads up to the end of a line into `line`; nothing at the end of the input. If it is dropped
    /// midway, the next call continues.
    async fn read_line(&mut self) -> io::Result<Option<LineRead>> {
        loop {
            let bytes = self.reader.fill_buf().await?;
            if bytes.is_empty() {
                // A last line without its end is not a message.
                return Ok(None);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            let used = part.len() + usize::from(end.is_some());
            if self.skipping || self.line.len() + part.len() > LINE {
                self.line = Vec::new();
                self.skipping = true;
            } else {
                self.line.extend_from_slice(part);
            }
            self.reader.consume(used);
            if end.is_some() {
                return Ok(Some(if std::mem::take(&mut self.skipping) {
                    LineRead::TooLong
                } else {
                    LineRead::Whole
                }));
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for MessageLines<R, W>
where
    R: AsyncBufRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.writer.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                answering.await.ok()?;
                self.answering = None;
            }
            if let LineRead::TooLong = self.read_line().await.ok()?? {
                tracing::warn!(target: "callpact", "a message of more than {LINE} bytes was skipped");
                let answer: ServerJsonRpcMessage = RefusedMessage::too_long(LINE).answer();
                self.answering = Some(Box::pin(self.writer.send(answer)));
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            match IncomingMessage::read(line) {
                Ok(read) => {
                    let mut message = read.message;
                    if let Some(arguments) = read.arguments {
                        message.insert_extension(arguments);
                    }
                    return Some(message);
                }
                // A notification gets no answer, and unknown ones are ignored.
                Err(refused) if refused.is_notification => {}
                Err(refused) => {
                    let answer: ServerJsonRpcMessage = refused.answer();
                    self.answering = Some(Box::pin(self.writer.send(answer)));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.close().await
    }
}
