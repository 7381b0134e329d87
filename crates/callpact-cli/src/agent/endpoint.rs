//! The HTTP exchange with an OpenAI-compatible endpoint.

use std::{env, error::Error, sync::Arc, time::Duration};

use callpact::secret::{Redactor, ResolvedSecrets, SecretRef, SecretValue};
use reqwest::{
    StatusCode, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER},
};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;

use crate::{
    exit::Failure,
    screen::{Ink, Screen},
};

/// The time that a model may take to answer.
const ANSWER: Duration = Duration::from_secs(180);
/// The time that connecting may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const MAX_BYTES: usize = 8 << 20;
/// The number of tries at a busy endpoint.
const TRIES: u32 = 3;
/// The longest wait that an endpoint may ask for.
const WAIT: Duration = Duration::from_secs(30);
/// The most characters of an endpoint's error that are shown.
const SHOWN: usize = 300;

/// The address of a model, with its key.
#[derive(Debug)]
pub(super) struct Endpoint {
    client: reqwest::Client,
    url: Url,
    key: Option<Key>,
    /// The variable of the environment that named the address.
    named: &'static str,
    pub(super) model: String,
}

/// An API key. Its `Debug` does not show it.
struct Key {
    header: HeaderValue,
    text: String,
    redactor: Redactor,
}

/// The answer of an endpoint.
struct Answer {
    status: StatusCode,
    /// The time to wait before the next try.
    wait: Option<Duration>,
    text: String,
}

impl Endpoint {
    /// The endpoint in the environment, if there is one.
    pub(super) fn from_env(model: Option<&str>) -> Result<Option<Self>, Failure> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let Some((named, base)) = ["CALLPACT_BASE_URL", "OPENAI_BASE_URL"]
            .into_iter()
            .find_map(|name| Some((name, variable(name)?)))
        else {
            return Ok(None);
        };
        let Some(model) = model
            .map(str::to_owned)
            .or_else(|| variable("CALLPACT_MODEL"))
        else {
            return Err(Failure::invalid(
                "an endpoint is set but no model: set CALLPACT_MODEL or give --model",
            ));
        };
        let key = variable("OPENAI_API_KEY");
        Self::new(named, &base, model, key.as_deref()).map(Some)
    }

    fn new(
        named: &'static str,
        base: &str,
        model: String,
        key: Option<&str>,
    ) -> Result<Self, Failure> {
        let base = base.trim().trim_end_matches('/');
        // The base is parsed first: without a host, the path would be taken for the host.
        let url = Url::parse(base)
            .and_then(|_| Url::parse(&format!("{base}/chat/completions")))
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| Failure::invalid(format!("{named} is not an http or https address")))?;
        let local = is_loopback(&url);
        if key.is_some() && url.scheme() == "http" && !local {
            return Err(Failure::invalid(
                "OPENAI_API_KEY is not sent over http to another machine: use https, or unset it",
            ));
        }
        Ok(Self {
            client: http_client(local).map_err(Failure::failed)?,
            url,
            key: key.map(Key::new).transpose()?,
            named,
            model,
        })
    }

    /// The next message, as a chat completion.
    pub(super) async fn next(
        &self,
        messages: &[Value],
        tools: &str,
        screen: &Screen,
    ) -> Result<Value, Failure> {
        let model = Value::from(self.model.as_str());
        let messages = Value::from(messages);
        // Some endpoints refuse an empty list.
        let tools = match tools {
            "[]" => String::new(),
            tools => format!(r#","tools":{tools}"#),
        };
        let body = format!(r#"{{"model":{model},"messages":{messages}{tools}}}"#);
        let mut backoff = Duration::from_secs(1);
        let mut tries = 1;
        loop {
            let answer = self.post(body.clone()).await?;
            if answer.status.is_success() {
                return self.read_completion(&answer.text);
            }
            let busy = matches!(answer.status.as_u16(), 429 | 502..=504 | 529);
            let wait = answer.wait.unwrap_or(backoff);
            if !busy || tries == TRIES || wait > WAIT {
                return Err(self.describe_refusal(&answer));
            }
            let text = format!(
                "the endpoint answered {}; asked again in {wait:?}",
                answer.status
            );
            screen.say(Ink::Yellow, "busy", &text);
            tokio::time::sleep(wait).await;
            (backoff, tries) = (backoff * 2, tries + 1);
        }
    }

    /// Reads an answer as a chat completion.
    fn read_completion(&self, text: &str) -> Result<Value, Failure> {
        let named = self.named;
        let answer: Value = serde_json::from_str(text).map_err(|error| {
            Failure::failed(format!(
                "the endpoint's answer is not JSON: {error}; check {named}, it goes up to and with /v1"
            ))
        })?;
        if answer.get("choices").is_some_and(Value::is_array) {
            return Ok(answer);
        }
        // Some endpoints report errors with a status of success.
        Err(Failure::failed(
            match answer.get("error").and_then(|_| error_text(text)) {
                Some(words) => format!("the endpoint answered an error: {}", self.shorten(&words)),
                None => format!(
                    "the endpoint's answer is no chat completion, it has no `choices`; check {named}, it goes up to and with /v1"
                ),
            },
        ))
    }

    /// Turns a refusal into a failure, with advice.
    fn describe_refusal(&self, answer: &Answer) -> Failure {
        let status = answer.status;
        let named = self.named;
        let mut text = format!("the endpoint answered {status}");
        if let Some(words) = error_text(&answer.text) {
            text = format!("{text}: {}", self.shorten(&words));
        }
        let advice = match (status.as_u16(), &self.key) {
            (401 | 403, None) => "set OPENAI_API_KEY".to_owned(),
            (401 | 403, Some(_)) => "check OPENAI_API_KEY".to_owned(),
            (300..=399, _) => format!("redirects are not followed; set {named} to where it leads"),
            (404 | 405, _) => format!(
                "check {named}, which goes up to and with /v1, and the model `{}`",
                self.model
            ),
            (413, _) => "the task and what the tools answered are too long for it".to_owned(),
            (408 | 429 | 500..=599, _) => match answer.wait {
                Some(wait) if !wait.is_zero() => format!("run it again after {wait:?}"),
                _ => "run it again later".to_owned(),
            },
            _ => return Failure::failed(text),
        };
        Failure::failed(format!("{text}\n{advice}"))
    }

    /// Shortens a foreign text and removes the key from it.
    fn shorten(&self, text: &str) -> String {
        let text = match &self.key {
            Some(key) => key.out_of(text),
            None => text.to_owned(),
        };
        let blank = |c: char| c.is_whitespace() || c.is_control();
        let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
        let line = words.join(" ");
        let mut short: String = line.chars().take(SHOWN).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        short
    }

    async fn post(&self, body: String) -> Result<Answer, Failure> {
        let failed = |error: reqwest::Error| {
            let why = if error.is_timeout() && !error.is_connect() {
                format!("no answer within {ANSWER:?}")
            } else {
                // The address may hold a key, so it is left out.
                self.shorten(&root_cause(&error.without_url()))
            };
            let named = self.named;
            Failure::failed(format!("the endpoint cannot be used: {why}; check {named}"))
        };
        let mut request = self
            .client
            .post(self.url.clone())
            .header("content-type", "application/json")
            .body(body);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, key.header.clone());
        }
        let mut response = request.send().await.map_err(failed)?;
        let (status, wait) = (response.status(), retry_after(response.headers()));
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(Failure::failed(format!(
                    "the endpoint's answer is too long: more than {} MiB",
                    MAX_BYTES >> 20
                )));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status,
            wait,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }
}

