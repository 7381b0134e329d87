//! The words for what an endpoint answers in place of a message.

use std::{error::Error, time::Duration};

use callpact::secret::Redactor;
use reqwest::{StatusCode, header::HeaderValue};
use serde_json::Value;

use crate::exit::Failure;

/// The most characters of an endpoint's error that are shown.
const SHOWN: usize = 300;

/// What the words about an endpoint name, and the key that they must not show.
#[derive(Debug)]
pub(super) struct EndpointWords {
    /// The variable of the environment that named the address.
    pub(super) named: &'static str,
    pub(super) model: String,
    pub(super) key: Option<ApiKey>,
}

/// An API key. Its `Debug` does not show it.
pub(super) struct ApiKey {
    pub(super) header: HeaderValue,
    text: String,
    redactor: Redactor,
}

impl EndpointWords {
    /// The failure of an exchange.
    pub(super) fn unusable(&self, why: &str) -> Failure {
        let (why, named) = (self.shorten(why), self.named);
        Failure::failed(format!("the endpoint cannot be used: {why}; check {named}"))
    }

    /// The failure of an answer that is not JSON.
    pub(super) fn no_json(&self, error: &serde_json::Error) -> Failure {
        let named = self.named;
        Failure::failed(format!(
            "the endpoint's answer is not JSON: {error}; check {named}, it goes up to and with /v1"
        ))
    }

    /// The failure of an answer that is no chat completion. Some endpoints report errors with a status of success.
    pub(super) fn no_completion(&self, answer: &Value) -> Failure {
        let named = self.named;
        let error = answer.get("error").filter(|error| !error.is_null());
        Failure::failed(match error.and_then(|_| error_text(&answer.to_string())) {
            Some(words) => format!("the endpoint answered an error: {}", self.shorten(&words)),
            None => format!(
                "the endpoint's answer is no chat completion, it has no `choices`; check {named}, it goes up to and with /v1"
            ),
        })
    }

    /// Turns a refusal into a failure, with advice.
    pub(super) fn refusal(
        &self,
        status: StatusCode,
        wait: Option<Duration>,
        answer: &str,
    ) -> Failure {
        let named = self.named;
        let mut text = format!("the endpoint answered {status}");
        if let Some(words) = error_text(answer) {
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
            (408 | 429 | 500..=599, _) => match wait {
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
}

impl ApiKey {
    pub(super) fn new(text: &str) -> Result<Self, Failure> {
        // A key that was read from a file may end in a line break.
        let text = text.trim().to_owned();
        let mut header = HeaderValue::from_str(&format!("Bearer {text}"))
            .map_err(|_| Failure::invalid("OPENAI_API_KEY has characters in it that no key has"))?;
        header.set_sensitive(true);
        // A short key is no secret to it; `out_of` still replaces its plain form.
        let redactor = Redactor::of_settings([("OPENAI_API_KEY".to_owned(), &*text)]);
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

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
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
pub(super) fn root_cause(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
