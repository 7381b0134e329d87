//! One request and its answer: what they count for while they are under way.

use std::{
    convert::Infallible,
    error::Error,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{CONTENT_TYPE, RETRY_AFTER},
};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tower_service::Service;

use crate::connections::{ConnectionCounters, CountedUse};

/// Answers a request with a service, and counts the work of its connection.
pub(crate) async fn answer<S, B>(
    mut service: S,
    request: Request<Incoming>,
    counters: ConnectionCounters,
) -> Result<Response<AnswerBody<B>>, Infallible>
where
    S: Service<Request<RequestBody>, Response = Response<B>, Error = Infallible>,
{
    let exchange = RequestExchange::new(counters);
    let gets = request.method() == Method::GET;
    if request.body().is_end_stream() {
        exchange.begin_work();
    }
    let request = request.map(|body| RequestBody {
        body,
        exchange: exchange.clone(),
    });
    poll_fn(|cx| service.poll_ready(cx)).await?;
    let response = service.call(request).await?;
    let is_stream = gets && is_event_stream(&response);
    if is_stream && !exchange.become_stream() {
        let mut response = Response::new(AnswerBody::new(None, exchange));
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        let seconds = HeaderValue::from_static("10");
        response.headers_mut().insert(RETRY_AFTER, seconds);
        return Ok(response);
    }
    Ok(response.map(|body| AnswerBody::new(Some(body), exchange)))
}

fn is_event_stream<B>(response: &Response<B>) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"))
}

/// The count of one request and its answer.
#[derive(Clone)]
struct RequestExchange {
    counters: ConnectionCounters,
    state: Arc<Mutex<ExchangeState>>,
}

enum ExchangeState {
    /// The client still sends, so its connection may have to give way.
    Receiving,
    Counted {
        _count: CountedUse,
    },
    Ended,
}

impl RequestExchange {
    fn new(counters: ConnectionCounters) -> Self {
        Self {
            counters,
            state: Arc::new(Mutex::new(ExchangeState::Receiving)),
        }
    }

    fn state(&self) -> MutexGuard<'_, ExchangeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_work(&self) {
        let mut state = self.state();
        if matches!(*state, ExchangeState::Receiving) {
            *state = ExchangeState::Counted {
                _count: self.counters.request(),
            };
        }
    }

    /// Counts as an event stream from here on. Returns `false` if there are too many.
    fn become_stream(&self) -> bool {
        let stream = self.counters.stream();
        let is_counted = stream.is_some();
        *self.state() = match stream {
            Some(count) => ExchangeState::Counted { _count: count },
            None => ExchangeState::Ended,
        };
        is_counted
    }

    fn end(&self) {
        *self.state() = ExchangeState::Ended;
    }
}

/// The body of a request to a service of a [`Listener`](crate::Listener).
pub struct RequestBody {
    body: Incoming,
    exchange: RequestExchange,
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.exchange.begin_work();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl std::fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RequestBody(..)")
    }
}

/// The body of an answer. Its bytes count as unwritten until the socket takes them.
pub(crate) struct AnswerBody<B> {
    /// `None` for an empty body of our own.
    body: Option<Pin<Box<B>>>,
    exchange: RequestExchange,
}

impl<B> AnswerBody<B> {
    fn new(body: Option<B>, exchange: RequestExchange) -> Self {
        exchange.begin_work();
        Self {
            body: body.map(Box::pin),
            exchange,
        }
    }
}

impl<B> Body for AnswerBody<B>
where
    B: Body<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>>,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let Some(body) = &mut self.body else {
            return Poll::Ready(None);
        };
        let frame = body.as_mut().poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(bytes) = frame.data_ref()
        {
            self.exchange.counters.add_unwritten(bytes.len());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.body.as_ref();
        body.map_or(SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<B> Drop for AnswerBody<B> {
    fn drop(&mut self) {
        self.exchange.end();
    }
}
