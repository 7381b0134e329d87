//! The limits of the exchange with an endpoint: time, length, tries, and where the key goes.

use std::{error::Error, sync::Arc, time::Duration};

use async_openai::middleware::HttpRequestFactory;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use reqwest::{
    Body, Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};
use rustls_platform_verifier::BuilderVerifierExt;

use super::words::{EndpointWords, root_cause};
use crate::{
    exit::Failure,
    screen::{Ink, Screen},
};

/// The media type of a stream of events.
pub(super) const EVENTS: &str = "text/event-stream";
/// The time that a model may take to answer, and between two pieces of a stream.
const ANSWER: Duration = Duration::from_mins(3);
/// The time that a whole stream may take.
const STREAM: Duration = Duration::from_mins(15);
/// The time that connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
pub(super) const MAX_BYTES: usize = 8 << 20;
/// The number of tries at a busy endpoint.
const TRIES: u32 = 3;
/// The longest wait that an endpoint may ask for.
const WAIT: Duration = Duration::from_secs(30);

/// Sends the requests of the client.
pub(super) struct Transport {
    client: reqwest::Client,
    words: Arc<EndpointWords>,
    screen: Screen,
}

impl Transport {
    pub(super) fn new(
        base: &Url,
        words: Arc<EndpointWords>,
        screen: Screen,
    ) -> Result<Self, Failure> {
        Ok(Self {
            client: http_client(is_loopback(base)).map_err(Failure::failed)?,
            words,
            screen,
        })
    }

    pub(super) fn client(&self) -> reqwest::Client {
        self.client.clone()
    }

    /// Sends a request, and sends it again to a busy endpoint.
    pub(super) async fn send(&self, requests: &HttpRequestFactory) -> Result<Response, Failure> {
        let mut backoff = Duration::from_secs(1);
        let mut tries = 1;
        loop {
            let request = requests.build().await;
            let mut request = request.map_err(|error| self.words.unusable(&error.to_string()))?;
            let headers = request.headers_mut();
            match &self.words.key {
                Some(key) => headers.insert(AUTHORIZATION, key.header.clone()),
                None => headers.remove(AUTHORIZATION),
            };
            let wants_events = has_word(headers, &ACCEPT, EVENTS);
            *request.timeout_mut() = Some(if wants_events { STREAM } else { ANSWER });
            let sent = self.client.execute(request).await;
            let response = sent.map_err(|error| self.unsent(error))?;
            let status = response.status();
            let wait = retry_after(response.headers());
            if status.is_success() {
                return self.open(response, wants_events).await;
            }
            let text = self.read(response).await?;
            let busy = matches!(status.as_u16(), 429 | 502..=504 | 529);
            let next = wait.unwrap_or(backoff);
            if !busy || tries == TRIES || next > WAIT {
                return Err(self.words.refusal(status, wait, &text));
            }
            let text = format!("the endpoint answered {status}; asked again in {next:?}");
            self.screen.say(Ink::Yellow, "busy", &text);
            tokio::time::sleep(next).await;
            (backoff, tries) = (backoff * 2, tries + 1);
        }
    }

    /// Limits an answer. A whole answer to a request for a stream becomes its one event.
    async fn open(&self, response: Response, wants_events: bool) -> Result<Response, Failure> {
        if has_word(response.headers(), &CONTENT_TYPE, EVENTS) {
            let response = http::Response::from(response);
            let limited = response.map(|body| Body::wrap(Limited::new(body, MAX_BYTES)));
            return Ok(limited.into());
        }
        let mut text = self.read(response).await?;
        if wants_events {
            text = format!("data: {}\n\n", text.replace(['\r', '\n'], " "));
        }
        Ok(http::Response::new(text).into())
    }

    /// Reads a whole answer.
    async fn read(&self, response: Response) -> Result<String, Failure> {
        let body = Limited::new(Body::from(response), MAX_BYTES);
        match body.collect().await {
            Ok(read) => Ok(String::from_utf8_lossy(&read.to_bytes()).into_owned()),
            Err(error) if error.is::<LengthLimitError>() => Err(Failure::failed(format!(
                "the endpoint's answer is too long: more than {} MiB",
                MAX_BYTES >> 20
            ))),
            Err(error) => Err(match error.downcast::<reqwest::Error>() {
                Ok(error) => self.unsent(*error),
                Err(error) => self.words.unusable(&error.to_string()),
            }),
        }
    }

    fn unsent(&self, error: reqwest::Error) -> Failure {
        if error.is_timeout() && !error.is_connect() {
            return self.words.unusable(&format!("no answer within {ANSWER:?}"));
        }
        // The address may hold a key, so it is left out.
        self.words.unusable(&root_cause(&error.without_url()))
    }
}

fn has_word(headers: &HeaderMap, name: &reqwest::header::HeaderName, word: &str) -> bool {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| value.to_ascii_lowercase().contains(word))
}

/// The wait that an endpoint asks for, in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse();
    seconds.ok().map(Duration::from_secs)
}

/// Whether an address is on this machine.
pub(super) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Makes the HTTP client. Connections to this machine ignore the proxy of the environment, which would
/// see the key.
fn http_client(local: bool) -> Result<reqwest::Client, Box<dyn Error>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    let builder = reqwest::Client::builder();
    let builder = if local { builder.no_proxy() } else { builder };
    let client = builder
        .tls_backend_preconfigured(tls)
        .connect_timeout(CONNECT)
        .read_timeout(ANSWER)
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    Ok(client)
}
