//! Who calls: the identity behind a bearer token.
//!
//! An [`Authenticator`] guards whatever other machines reach: the server of `callpact-mcp`, and the page
//! of `callpact-desk`.

mod host;
mod scopes;

use std::{collections::BTreeMap, error::Error, fmt, sync::Arc};

use hmac_sha256::Hash as Sha256;

pub use self::{host::named_host, scopes::ScopeRules};
use crate::{crash::BoxFuture, digest::read_hex, review::is_hidden};

/// The least number of bytes in a token.
const MIN_TOKEN: usize = 16;

/// The most characters in a name.
const MAX_NAME: usize = 256;

/// Somebody who was identified.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity {
    /// The name, such as that of a user or of a service.
    pub name: String,
    /// What they may do, in words of the program.
    pub scopes: Vec<String>,
}

impl Identity {
    /// Somebody without scopes.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            scopes: Vec::new(),
        }
    }

    /// Adds a scope.
    #[must_use]
    pub fn with_scope(mut self, scope: impl Into<String>) -> Self {
        self.scopes.push(scope.into());
        self
    }

    /// Whether a text can serve as a name that people read in lists and logs. It has at most 256 characters,
    /// none of them a control character or [hidden](is_hidden), and does not begin or end with a blank.
    ///
    /// ```
    /// use callpact::identity::Identity;
    ///
    /// assert!(Identity::is_name("Ada Lovelace") && Identity::is_name("Зоя"));
    /// assert!(!Identity::is_name("") && !Identity::is_name("ada ") && !Identity::is_name("a\u{200b}da"));
    /// ```
    pub fn is_name(text: &str) -> bool {
        let fits = !text.is_empty() && text.chars().count() <= MAX_NAME;
        fits && text.trim() == text && !text.chars().any(is_hidden)
    }

    /// Whether they have a scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|had| had == scope)
    }
}

/// Finds out who is behind a bearer token.
pub trait Authenticator: Send + Sync {
    /// The identity behind a token; `None` for a token that is not valid, or not valid any more.
    fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>>;

    /// Like [`identify`](Self::identify), with a reason for the log of a server. A reason never quotes the
    /// token, and clients do not get it.
    fn check<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Identity, &'static str>> {
        Box::pin(async move { self.identify(token).await.ok_or("the token is not valid") })
    }
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<A: Authenticator + ?Sized> Authenticator for $pointer {
            fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>> {
                (**self).identify(token)
            }
            fn check<'a>(
                &'a self,
                token: &'a str,
            ) -> BoxFuture<'a, Result<Identity, &'static str>> {
                (**self).check(token)
            }
        }
    )*};
}

forward!(Box<A>, Arc<A>);

/// Tokens that were given out beforehand. Their hashes are kept, not the tokens.
///
/// ```
/// use callpact::identity::{Identity, StaticTokens};
///
/// let tokens = StaticTokens::new()
///     .token("a-long-random-token", Identity::new("ada").with_scope("write"))?
///     // The SHA-256 of a token, as it may stand in a file.
///     .hashed(&"5d".repeat(32), Identity::new("grace"))?;
/// # Ok::<(), callpact::identity::TokenError>(())
/// ```
#[derive(Clone, Default)]
pub struct StaticTokens(BTreeMap<[u8; 32], Identity>);

/// A token that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenError {
    /// The token has fewer than 16 bytes.
    Short,
    /// The text is not a SHA-256 of 64 hexadecimal digits.
    NotAHash,
    /// The same token was added before, so it would have two owners.
    Doubled,
    /// The identity has [no name](Identity::is_name) that people can read.
    NoName,
    /// A scope of the identity is [no name](Identity::is_name) that people can read.
    BadScope,
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "a token has at least 16 bytes",
            Self::NotAHash => "expected a SHA-256 of 64 hexadecimal digits",
            Self::Doubled => "the same token stands twice",
            Self::NoName => {
                "expected a name of 1 to 256 characters without hidden ones and without blanks around it"
            }
            Self::BadScope => {
                "expected scopes of 1 to 256 characters without hidden ones and without blanks around them"
            }
        })
    }
}

impl Error for TokenError {}

impl fmt::Debug for StaticTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.0.values().map(|identity| &identity.name).collect();
        names.sort_unstable();
        f.debug_tuple("StaticTokens").field(&names).finish()
    }
}

impl StaticTokens {
    /// No tokens.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a token of at least 16 bytes, which should be random.
    ///
    /// # Errors
    /// If the token is too short or was added before, or if the identity has no valid name or has an invalid scope.
    pub fn token(self, token: impl AsRef<str>, identity: Identity) -> Result<Self, TokenError> {
        let token = token.as_ref();
        if token.len() < MIN_TOKEN {
            return Err(TokenError::Short);
        }
        self.with(Sha256::hash(token.as_bytes()), identity)
    }

