//! An OpenAI-compatible endpoint.

use std::{env, error::Error, sync::Arc, time::Duration};

use reqwest::{
    StatusCode, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER},
};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;
use toolwright::secret::{Redactor, ResolvedSecrets, SecretRef, SecretValue};

use crate::{Failure, Ink, Screen};

/// How long a model may take to answer.
const ANSWER: Duration = Duration::from_secs(180);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest answer that is read.
const MAX_BYTES: usize = 8 << 20;
/// How often a busy endpoint is asked.
const TRIES: u32 = 3;
/// The longest that is waited because an endpoint asks for it.
const WAIT: Duration = Duration::from_secs(30);
/// How much is shown of what an endpoint says.
const SHOWN: usize = 300;

/// Where a model is reached.
#[derive(Debug)]
pub(super) struct Endpoint {
    client: reqwest::Client,
    url: Url,
    key: Option<Key>,
    /// The variable that named it, for advice.
    named: &'static str,
    pub(super) model: String,
}

/// An API key; its `Debug` shows nothing of it.
struct Key {
    header: HeaderValue,
    text: String,
    redactor: Redactor,
}

/// What an endpoint sent.
struct Answer {
    status: StatusCode,
    /// What it wants waited before it is asked again.
    wait: Option<Duration>,
    text: String,
}

impl Endpoint {
    /// The endpoint that the environment names, if it names one.
    pub(super) fn from_env(model: Option<&str>) -> Result<Option<Self>, Failure> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let Some((named, base)) = ["TOOLWRIGHT_BASE_URL", "OPENAI_BASE_URL"]
            .into_iter()
            .find_map(|name| Some((name, variable(name)?)))
        else {
            return Ok(None);
        };
        let Some(model) = model
            .map(str::to_owned)
            .or_else(|| variable("TOOLWRIGHT_MODEL"))
        else {
            return Err(Failure::invalid(
                "an endpoint is set but no model: set TOOLWRIGHT_MODEL or give --model",
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
        // By itself first: without a host the path would be taken for one.
        let url = Url::parse(base)
            .and_then(|_| Url::parse(&format!("{base}/chat/completions")))
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| Failure::invalid(format!("{named} is not an http or https address")))?;
        let here = loopback(&url);
        if key.is_some() && url.scheme() == "http" && !here {
            return Err(Failure::invalid(
                "OPENAI_API_KEY is not sent over http to another machine: use https, or unset it",
            ));
        }
        Ok(Self {
            client: client(here).map_err(Failure::failed)?,
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
        // An empty list is refused by some.
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
                return self.completion(&answer.text);
            }
            let busy = matches!(answer.status.as_u16(), 429 | 502..=504 | 529);
            let wait = answer.wait.unwrap_or(backoff);
            if !busy || tries == TRIES || wait > WAIT {
                return Err(self.refused(&answer));
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

    /// The answer, if it is a chat completion.
    fn completion(&self, text: &str) -> Result<Value, Failure> {
        let named = self.named;
        let answer: Value = serde_json::from_str(text).map_err(|error| {
            Failure::failed(format!(
                "the endpoint's answer is not JSON: {error}; check {named}, it goes up to and with /v1"
            ))
        })?;
        if answer.get("choices").is_some_and(Value::is_array) {
            return Ok(answer);
        }
        // Some report their faults in an answer that says it went well.
        Err(Failure::failed(
            match answer.get("error").and_then(|_| words(text)) {
                Some(words) => format!("the endpoint answered an error: {}", self.clean(&words)),
                None => format!(
                    "the endpoint's answer is no chat completion, it has no `choices`; check {named}, it goes up to and with /v1"
                ),
            },
        ))
    }

    /// What an endpoint said that did not answer, and what to do about it.
    fn refused(&self, answer: &Answer) -> Failure {
        let status = answer.status;
        let named = self.named;
        let mut text = format!("the endpoint answered {status}");
        if let Some(words) = words(&answer.text) {
            text = format!("{text}: {}", self.clean(&words));
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

    /// A foreign text, short and without the key.
    fn clean(&self, text: &str) -> String {
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
                self.clean(&cause(&error.without_url()))
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
        // A line end comes along where the key was read from a file.
        let text = text.trim().to_owned();
        let mut header = HeaderValue::from_str(&format!("Bearer {text}"))
            .map_err(|_| Failure::invalid("OPENAI_API_KEY has characters in it that no key has"))?;
        header.set_sensitive(true);
        let secret = SecretRef::new("OPENAI_API_KEY")
            .ok()
            .map(|name| (name, SecretValue::new(text.clone())));
        // One that is too short for this is still found as it is.
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

/// How long an endpoint wants to be left alone, where it says so in seconds.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse();
    seconds.ok().map(Duration::from_secs)
}

/// What an endpoint says of a fault: in one of the common forms, or as plain text.
fn words(text: &str) -> Option<String> {
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
        // A page for a browser says nothing here.
        Err(_) if text.starts_with('<') => return None,
        Err(_) => text.to_owned(),
    };
    (!found.trim().is_empty()).then_some(found)
}

/// What is at the bottom of an error.
fn cause(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}

fn loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// The client; for this very machine without a proxy of the environment, which would be another one
/// that sees the key.
fn client(here: bool) -> Result<reqwest::Client, Box<dyn Error>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    let builder = reqwest::Client::builder();
    let builder = if here { builder.no_proxy() } else { builder };
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
    fn a_key_stays_at_home() {
        let make =
            |base: &str| Endpoint::new("TOOLWRIGHT_BASE_URL", base, "m".to_owned(), Some("k"));
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
