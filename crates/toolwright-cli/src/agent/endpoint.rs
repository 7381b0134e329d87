//! An OpenAI-compatible endpoint.

use std::{env, sync::Arc, time::Duration};

use reqwest::{StatusCode, Url, header::AUTHORIZATION};
use rustls_platform_verifier::BuilderVerifierExt;
use serde_json::Value;

use crate::Failure;

/// How long a model may take to answer.
const ANSWER: Duration = Duration::from_secs(180);
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest answer that is read.
const MAX_BYTES: usize = 8 << 20;
/// How often a busy endpoint is asked.
const TRIES: u32 = 3;

/// Where a model is reached.
#[derive(Debug)]
pub(super) struct Endpoint {
    client: reqwest::Client,
    url: Url,
    key: Option<String>,
    pub(super) model: String,
}

impl Endpoint {
    /// The endpoint that the environment names, if it names one.
    pub(super) fn from_env(model: Option<&str>) -> Result<Option<Self>, Failure> {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.trim().is_empty());
        let Some(base) = variable("TOOLWRIGHT_BASE_URL").or_else(|| variable("OPENAI_BASE_URL"))
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
        Self::new(&base, model, variable("OPENAI_API_KEY")).map(Some)
    }

    fn new(base: &str, model: String, key: Option<String>) -> Result<Self, Failure> {
        let address = format!("{}/chat/completions", base.trim().trim_end_matches('/'));
        let url = Url::parse(&address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| Failure::invalid("the endpoint is not an http or https address"))?;
        if key.is_some() && url.scheme() == "http" && !loopback(&url) {
            return Err(Failure::invalid(
                "OPENAI_API_KEY is not sent over http to another machine: use https, or unset it",
            ));
        }
        Ok(Self {
            client: client().map_err(Failure::failed)?,
            url,
            key,
            model,
        })
    }

    /// The next message, as a chat completion.
    pub(super) async fn next(&self, messages: &[Value], tools: &str) -> Result<Value, Failure> {
        let model = Value::from(self.model.as_str());
        let messages = Value::from(messages);
        // An empty list is refused by some.
        let tools = match tools {
            "[]" => String::new(),
            tools => format!(r#","tools":{tools}"#),
        };
        let body = format!(r#"{{"model":{model},"messages":{messages}{tools}}}"#);
        let mut wait = Duration::from_secs(1);
        let mut tries = 1;
        loop {
            let (status, text) = self.post(body.clone()).await?;
            if status.is_success() {
                return serde_json::from_str(&text).map_err(|error| {
                    Failure::failed(format!("the endpoint's answer is not JSON: {error}"))
                });
            }
            let busy = matches!(status.as_u16(), 429 | 502..=504);
            if !busy || tries == TRIES {
                let text: String = text.trim().chars().take(300).collect();
                return Err(Failure::failed(format!(
                    "the endpoint answered {status}: {text}"
                )));
            }
            tracing::info!(%status, "the endpoint is busy; asked again in {wait:?}");
            tokio::time::sleep(wait).await;
            (wait, tries) = (wait * 2, tries + 1);
        }
    }

    async fn post(&self, body: String) -> Result<(StatusCode, String), Failure> {
        // The address may hold a key, so it is left out of errors.
        let failed = |error: reqwest::Error| {
            let error = error.without_url();
            let mut text = format!("the endpoint cannot be used: {error}");
            let mut source = std::error::Error::source(&error);
            while let Some(cause) = source {
                text = format!("{text}: {cause}");
                source = cause.source();
            }
            Failure::failed(text)
        };
        let mut request = self
            .client
            .post(self.url.clone())
            .header("content-type", "application/json")
            .body(body);
        if let Some(key) = &self.key {
            request = request.header(AUTHORIZATION, format!("Bearer {key}"));
        }
        let mut response = request.send().await.map_err(failed)?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(Failure::failed("the endpoint's answer is too long"));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }
}

fn loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

fn client() -> Result<reqwest::Client, Box<dyn std::error::Error>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    let client = reqwest::Client::builder()
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
        let make = |base: &str| Endpoint::new(base, "m".to_owned(), Some("k".to_owned()));
        assert!(make("http://example.test/v1").is_err());
        assert!(make("ftp://127.0.0.1/v1").is_err());
        let near = make("http://127.0.0.1:1/v1/").map(|endpoint| endpoint.url.to_string());
        assert_eq!(
            near.as_deref(),
            Ok("http://127.0.0.1:1/v1/chat/completions")
        );
        assert!(make("https://example.test/v1").is_ok());
    }
}
