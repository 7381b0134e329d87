//! Values that must not appear in a returned text.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Secret values, removed from texts in every form that HTTP gives them.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Longest first, so that a secret inside a longer one cannot leave the rest behind.
    forms: Vec<String>,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets")
            .field("forms", &self.forms.len())
            .finish()
    }
}

impl Secrets {
    /// No secrets.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value: as it is, percent-encoded, as JSON text, and, for `Bearer x`, `x` alone.
    pub fn add(&mut self, secret: &str) {
        let secret = secret.trim();
        self.add_forms(secret);
        if let Some((_, token)) = secret.split_once(' ') {
            self.add_forms(token.trim());
        }
        self.forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        self.forms.dedup();
    }

    fn add_forms(&mut self, secret: &str) {
        if secret.is_empty() {
            return;
        }
        let query = form_encoded(secret);
        self.forms.push(query.replace('+', "%20"));
        self.forms.push(lower_hex(&query));
        self.forms.push(query);
        self.forms.extend(base64(secret.as_bytes()));
        let json = serde_json::Value::from(secret).to_string();
        self.forms.push(json.trim_matches('"').to_owned());
        self.forms.push(secret.to_owned());
    }

    /// Adds every value of `other`.
    pub fn extend(&mut self, other: &Self) {
        self.forms.extend(other.forms.iter().cloned());
        self.forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    }

    /// `text` with every secret written as `***`.
    pub fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for form in &self.forms {
            if text.contains(form.as_str()) {
                text = text.replace(form.as_str(), "***");
            }
        }
        text
    }
}

fn form_encoded(text: &str) -> String {
    let mut url = reqwest::Url::parse("http://x/").ok();
    if let Some(url) = &mut url {
        url.query_pairs_mut().append_pair("k", text);
    }
    let query = url
        .as_ref()
        .and_then(reqwest::Url::query)
        .unwrap_or_default();
    query.strip_prefix("k=").unwrap_or_default().to_owned()
}

/// The query with the digits of each `%2F` in lower case, as some clients write them.
fn lower_hex(query: &str) -> String {
    let mut pieces = query.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push('%');
        text.extend(piece.chars().take(2).map(|c| c.to_ascii_lowercase()));
        text.extend(piece.chars().skip(2));
    }
    text
}

/// The part of the encoded secret that does not depend on the bytes after it. `None` if it is so
/// short that it could occur by chance.
fn base64(bytes: &[u8]) -> Option<String> {
    let whole = bytes.get(..bytes.len() / 3 * 3).unwrap_or_default();
    Some(STANDARD.encode(whole)).filter(|text| text.len() >= 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_taken_out() {
        let mut secrets = Secrets::new();
        secrets.add("Bearer s3cr+t/\"k y");
        let text = "a s3cr+t/\"k y b s3cr%2Bt%2F%22k+y c s3cr%2Bt%2F%22k%20y d s3cr%2bt%2f%22k+y \
                    e s3cr+t/\\\"k y f";
        assert_eq!(secrets.redact(text), "a *** b *** c *** d *** e *** f");
        assert!(!format!("{secrets:?}").contains("s3cr"));
    }

    #[test]
    fn base64_is_taken_out() {
        let mut secrets = Secrets::new();
        secrets.add("abcdefghijkl");
        assert_eq!(secrets.redact("x YWJjZGVmZ2hpamts y"), "x *** y");
    }

    #[test]
    fn nothing_to_hide_changes_nothing() {
        let mut secrets = Secrets::new();
        secrets.add("");
        assert_eq!(secrets.redact("text"), "text");
    }
}
