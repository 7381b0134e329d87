//! The page as a service: how each request is answered.

use std::{
    convert::Infallible,
    error::Error,
    pin::Pin,
    task::{Context, Poll},
};

use callpact_http::BodyFault;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use hyper::body::Bytes;
use serde::Deserialize;

use crate::{
    Desk, DeskBody,
    answer::{DeskAnswer, fault, json},
    api, gate, page,
};

/// The most bytes of a request's body.
const BODY: usize = 4 << 20;

/// The header with the secret of a session. A browser adds no header by itself, unlike a cookie, which it sends to
/// every port of a machine.
const SESSION: &str = "callpact-session";

/// The page of a [`Desk`] as a service of `tower`, made by [`Desk::service`].
///
/// In a router, nest it under a path that ends in a slash: the page refers to its files relatively.
///
/// ```
/// use axum::{Router, response::Redirect, routing::get};
/// use callpact::{ToolContext, Toolset};
/// use callpact_desk::Desk;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let desk = Desk::new(Toolset::builder().build()?, ToolContext::new());
/// let app: Router = Router::new()
///     .route("/desk", get(|| async { Redirect::permanent("/desk/") }))
///     .nest_service("/desk/", desk.service());
/// # drop(app);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct DeskService(Desk);

impl DeskService {
    pub(crate) fn new(desk: Desk) -> Self {
        Self(desk)
    }
}

impl<B> tower_service::Service<Request<B>> for DeskService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<DeskBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<DeskBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let desk = self.0.clone();
        Box::pin(async move {
            let mut answer = respond(&desk, request).await.unwrap_or_else(|fault| fault);
            gate::add_headers(&mut answer);
            Ok(answer)
        })
    }
}

/// The body of a request for a session.
#[derive(Deserialize)]
struct SessionRequest {
    token: String,
}

async fn respond<B>(desk: &Desk, request: Request<B>) -> Result<DeskAnswer, DeskAnswer>
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    gate::check(&request, &desk.0.hosts)?;
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let Some(name) = path.strip_prefix("/api/") else {
        if parts.method != Method::GET {
            return Err(fault(StatusCode::METHOD_NOT_ALLOWED, "only GET"));
        }
        return page::find(path).ok_or_else(|| fault(StatusCode::NOT_FOUND, "no such file"));
    };
    let sessions = &desk.0.state.sessions;
    if name == "session" && parts.method == Method::POST {
        let SessionRequest { token } = api::read(&read_body(body).await?)?;
        let invited = sessions.enter(&token).map_err(internal)?;
        let refused = |reason| {
            tracing::warn!(target: "callpact", reason, "a token was refused at the desk");
            fault(
                StatusCode::UNAUTHORIZED,
                "the token is not valid, or was used already",
            )
        };
        let session = if let Some(session) = invited {
            session
        } else {
            let person = desk.0.identify(&token).await.map_err(refused)?;
            sessions.open(Some(person)).map_err(internal)?
        };
        return Ok(json(&serde_json::json!({ "session": session })));
    }
    let secret = parts.headers.get(SESSION);
    let secret = secret.and_then(|secret| secret.to_str().ok());
    let browser = secret.and_then(|secret| sessions.find(secret));
    let browser = browser.ok_or_else(|| nobody(desk))?;
    if !desk.0.admits(&browser).await {
        return Err(nobody(desk));
    }
    match parts.method {
        Method::GET => {
            let last = parts.headers.get("last-event-id");
            api::get(desk, name, last.and_then(|id| id.to_str().ok()), browser).await
        }
        Method::POST => api::post(desk, name, &read_body(body).await?, browser).await,
        _ => Err(fault(StatusCode::METHOD_NOT_ALLOWED, "only GET and POST")),
    }
}

/// The answer to a browser without a session: how to get one.
fn nobody(desk: &Desk) -> DeskAnswer {
    let people = desk.0.authenticator.is_some();
    let error = if people {
        "no session: come in with your token"
    } else {
        "no session: open the address that the program prints"
    };
    let mut answer = json(&serde_json::json!({ "error": error, "people": people }));
    *answer.status_mut() = StatusCode::UNAUTHORIZED;
    answer
}

/// Reads the body of a request, or returns the answer to one that is too long or too slow.
async fn read_body<B>(body: B) -> Result<Bytes, DeskAnswer>
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    callpact_http::read_body(body, BODY).await.map_err(|error| {
        let status = match error {
            BodyFault::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            BodyFault::TooSlow => StatusCode::REQUEST_TIMEOUT,
            _ => StatusCode::BAD_REQUEST,
        };
        fault(status, &format!("{error}; it may have 4 MiB"))
    })
}

#[allow(clippy::needless_pass_by_value)] // for `map_err`
fn internal(error: impl Error) -> DeskAnswer {
    fault(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string())
}
