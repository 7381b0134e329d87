//! Identifies callers by tokens that a login service signs: JSON Web Tokens.
//!
//! [`JwtTokens`] is an [`Authenticator`] for a service whose public keys are in a [`KeySet`].

mod claims;
mod encoded;
mod keys;
mod source;

use std::time::Duration;

use callpact::{
    identity::{Authenticator, Identity},
    store::Moment,
    toolset::BoxFuture,
};

use self::{claims::ExpectedClaims, encoded::EncodedToken};
pub use self::{keys::KeySetError, source::KeySet};

/// How far the clocks of two machines may differ.
const LEEWAY: Duration = Duration::from_secs(30);

/// Tokens of one issuer for one audience, signed with `EdDSA` (Ed25519), ES256 or RS256.
///
/// A token is valid if a key of the set signed it, its issuer and one of its audiences are the expected ones,
/// it has an end that has not passed, and it has begun. The identity has the name of the claim `sub` and the
/// scopes of `scope` or `scp`.
///
/// ```no_run
/// # #[cfg(feature = "server")]
/// # mod example {
/// use callpact::{ToolContext, Toolset};
/// use callpact_mcp::{jwt::{JwtTokens, KeySet}, server::ToolServer};
///
/// # async fn example(tools: Toolset) -> Result<(), Box<dyn std::error::Error>> {
/// let keys = KeySet::url("https://login.example.com/keys.json").await?;
/// let tokens = JwtTokens::new("https://login.example.com", "https://tools.example.com/mcp", keys);
/// ToolServer::new(tools, ToolContext::new())
///     .bind("0.0.0.0:8080".parse()?)
///     .await?
///     .allow_host("tools.example.com")
///     .authenticate(tokens)
///     .run()
///     .await?;
/// # Ok(())
/// # }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct JwtTokens {
    keys: KeySet,
    expected: ExpectedClaims,
}

impl JwtTokens {
    /// Takes the tokens of an issuer for an audience, both written as in the tokens.
    pub fn new(issuer: impl Into<String>, audience: impl Into<String>, keys: KeySet) -> Self {
        Self {
            keys,
            expected: ExpectedClaims {
                issuer: issuer.into(),
                audience: audience.into(),
                name: "sub".to_owned(),
                leeway: LEEWAY,
            },
        }
    }

    /// Takes the name from a claim other than `sub`, such as `email`.
    #[must_use]
    pub fn name_claim(mut self, claim: impl Into<String>) -> Self {
        self.expected.name = claim.into();
        self
    }

    /// Sets how far the clock of the issuer may differ from this clock; 30 seconds by default.
    #[must_use]
    pub fn leeway(mut self, time: Duration) -> Self {
        self.expected.leeway = time;
        self
    }

    async fn check_at(&self, token: &str, now: Moment) -> Result<Identity, &'static str> {
        let token = EncodedToken::read(token)?;
        self.keys.verify(&token).await?;
        // The claims of an unsigned token are never read.
        self.expected.read(&token.claims()?, now)
    }
}

impl Authenticator for JwtTokens {
    fn identify<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Option<Identity>> {
        Box::pin(async { self.check(token).await.ok() })
    }

    fn check<'a>(&'a self, token: &'a str) -> BoxFuture<'a, Result<Identity, &'static str>> {
        Box::pin(self.check_at(token, Moment::now()))
    }
}
