//! The gate that every HTTP request passes before rmcp's service, and every answer after it.

use std::{
    borrow::Cow,
    convert::Infallible,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use callpact::identity::named_host;
use callpact_http::{BodyFault, Peer, read_body};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
        ACCESS_CONTROL_REQUEST_METHOD, CONTENT_TYPE, HOST, ORIGIN, RETRY_AFTER, VARY,
    },
    request::Parts,
    uri::Authority,
};
use http_body_util::{
    BodyExt, Full,
    combinators::{BoxBody, UnsyncBoxBody},
};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use rmcp::{
    ServerHandler,
    model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage},
    transport::{StreamableHttpServerConfig, StreamableHttpService},
};

use super::{
    admission::AdmissionRefusal,
    guard::{TokenGuard, session},
    incoming::{IncomingMessage, RefusedMessage},
    limit::CallerKey,
    sessions::SessionStore,
    turns::{RequestTurn, ServerTurns},
};

/// The most bytes of a request's body.
const BODY: usize = 4 << 20;

const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

type AnyBody = BoxBody<Bytes, Infallible>;

/// The body of a request of any server.
pub(super) type ForeignBody = UnsyncBoxBody<Bytes, io::Error>;

/// rmcp's service behind the checks.
pub(super) struct RequestGate<H> {
    service: StreamableHttpService<H, SessionStore>,
    sessions: Arc<SessionStore>,
    guard: Option<Arc<TokenGuard>>,
    turns: ServerTurns,
}

impl<H> Clone for RequestGate<H> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            sessions: Arc::clone(&self.sessions),
            guard: self.guard.clone(),
            turns: self.turns.clone(),
        }
    }
}

impl<H: ServerHandler + Clone> RequestGate<H> {
    pub(super) fn new(
        server: H,
        config: StreamableHttpServerConfig,
        guard: Option<TokenGuard>,
        sessions: SessionStore,
    ) -> Self {
        let sessions = Arc::new(sessions);
        let config = config.with_max_request_body_bytes(BODY);
        let make = move || Ok(server.clone());
        Self {
            service: StreamableHttpService::new(make, Arc::clone(&sessions), config),
            sessions,
            guard: guard.map(Arc::new),
            turns: ServerTurns::default(),
        }
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<ForeignBody>) -> Response<Answer> {
        let turn = self.turns.of_request();
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(turn.clone());
        let request = Request::from_parts(parts, ());
        let response = if let Some(refusal) = self.refusal(&request).await {
            refusal
        } else {
            let origin = request.headers().get(ORIGIN).cloned();
            let mut response = self.pass(request, body).await;
            if let Some(origin) = origin {
                add_cors(response.headers_mut(), origin);
            }
            response
        };
        response.map(|body| Answer { body, turn })
    }

    /// The answer to a request from a host or an origin that is not allowed.
    async fn refusal<B>(&self, request: &Request<B>) -> Option<Response<AnyBody>> {
        for name in [HOST, ORIGIN, SESSION_ID, PROTOCOL_VERSION] {
            if request.headers().get_all(&name).iter().count() > 1 {
                let text = format!("Bad Request: more than one {name} header");
                return Some(plain(StatusCode::BAD_REQUEST, &text));
            }
        }
        if !names_one_host(request) {
            let text = "Bad Request: the address and the Host header must name the same host";
            return Some(plain(StatusCode::BAD_REQUEST, text));
        }
        // rmcp checks both before it looks at the method, and has no other way to run the checks.
        let mut probe = Request::new(Full::<Bytes>::default());
        *probe.method_mut() = Method::OPTIONS;
        *probe.uri_mut() = request.uri().clone();
        *probe.headers_mut() = request.headers().clone();
        let answer = self.service.handle(probe).await;
        (answer.status() != StatusCode::METHOD_NOT_ALLOWED).then_some(answer)
    }

    async fn pass(&self, mut request: Request<()>, body: ForeignBody) -> Response<AnyBody> {
        if let Some(headers) = preflight_headers(&request) {
            let mut response = plain(StatusCode::NO_CONTENT, "");
            response.headers_mut().extend(headers);
            return response;
        }
        let Some(guard) = &self.guard else {
            let peer = request.extensions().get();
            let owner = CallerKey::at(peer.map(|Peer(peer)| peer.ip()));
            return self.pass_on(request, body, &owner).await;
        };
        if let Some(metadata) = guard.metadata(&request) {
            return json_answer(StatusCode::OK, &metadata);
        }
        match guard.admit(&mut request, &self.sessions).await {
            Ok(owner) => self.pass_on(request, body, &owner).await,
            Err(refusal) => refusal.map(|()| Full::default().boxed()),
        }
    }

