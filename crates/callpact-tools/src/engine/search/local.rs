//! Search over texts in memory, for demonstrations, tests and offline use.

use std::collections::{HashMap, HashSet};

use super::{Search, SearchHit, SearchProvider};

/// The number of words in a snippet.
const SNIPPET_WORDS: usize = 30;

/// Searches the texts of the program. Words are compared in lower case.
///
/// A document scores for every query word that it contains: more for rare words, a little more for
/// repetition, and three times as much in the title.
#[derive(Debug, Clone, Default)]
pub struct LocalSearch {
    documents: Vec<SearchDocument>,
}

#[derive(Debug, Clone)]
struct SearchDocument {
    title: String,
    url: String,
    text: String,
    title_words: HashSet<String>,
    words: HashMap<String, u32>,
}

impl LocalSearch {
    /// A provider without documents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document.
    #[must_use]
    pub fn document(
        mut self,
        title: impl Into<String>,
        url: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let (title, url, text) = (title.into(), url.into(), text.into());
        let mut counts = HashMap::new();
        for word in words(&text) {
            *counts.entry(word).or_default() += 1;
        }
        let title_words = words(&title).collect();
        self.documents.push(SearchDocument {
            title,
            url,
            text,
            title_words,
            words: counts,
        });
        self
    }

    /// At most `limit` results, best first; equal ones in the order in which they were added.
    pub fn find(&self, query: &str, limit: usize) -> Vec<SearchHit> {
        // A set, in the order of the query, since the order of a `HashSet` would change the
        // rounding.
        let mut terms: Vec<String> = Vec::new();
        for word in words(query).take(32) {
            if !terms.contains(&word) {
                terms.push(word);
            }
        }
        let weights: Vec<f64> = terms.iter().map(|term| self.weight(term)).collect();
        let mut scored: Vec<(f64, &SearchDocument)> = Vec::new();
        for document in &self.documents {
            let parts = terms.iter().zip(&weights);
            let score: f64 = parts
                .map(|(term, weight)| weight * document.frequency(term))
                .sum();
            if score > 0.0 {
                scored.push((score, document));
            }
        }
        scored.sort_by(|left, right| right.0.total_cmp(&left.0));
        let hits = scored
            .into_iter()
            .take(limit)
            .map(|(_, document)| SearchHit {
                title: document.title.clone(),
                url: document.url.clone(),
                snippet: document.snippet(&terms),
            });
        hits.collect()
    }

    /// Words in few documents weigh more.
    fn weight(&self, term: &str) -> f64 {
        let holds = |document: &&SearchDocument| document.frequency(term) > 0.0;
        let holding = self.documents.iter().filter(holds).count();
        let ratio = as_f64(self.documents.len() + 1) / as_f64(holding + 1);
        1.0 + ratio.ln()
    }
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

impl SearchDocument {
    fn frequency(&self, term: &str) -> f64 {
        let count = f64::from(self.words.get(term).copied().unwrap_or(0));
        let title = if self.title_words.contains(term) {
            3.0
        } else {
            0.0
        };
        // Grows ever more slowly: a word that occurs a hundred times does not match a hundred times
        // better.
        count / (count + 1.0) * 2.0 + title
    }

    /// The words around the first match.
    fn snippet(&self, terms: &[String]) -> String {
        let hit = |word: &str| words(word).any(|word| terms.contains(&word));
        let first = self.text.split_whitespace().position(hit).unwrap_or(0);
        let start = first.saturating_sub(SNIPPET_WORDS / 3);
        let mut rest = self.text.split_whitespace().skip(start);
        let taken: Vec<&str> = rest.by_ref().take(SNIPPET_WORDS).collect();
        let before = if start > 0 { "… " } else { "" };
        let after = if rest.next().is_some() { " …" } else { "" };
        format!("{before}{}{after}", taken.join(" "))
    }
}

/// The words of `text`: letters and digits, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let pieces = text.split(|c: char| !c.is_alphanumeric());
    pieces
        .filter(|piece| !piece.is_empty())
        .map(str::to_lowercase)
}

impl SearchProvider for LocalSearch {
    fn search<'a>(&'a self, query: &'a str, limit: usize) -> Search<'a> {
        Box::pin(async move { Ok(self.find(query, limit)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> LocalSearch {
        LocalSearch::new()
            .document("Ferris the crab", "file:a", "Ferris is the mascot of Rust.")
            .document(
                "Rust and iron",
                "file:b",
                "Rust is iron oxide. Rust, rust, rust.",
            )
            .document("Bread", "file:c", "Bread is made of flour, water and salt.")
    }

    fn urls(query: &str, limit: usize) -> Vec<String> {
        library()
            .find(query, limit)
            .into_iter()
            .map(|hit| hit.url)
            .collect()
    }

    #[test]
    fn ranking() {
        assert_eq!(urls("rust", 5), ["file:b", "file:a"]);
        assert_eq!(urls("FERRIS rust", 5), ["file:a", "file:b"]);
        assert_eq!(urls("rust", 1), ["file:b"]);
        assert!(urls("zebra", 5).is_empty());
        assert!(urls("", 5).is_empty());
        assert!(urls("?!", 5).is_empty());
    }

    #[test]
    fn snippet_surrounds_the_match() {
        let text = format!("{} needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let hits = LocalSearch::new()
            .document("t", "u", text)
            .find("needle", 1);
        let snippet = hits
            .first()
            .map(|hit| hit.snippet.as_str())
            .unwrap_or_default();
        assert!(
            snippet.starts_with("… hay ") && snippet.contains("hay needle straw"),
            "{snippet}"
        );
        assert!(snippet.ends_with("straw …"), "{snippet}");
    }
}