    /// Adds a token by its SHA-256, in hexadecimal digits.
    ///
    /// # Errors
    /// If the text is not such a hash or its token was added before, or if the identity has no valid name or has an
    /// invalid scope.
    pub fn hashed(self, hash: &str, identity: Identity) -> Result<Self, TokenError> {
        self.with(read_hex(hash).ok_or(TokenError::NotAHash)?, identity)
    }

    /// Whether there is no token, so that nobody gets in.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn with(mut self, hash: [u8; 32], identity: Identity) -> Result<Self, TokenError> {
        if !Identity::is_name(&identity.name) {
            return Err(TokenError::NoName);
        }
        if !identity.scopes.iter().all(|scope| Identity::is_name(scope)) {
            return Err(TokenError::BadScope);
        }
        if self.0.contains_key(&hash) {
            return Err(TokenError::Doubled);
        }
        self.0.insert(hash, identity);
        Ok(self)
    }

    fn find(&self, token: &str) -> Option<&Identity> {
        let hash = Sha256::hash(token.as_bytes());
        // The comparison takes the same time wherever a hash differs, and whichever token matches.
        let mut found = None;
        for (known, identity) in &self.0 {
            let differs = known
                .iter()
                .zip(&hash)
                .fold(0, |differs, (a, b)| differs | (a ^ b));
            if differs == 0 {
                found = Some(identity);
            }
        }
        found
    }
}

impl Authenticator for StaticTokens {
    fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>> {
        Box::pin(std::future::ready(self.find(token).cloned()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Authenticator, Identity, StaticTokens, TokenError};

    #[tokio::test]
    async fn token_resolves_to_identity_and_is_not_stored() {
        let (ada, grace) = (
            Identity::new("ada").with_scope("write"),
            Identity::new("grace"),
        );
        // printf %s a-token-of-grace | sha256sum
        let hash = "b6b1b0b3b2f4d8a8".repeat(4);
        let tokens = StaticTokens::new()
            .token("a-token-of-ada-1", ada.clone())
            .and_then(|tokens| tokens.token("a-token-of-ada-2", ada.clone()))
            .and_then(|tokens| tokens.hashed(&hash, grace))
            .expect("tokens");
        assert!(ada.has_scope("write") && !ada.has_scope("writ"));
        for token in ["a-token-of-ada-1", "a-token-of-ada-2"] {
            assert_eq!(tokens.identify(token).await.as_ref(), Some(&ada));
        }
        for token in [
            "",
            "a-token-of-ada-",
            "A-token-of-ada-1",
            "a-token-of-ada-1 ",
            &hash,
        ] {
            assert_eq!(tokens.identify(token).await, None, "{token}");
        }
        let shown = format!("{tokens:?}");
        assert_eq!(shown, r#"StaticTokens(["ada", "ada", "grace"])"#);
    }

    #[test]
    fn rejects_weak_token_and_broken_hash() {
        let ada = || Identity::new("ada");
        let short = StaticTokens::new().token("fifteen bytes!!", ada());
        assert_eq!(short.map(|_| ()), Err(TokenError::Short));
        for broken in [
            "",
            &"g".repeat(64),
            &"0".repeat(63),
            &"é".repeat(32),
            &"+1".repeat(32),
        ] {
            let error = StaticTokens::new().hashed(broken, ada());
            assert_eq!(error.map(|_| ()), Err(TokenError::NotAHash), "{broken}");
        }
        assert!(StaticTokens::new().hashed(&"aF".repeat(32), ada()).is_ok());
    }

    #[test]
    fn a_token_has_one_owner_with_a_name() {
        let add = |name: &str, hash: &str| {
            let known = StaticTokens::new().token("a-token-of-ada-1", Identity::new("ada"));
            let tokens = known.and_then(|known| known.hashed(hash, Identity::new(name)));
            tokens.map(|_| ())
        };
        let other = "0a".repeat(32);
        // printf %s a-token-of-ada-1 | sha256sum
        let same = "1D9B837D195FCF5909D3184F25CA2A99A0D95523FB4A75E10C01FB4197EDC731";
        assert_eq!(add("ada", &other), Ok(()), "with another token");
        assert_eq!(add("grace", same), Err(TokenError::Doubled));
        assert_eq!(add("ada", same), Err(TokenError::Doubled));
        let long = "é".repeat(256);
        for name in [
            "grace",
            "Grace Hopper",
            "\u{416}\u{430}\u{43d}",
            "\u{5b57}",
            &long,
        ] {
            assert_eq!(add(name, &other), Ok(()), "{name}");
        }
        for name in [
            "",
            " ",
            "ada ",
            " ada",
            "a\nda",
            "ada\0",
            "\u{202e}ada",
            "a\u{200b}da",
            "\u{feff}ada",
            "ad\u{e0061}a",
            &format!("{long}e"),
        ] {
            assert_eq!(add(name, &other), Err(TokenError::NoName), "{name:?}");
        }
    }
}