    async fn pass_on(
        &self,
        request: Request<()>,
        body: ForeignBody,
        owner: &CallerKey,
    ) -> Response<AnyBody> {
        if request.method() != Method::POST {
            // Only a POST needs its body.
            let is_end = request.method() == Method::DELETE;
            let request = request.map(|()| Full::<Bytes>::default());
            let mut response = self.service.handle(request).await;
            // Official clients warn about every other success.
            if is_end && response.status() == StatusCode::ACCEPTED {
                *response.status_mut() = StatusCode::OK;
            }
            return response;
        }
        let (parts, ()) = request.into_parts();
        match read_body(body, BODY).await {
            Ok(body) => self.post(parts, body, owner).await,
            Err(fault) => refuse_body(fault),
        }
    }

    async fn post(&self, mut parts: Parts, body: Bytes, owner: &CallerKey) -> Response<AnyBody> {
        if !is_json(&parts.headers) {
            return self
                .service
                .handle(Request::from_parts(parts, Full::new(body)))
                .await;
        }
        let opens;
        let body = match IncomingMessage::read(&body) {
            Ok(read) => {
                opens = session(&parts.headers).is_none() && is_initialize(&read.message);
                if let Some(arguments) = read.arguments {
                    parts.extensions.insert(arguments);
                }
                match read.text {
                    Cow::Borrowed(text) => body.slice_ref(text),
                    Cow::Owned(text) => text.into(),
                }
            }
            Err(refused) => return refuse(refused),
        };
        let request = Request::from_parts(parts, Full::new(body));
        if !opens {
            return self.service.handle(request).await;
        }
        match self.sessions.admit(owner).await {
            Ok(()) => SessionStore::open_for(owner.clone(), self.service.handle(request)).await,
            Err(AdmissionRefusal::TooFast) => {
                unavailable("sessions are opened too fast; try again later")
            }
            Err(AdmissionRefusal::Full) => unavailable("every session is in use; try again later"),
        }
    }
}

fn is_initialize(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::InitializeRequest(_)))
}

/// The body of an answer, which ends the turn of its request.
pub struct Answer {
    body: AnyBody,
    turn: RequestTurn,
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(bytes) = frame.data_ref()
        {
            self.turn.note_written(bytes.len());
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

impl Drop for Answer {
    fn drop(&mut self) {
        self.turn.end();
    }
}

/// Whether the host is well-formed and matches the host in the address, if there is one.
fn names_one_host<B>(request: &Request<B>) -> bool {
    request.headers().get(HOST).is_none_or(|host| {
        let address = request.uri().authority().map(Authority::as_str);
        named_host(Some(host.to_str().unwrap_or_default()), address).is_some()
    })
}

/// The answer to a request whose body cannot be read.
fn refuse_body(fault: BodyFault) -> Response<AnyBody> {
    match fault {
        BodyFault::TooLong => {
            let text = format!("Payload Too Large: the body has more than {BODY} bytes");
            plain(StatusCode::PAYLOAD_TOO_LARGE, &text)
        }
        BodyFault::TooSlow => {
            let text = "Request Timeout: the body took too long";
            plain(StatusCode::REQUEST_TIMEOUT, text)
        }
        _ => plain(StatusCode::BAD_REQUEST, "Bad Request: the body broke off"),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn plain(status: StatusCode, text: &str) -> Response<AnyBody> {
    let mut response = Response::new(Full::new(Bytes::from(text.to_owned())).boxed());
    *response.status_mut() = status;
    if !text.is_empty() {
        let kind = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, kind);
    }
    response
}

fn unavailable(why: &str) -> Response<AnyBody> {
    let mut response = plain(StatusCode::SERVICE_UNAVAILABLE, why);
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("10"));
    response
}

/// The error of the protocol for a message that cannot be read.
fn refuse(refused: RefusedMessage) -> Response<AnyBody> {
    let answer: ServerJsonRpcMessage = refused.answer();
    // The answer consists of an id, a number and a text.
    let text = serde_json::to_string(&answer).unwrap_or_default();
    json_answer(StatusCode::BAD_REQUEST, &text)
}

fn json_answer(status: StatusCode, text: &str) -> Response<AnyBody> {
    let mut response = plain(status, text);
    let kind = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// The headers that allow what a browser's preflight request asks for.
fn preflight_headers<B>(request: &Request<B>) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let asked = request
        .headers()
        .contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    let from_page = request.headers().contains_key(ORIGIN);
    if request.method() != Method::OPTIONS || !asked || !from_page {
        return None;
    }
    let mut headers = vec![
        (
            ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, POST, DELETE"),
        ),
        (ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
    ];
    // The parameters of a tool may have their own headers, so the names are not a fixed list.
    if let Some(names) = request.headers().get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.push((ACCESS_CONTROL_ALLOW_HEADERS, names.clone()));
    }
    Some(headers)
}

/// Lets the page of an allowed origin read an answer.
fn add_cors(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let exposed = HeaderValue::from_static("Mcp-Session-Id, Retry-After, WWW-Authenticate");
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    headers.append(VARY, HeaderValue::from_static("Origin"));
}
