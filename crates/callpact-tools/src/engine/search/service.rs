//! The search services: Tavily and `SerpAPI`.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Search, SearchError, SearchHit, SearchProvider, one_line};
use crate::engine::fetch::{FetchError, FetchRequest, Fetched, Fetcher, Method, Secrets};

/// The settings of both services.
#[derive(Clone)]
struct ServiceSettings {
    name: &'static str,
    base: String,
    key: String,
    fetcher: Fetcher,
}

impl fmt::Debug for ServiceSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.name)
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

impl ServiceSettings {
    fn new(name: &'static str, base: &str, key: &str) -> Result<Self, FetchError> {
        if key.trim().is_empty() {
            return Err(FetchError::InvalidRequest(
                "the search key must not be blank",
            ));
        }
        let fetcher = Fetcher::builder()
            .timeout(Duration::from_secs(15))
            .max_bytes(1 << 20);
        let fetcher = fetcher.build()?;
        Ok(Self {
            name,
            base: base.to_owned(),
            key: key.trim().to_owned(),
            fetcher,
        })
    }

    /// Sends the request and reads the answer. No redirect is followed: the services have none, and
    /// the key would go along.
    async fn call<T: DeserializeOwned>(&self, request: FetchRequest) -> Result<T, SearchError> {
        let mut secrets = Secrets::new();
        secrets.add(&self.key);
        let answer: Fetched = self
            .fetcher
            .fetch(request.secret(&self.key).max_redirects(0))
            .await?;
        // Redacted before the cut, which could otherwise leave half a key.
        let body = secrets.redact(&answer.text());
        if answer.status != 200 {
            let body = one_line(&body, 200);
            return Err(SearchError::Status {
                service: self.name,
                status: answer.status,
                body,
            });
        }
        let not_ours = || SearchError::Answer { service: self.name };
        // The derived reader also takes an array for a struct.
        if !body.trim_start().starts_with('{') {
            return Err(not_ours());
        }
        serde_json::from_str(&body).map_err(|_| not_ours())
    }
}

/// The Tavily search API. The key goes in the `Authorization` header.
#[derive(Debug, Clone)]
pub struct Tavily(ServiceSettings);

#[derive(Deserialize)]
struct TavilyAnswer {
    #[serde(default)]
    results: Vec<TavilyResult>,
}

#[derive(Deserialize)]
struct TavilyResult {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    content: Option<String>,
}

impl Tavily {
    /// Searches with `key`.
    ///
    /// # Errors
    ///
    /// When the key is blank or the HTTP client cannot be set up.
    pub fn new(key: &str) -> Result<Self, FetchError> {
        ServiceSettings::new("Tavily API", "https://api.tavily.com", key).map(Self)
    }

    /// Replaces the address of the service.
    #[must_use]
    pub fn base_url(mut self, base: &str) -> Self {
        base.trim_end_matches('/').clone_into(&mut self.0.base);
        self
    }

    /// Replaces the fetcher, and so the limits.
    #[must_use]
    pub fn fetcher(mut self, fetcher: Fetcher) -> Self {
        self.0.fetcher = fetcher;
        self
    }
}

impl SearchProvider for Tavily {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Search<'a> {
        Box::pin(async move {
            let body = serde_json::json!({ "query": query, "max_results": limit });
            let request = FetchRequest::new(Method::Post, format!("{}/search", self.0.base))
                .secret_header("Authorization", &format!("Bearer {}", self.0.key))
                .header("Content-Type", "application/json")
                .body(body.to_string());
            let answer: TavilyAnswer = self.0.call(request).await?;
            let hits = answer.results.into_iter().map(|hit| SearchHit {
                title: hit.title.unwrap_or_default(),
                url: hit.url.unwrap_or_default(),
                snippet: hit.content.unwrap_or_default(),
            });
            Ok(hits.take(limit).collect())
        })
    }
}

/// The `SerpAPI` service. Its key must be in the URL, so it is removed from everything else.
#[derive(Debug, Clone)]
pub struct SerpApi(ServiceSettings);

#[derive(Deserialize)]
struct SerpAnswer {
    #[serde(default)]
    organic_results: Vec<SerpResult>,
}

#[derive(Deserialize)]
struct SerpResult {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    link: Option<String>,
    #[serde(default)]
    snippet: Option<String>,
}

impl SerpApi {
    /// Searches with `key`.
    ///
    /// # Errors
    ///
    /// When the key is blank or the HTTP client cannot be set up.
    pub fn new(key: &str) -> Result<Self, FetchError> {
        ServiceSettings::new("SerpAPI", "https://serpapi.com", key).map(Self)
    }

    /// Replaces the address of the service.
    #[must_use]
    pub fn base_url(mut self, base: &str) -> Self {
        base.trim_end_matches('/').clone_into(&mut self.0.base);
        self
    }

    /// Replaces the fetcher, and so the limits.
    #[must_use]
    pub fn fetcher(mut self, fetcher: Fetcher) -> Self {
        self.0.fetcher = fetcher;
        self
    }
}

impl SearchProvider for SerpApi {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Search<'a> {
        Box::pin(async move {
            let count = limit.to_string();
            let request = FetchRequest::get(format!("{}/search.json", self.0.base)).query(&[
                ("engine", "google"),
                ("q", query),
                ("num", &count),
                ("api_key", &self.0.key),
            ]);
            let answer: SerpAnswer = self.0.call(request).await?;
            let hits = answer.organic_results.into_iter().map(|hit| SearchHit {
                title: hit.title.unwrap_or_default(),
                url: hit.link.unwrap_or_default(),
                snippet: hit.snippet.unwrap_or_default(),
            });
            Ok(hits.take(limit).collect())
        })
    }
}
