//! The written form of a reference to a secret.

use std::fmt;
use std::ops::Range;

use super::SecretError;

/// The longest name of a secret, in bytes.
pub const MAX_NAME: usize = 128;

const OPEN: &str = "<secret_ref:";

/// The name of a secret, written `<secret_ref:NAME>` where its value belongs.
///
/// A name matches `[A-Za-z][A-Za-z0-9_]*` and has at most [`MAX_NAME`] bytes. Case counts.
///
/// ```
/// use callpact::secret::SecretRef;
///
/// let token = SecretRef::new("api_token")?;
/// assert_eq!(token.to_string(), "<secret_ref:api_token>");
/// assert!(SecretRef::new("GITHUB_TOKEN").is_ok());
/// assert!(SecretRef::new("api-token").is_err());
/// # Ok::<(), callpact::secret::SecretError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SecretRef(String);

impl SecretRef {
    /// A reference by name.
    ///
    /// # Errors
    /// When the name is not well formed.
    pub fn new(name: impl Into<String>) -> Result<Self, SecretError> {
        let name = name.into();
        if is_name(&name) {
            Ok(Self(name))
        } else {
            Err(SecretError::InvalidName)
        }
    }

    /// The name alone.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPEN}{}>", self.0)
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A placeholder found in a text, or something that looks like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Where it stands: all of a well-formed one, the opening of a malformed one.
    pub range: Range<usize>,
    /// The reference; `None` if it is malformed.
    pub secret: Option<SecretRef>,
}

/// Finds every placeholder in a text, from left to right.
///
/// A text that looks like a reference but is malformed (`<secret_ref:>`, `<Secret-Ref: x>`) is found too: it
/// was meant as a placeholder, and passing it on as text would be a guess.
///
/// ```
/// use callpact::secret::placeholders;
///
/// let found: Vec<_> = placeholders("<secret_ref:a> <secret_ref:a-b>").collect();
/// assert_eq!(found[0].secret.as_ref().map(|secret| secret.name()), Some("a"));
/// assert_eq!(found[1].secret, None);
/// ```
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.find('<')?;
            let rest = text.get(start..)?;
            at = start + 1;
            if let Some(name) = well_formed(rest) {
                at = start + OPEN.len() + name.len() + 1;
                return Some(Placeholder {
                    range: start..at,
                    secret: Some(SecretRef(name.to_owned())),
                });
            }
            if let Some(len) = opening(rest) {
                at = start + len;
                return Some(Placeholder {
                    range: start..at,
                    secret: None,
                });
            }
        }
    })
}

fn well_formed(rest: &str) -> Option<&str> {
    let after = rest.strip_prefix(OPEN)?;
    // A search beyond the longest name would be quadratic in a text of many openings.
    let end = after
        .bytes()
        .take(MAX_NAME + 1)
        .position(|byte| byte == b'>')?;
    after.get(..end).filter(|name| is_name(name))
}

/// The length of something that opens like a placeholder, however it is spelled.
fn opening(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('<')?.trim_start_matches(' ');
    let (word, tail) = body.split_at_checked("secret".len())?;
    let tail = tail.strip_prefix(['_', '-', ' ']).unwrap_or(tail);
    let (reference, tail) = tail.split_at_checked("ref".len())?;
    let tail = tail.trim_start_matches(' ').strip_prefix(':')?;
    (word.eq_ignore_ascii_case("secret") && reference.eq_ignore_ascii_case("ref"))
        .then(|| rest.len() - tail.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_and_malformed_are_told_apart() {
        for (text, expected) in [
            ("<secret_ref:a>", Some("a")),
            ("<secret_ref:a1_b>", Some("a1_b")),
            ("<secret_ref:>", None),
            ("<secret_ref:GITHUB_TOKEN>", Some("GITHUB_TOKEN")),
            ("<secret_ref:1a>", None),
            ("<secret_ref:_a>", None),
            ("<secret_ref:a-b>", None),
            ("<secret_ref: a>", None),
            ("<secret_ref:a", None),
            ("<secret_ref:é>", None),
            ("<SECRET_REF:a>", None),
            ("< secret-ref : a>", None),
            ("<secretref:a>", None),
        ] {
            let found: Vec<_> = placeholders(text).collect();
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(
                found[0].secret.as_ref().map(SecretRef::name),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_one_is_not_found() {
        for text in [
            "",
            "<",
            "secret_ref:a>",
            "<secret_reference>",
            "<secret_rex:a>",
            "<sacred_ref:a>",
            "<b>",
            "<secrét_ref:a>",
            "<<<",
            "<secret",
        ] {
            assert_eq!(placeholders(text).count(), 0, "{text}");
        }
    }

    #[test]
    fn nested_and_neighbouring_ones_are_all_found() {
        let found: Vec<_> = placeholders("x<secret_ref:<secret_ref:a><secret_ref:b>").collect();
        let names: Vec<_> = found
            .iter()
            .map(|one| one.secret.as_ref().map(SecretRef::name))
            .collect();
        assert_eq!(names, [None, Some("a"), Some("b")]);
        assert_eq!(
            placeholders(&"<secret_ref:".repeat(100_000)).count(),
            100_000
        );
    }

    #[test]
    fn a_name_has_a_longest_length() {
        let longest = "a".repeat(MAX_NAME);
        assert!(SecretRef::new(longest.clone()).is_ok());
        assert!(SecretRef::new(longest.clone() + "a").is_err());
        let found = |name: &str| {
            placeholders(&format!("<secret_ref:{name}>"))
                .next()
                .expect("one")
                .secret
        };
        assert!(found(&longest).is_some());
        assert!(found(&(longest + "a")).is_none());
    }
}