impl Key {
    fn new(text: &str) -> Result<Self, Failure> {
        // A key that was read from a file may end in a line break.
        let text = text.trim().to_owned();
        let mut header = HeaderValue::from_str(&format!("Bearer {text}"))
            .map_err(|_| Failure::invalid("OPENAI_API_KEY has characters in it that no key has"))?;
        header.set_sensitive(true);
        let secret = SecretRef::new("OPENAI_API_KEY")
            .ok()
            .map(|name| (name, SecretValue::new(text.clone())));
        // The redactor refuses a short key; `out_of` still replaces its plain form.
        let redactor = ResolvedSecrets::new(secret)
            .map_or_else(|_| Redactor::none(), |secrets| secrets.redactor().clone());
        Ok(Self {
            header,
            text,
            redactor,
        })
    }

    fn out_of(&self, text: &str) -> String {
        let shown = self.redactor.redact(text);
        shown.replace(&self.text, "<secret_ref:OPENAI_API_KEY>")
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// The wait that an endpoint asks for, in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse();
    seconds.ok().map(Duration::from_secs)
}

/// The error text of an endpoint, in one of the common forms or as plain text.
fn error_text(text: &str) -> Option<String> {
    let text = text.trim();
    let found = match serde_json::from_str::<Value>(text) {
        Ok(json) => [
            "/error/message",
            "/error",
            "/message",
            "/detail",
            "/0/error/message",
        ]
        .into_iter()
        .find_map(|path| json.pointer(path).and_then(Value::as_str))
        .map_or_else(|| text.to_owned(), str::to_owned),
        // A page for a browser is no help here.
        Err(_) if text.starts_with('<') => return None,
        Err(_) => text.to_owned(),
    };
    (!found.trim().is_empty()).then_some(found)
}

/// The deepest source of an error, in words.
fn root_cause(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

fn is_loopback(url: &Url) -> bool {
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
        .timeout(ANSWER)
        .redirect(reqwest::redirect::Policy::none())
        .build()?;
    Ok(client)
}

#[cfg(test)]
mod tests {
    use super::Endpoint;

    #[test]
    fn a_key_is_sent_over_https_or_to_this_machine() {
        let make = |base: &str| Endpoint::new("CALLPACT_BASE_URL", base, "m".to_owned(), Some("k"));
        assert!(make("http://example.test/v1").is_err());
        assert!(make("ftp://127.0.0.1/v1").is_err());
        let near = make("http://127.0.0.1:1/v1/").map(|endpoint| endpoint.url.to_string());
        assert_eq!(
            near.as_deref(),
            Ok("http://127.0.0.1:1/v1/chat/completions")
        );
        assert!(make("https://example.test/v1").is_ok());
        assert!(make("http://").is_err() && make("").is_err());
    }
}
