//! An OpenAI-compatible endpoint, through the client of async-openai.

mod transport;
mod words;

use std::{env, ops::Not, sync::Arc};

use async_openai::{
    Client, config::OpenAIConfig, error::OpenAIError, middleware::HttpRequestFactory,
    traits::RequestOptionsBuilder, types::chat::ChatCompletionTools,
};
use callpact::stream::TurnAssembler;
use futures_util::StreamExt;
use reqwest::{Url, header::ACCEPT};
use serde::Serialize;
use serde_json::Value;

use super::turn::ModelTurn;
use crate::{exit::Failure, progress::TurnLine, screen::Screen};
use transport::{EVENTS, Transport};
use words::{ApiKey, EndpointWords};

/// The address of a model, with its key.
pub(super) struct ModelEndpoint {
    client: Client<OpenAIConfig>,
    words: Arc<EndpointWords>,
    screen: Screen,
}

/// The body of a request.
#[derive(Serialize)]
struct ChatRequest<'a> {
    model: &'a str,
    messages: &'a [Value],
    // Some endpoints refuse an empty list.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tools: &'a [ChatCompletionTools],
    #[serde(skip_serializing_if = "Not::not")]
    stream: bool,
}

impl ModelEndpoint {
    /// The endpoint in the environment, if there is one.
    pub(super) fn from_env(model: Option<&str>, screen: &Screen) -> Result<Option<Self>, Failure> {
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
        let base = read_base(named, &base, key.is_some())?;
        let key = key.as_deref().map(ApiKey::new).transpose()?;
        let words = Arc::new(EndpointWords { named, model, key });
        let transport = Transport::new(&base, words.clone(), screen.clone())?;
        let transport = Arc::new(transport);
        // The transport sets the key, and nothing else of the environment identifies the caller.
        let config = OpenAIConfig::new()
            .with_api_base(base.as_str().trim_end_matches('/'))
            .with_api_key("")
            .with_org_id("")
            .with_project_id("");
        let client = Client::build(transport.client(), config).with_http_service(
            tower::service_fn(move |requests: HttpRequestFactory| {
                let transport = transport.clone();
                async move {
                    let sent = transport.send(&requests).await;
                    sent.map_err(|failure| OpenAIError::Boxed(Box::new(failure)))
                }
            }),
        );
        Ok(Some(Self {
            client,
            words,
            screen: screen.clone(),
        }))
    }

    /// The name of the model.
    pub(super) fn model(&self) -> &str {
        &self.words.model
    }

    /// The next turn. At a terminal it is shown as it arrives.
    pub(super) async fn next(
        &self,
        messages: &[Value],
        tools: &[ChatCompletionTools],
    ) -> Result<ModelTurn, Failure> {
        let request = ChatRequest {
            model: self.model(),
            messages,
            tools,
            stream: self.screen.shows_progress() && !self.screen.json(),
        };
        if request.stream {
            return self.stream(request).await;
        }
        let answer = self.client.chat().create_byot(request).await;
        let answer: Value = answer.map_err(|error| self.explain(error))?;
        if !is_completion(&answer) {
            return Err(self.words.no_completion(&answer));
        }
        ModelTurn::from_completion(&answer)
    }

    async fn stream(&self, request: ChatRequest<'_>) -> Result<ModelTurn, Failure> {
        let chat = self.client.chat();
        let chat = chat.header(ACCEPT, EVENTS);
        let chat = chat.map_err(|error| self.explain(error))?;
        let events = chat.create_stream_byot(request).await;
        let mut events = events.map_err(|error| self.explain(error))?;
        let mut turn = TurnAssembler::new();
        let mut line = TurnLine::new();
        let mut last = Value::Null;
        let mut is_answered = false;
        while let Some(event) = events.next().await {
            last = event.map_err(|error| self.explain(error))?;
            let is_error = last.get("error").is_some_and(|error| !error.is_null());
            if is_error && !is_completion(&last) {
                return Err(self.words.no_completion(&last));
            }
            is_answered |= is_completion(&last);
            for event in turn.push(&last) {
                line.show(&event);
            }
        }
        if !is_answered {
            return Err(self.words.no_completion(&last));
        }
        Ok(ModelTurn::from_stream(turn.finish()))
    }

    /// The failure that an error of the client means.
    fn explain(&self, error: OpenAIError) -> Failure {
        match error {
            OpenAIError::Boxed(error) => match error.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(error) => self.words.unusable(&error.to_string()),
            },
            OpenAIError::JSONDeserialize(error, _) => self.words.no_json(&error),
            OpenAIError::Reqwest(error) => self.words.unusable(&words::root_cause(&error)),
            OpenAIError::StreamError(_) => Failure::failed(format!(
                "the endpoint's answer broke off, or is longer than {} MiB; run it again",
                transport::MAX_BYTES >> 20
            )),
            error => self.words.unusable(&error.to_string()),
        }
    }
}

impl std::fmt::Debug for ModelEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Endpoint").field(&self.words).finish()
    }
}

/// Whether an answer or an event is one of chat completions.
fn is_completion(answer: &Value) -> bool {
    answer.get("choices").is_some_and(Value::is_array)
}

/// Reads the address of an endpoint.
fn read_base(named: &str, base: &str, has_key: bool) -> Result<Url, Failure> {
    let url = Url::parse(base.trim())
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or_else(|| Failure::invalid(format!("{named} is not an http or https address")))?;
    if has_key && url.scheme() == "http" && !transport::is_loopback(&url) {
        return Err(Failure::invalid(
            "OPENAI_API_KEY is not sent over http to another machine: use https, or unset it",
        ));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::read_base;

    #[test]
    fn sends_key_only_over_https_or_locally() {
        let read = |base: &str| read_base("CALLPACT_BASE_URL", base, true);
        assert!(read("http://example.test/v1").is_err());
        assert!(read("ftp://127.0.0.1/v1").is_err());
        assert!(read("http://127.0.0.1:1/v1/").is_ok());
        assert!(read("https://example.test/v1").is_ok());
        assert!(read("http://").is_err() && read("").is_err());
    }
}
