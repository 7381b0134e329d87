//! Web search: one trait, two services over the [`Fetcher`](super::fetch::Fetcher), and an offline provider.

mod local;
mod service;

use std::fmt::{self, Write};
use std::future::Future;
use std::pin::Pin;

pub use local::LocalSearch;
pub use service::{SerpApi, Tavily};

use super::fetch::FetchError;
use super::invisible::is_invisible;

/// One result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchHit {
    /// The title of the page.
    pub title: String,
    /// The address of the page.
    pub url: String,
    /// A few words from it.
    pub snippet: String,
}

/// The answer of a [`SearchProvider`], under way.
pub type Search<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<SearchHit>, SearchError>> + Send + 'a>>;

/// A source that can be searched. It can be used as `Box<dyn SearchProvider>`.
pub trait SearchProvider: Send + Sync {
    /// At most `limit` results for `query`, best first.
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Search<'a>;
}

/// Why a search gave no answer. No variant holds a key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// The service answered with a status other than 200.
    Status {
        /// The name of the service, as it stands before "returned".
        service: &'static str,
        /// The status code.
        status: u16,
        /// The start of the answer, without the key.
        body: String,
    },
    /// The service could not be reached.
    Fetch(FetchError),
    /// The service's answer does not match its documentation.
    Answer {
        /// The service.
        service: &'static str,
    },
    /// Any other provider's own reason.
    Other(String),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status {
                service,
                status,
                body,
            } if body.is_empty() => {
                write!(f, "{service} returned HTTP {status}")
            }
            Self::Status {
                service,
                status,
                body,
            } => {
                write!(f, "{service} returned HTTP {status}: {body}")
            }
            Self::Fetch(error) => error.fmt(f),
            Self::Answer { service } => {
                write!(f, "{service} returned an answer that is not its own")
            }
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for SearchError {}

impl From<FetchError> for SearchError {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

/// The results as the model reads them, or `No results found.`
///
/// Each part is one line of bounded length, so that a page cannot add results of its own.
///
/// ```
/// use callpact_tools::engine::search::{SearchHit, format_hits};
///
/// let hit = SearchHit { title: "T".into(), url: "http://u".into(), snippet: "s\n2. Fake".into() };
/// assert_eq!(format_hits(&[hit]), "1. T\n   URL: http://u\n   s 2. Fake");
/// assert_eq!(format_hits(&[]), "No results found.");
/// ```
pub fn format_hits(hits: &[SearchHit]) -> String {
    if hits.is_empty() {
        return "No results found.".to_owned();
    }
    let mut text = String::new();
    for (index, hit) in hits.iter().enumerate() {
        if index > 0 {
            text.push_str("\n\n");
        }
        let title = one_line(&hit.title, 200);
        let url = one_line(&hit.url, 2_000);
        let snippet = one_line(&hit.snippet, 500);
        // Writing to a string does not fail.
        let _ = write!(text, "{}. {title}\n   URL: {url}\n   {snippet}", index + 1);
    }
    text
}

/// `text` in one line without control characters, cut at `limit` characters with `…`.
fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut chars = 0;
    for word in text.split_whitespace() {
        let space = if line.is_empty() { None } else { Some(' ') };
        for c in space
            .into_iter()
            .chain(word.chars().filter(|&c| !is_invisible(c)))
        {
            if chars == limit {
                line.push('…');
                return line;
            }
            line.push(c);
            chars += 1;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_of_the_original() {
        let hit = |n: u8| SearchHit {
            title: format!("Title {n}"),
            url: format!("https://example.org/{n}"),
            snippet: format!("snippet {n}"),
        };
        let text = format_hits(&[hit(1), hit(2)]);
        assert_eq!(
            text,
            "1. Title 1\n   URL: https://example.org/1\n   snippet 1\n\n\
             2. Title 2\n   URL: https://example.org/2\n   snippet 2"
        );
    }

    #[test]
    fn lines_are_bounded_and_clean() {
        assert_eq!(one_line(" a\r\n\u{1b}[2Jb\u{202e}\tc ", 99), "a [2Jb c");
        assert_eq!(one_line("äöü ß", 4), "äöü …");
        assert_eq!(one_line("äöü", 3), "äöü");
    }
}
