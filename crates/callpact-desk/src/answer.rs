//! The answers to requests: whole ones, and the stream of events.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use http::{HeaderValue, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Bytes;
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc;

/// The body of an answer.
#[derive(Debug)]
pub struct DeskBody(AnswerKind);

#[derive(Debug)]
enum AnswerKind {
    Whole(Option<Bytes>),
    Stream(mpsc::Receiver<Bytes>),
}

impl DeskBody {
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self(AnswerKind::Whole(
            Some(bytes).filter(|bytes| !bytes.is_empty()),
        ))
    }

    pub(crate) fn stream(parts: mpsc::Receiver<Bytes>) -> Self {
        Self(AnswerKind::Stream(parts))
    }
}

impl Body for DeskBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = match &mut self.0 {
            AnswerKind::Whole(bytes) => Poll::Ready(bytes.take()),
            AnswerKind::Stream(parts) => parts.poll_recv(cx),
        };
        part.map(|part| part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, AnswerKind::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            AnswerKind::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            AnswerKind::Stream(_) => SizeHint::default(),
        }
    }
}

pub(crate) type DeskAnswer = Response<DeskBody>;

/// An answer with bytes of a media type.
pub(crate) fn bytes(kind: &'static str, bytes: impl Into<Bytes>) -> DeskAnswer {
    let mut answer = Response::new(DeskBody::whole(bytes));
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// An answer of JSON.
pub(crate) fn json(value: &impl Serialize) -> DeskAnswer {
    match serde_json::to_vec(value) {
        Ok(text) => bytes("application/json", text),
        Err(_) => fault(StatusCode::INTERNAL_SERVER_ERROR, "the answer is not JSON"),
    }
}

/// An answer to a request whose work goes on.
pub(crate) fn accepted(value: &impl Serialize) -> DeskAnswer {
    let mut answer = json(value);
    *answer.status_mut() = StatusCode::ACCEPTED;
    answer
}

/// An answer that says what is wrong with a request.
pub(crate) fn fault(status: StatusCode, text: &str) -> DeskAnswer {
    let mut answer = bytes("application/json", json!({ "error": text }).to_string());
    *answer.status_mut() = status;
    answer
}
