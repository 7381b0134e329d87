//! The claims of a token, and the check against what a server expects.

use std::time::Duration;

use callpact::{identity::Identity, store::Moment};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::Value;

use super::encoded::UniqueObject;

#[derive(Clone, Debug)]
pub(super) struct ExpectedClaims {
    pub(super) issuer: String,
    pub(super) audience: String,
    pub(super) name: String,
    pub(super) leeway: Duration,
}

/// The claims that are used.
#[derive(Deserialize)]
struct TokenClaims {
    iss: String,
    aud: OneOrMany,
    #[serde(default, deserialize_with = "seconds")]
    exp: Option<f64>,
    #[serde(default, deserialize_with = "seconds")]
    nbf: Option<f64>,
    #[serde(default, deserialize_with = "seconds")]
    iat: Option<f64>,
    scope: Option<OneOrMany>,
    scp: Option<OneOrMany>,
    cnf: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// A number. A `null` is an error, so that it never means a token without an end.
fn seconds<'de, D: Deserializer<'de>>(source: D) -> Result<Option<f64>, D::Error> {
    f64::deserialize(source).map(Some)
}

impl ExpectedClaims {
    /// Checks the claims of a token whose signature is valid.
    pub(super) fn read(&self, claims: &[u8], now: Moment) -> Result<Identity, &'static str> {
        let unreadable = |_| "the claims of the token cannot be read";
        let UniqueObject(all) = serde_json::from_slice(claims).map_err(unreadable)?;
        let name = all.get(&self.name).and_then(Value::as_str);
        let name = name
            .filter(|name| Identity::is_name(name))
            .map(str::to_owned);
        let read: TokenClaims = serde_json::from_value(Value::Object(all)).map_err(unreadable)?;
        // An issuer or an audience that was left empty by mistake matches no token.
        if read.iss != self.issuer || self.issuer.is_empty() {
            return Err("the token is of another issuer");
        }
        let here = match &read.aud {
            OneOrMany::One(audience) => *audience == self.audience,
            OneOrMany::Many(audiences) => audiences.contains(&self.audience),
        };
        if !here || self.audience.is_empty() {
            return Err("the token is for another audience");
        }
        let now = Duration::from_millis(now.0).as_secs_f64();
        let leeway = self.leeway.as_secs_f64();
        if read.exp.ok_or("the token has no end")? + leeway <= now {
            return Err("the token has ended");
        }
        if [read.nbf, read.iat]
            .into_iter()
            .flatten()
            .any(|start| start > now + leeway)
        {
            return Err("the token has not begun");
        }
        // RFC 8705 and RFC 9449: only the holder of another key may use such a token, and a bearer shows no key.
        if read.cnf.is_some() {
            return Err("the token is bound to a key");
        }
        let identity = Identity::new(name.ok_or("the token names nobody")?);
        let scopes = match read.scope.or(read.scp) {
            Some(OneOrMany::One(scopes)) => scopes.split_whitespace().map(str::to_owned).collect(),
            Some(OneOrMany::Many(scopes)) => scopes,
            None => Vec::new(),
        };
        Ok(scopes.into_iter().fold(identity, Identity::with_scope))
    }
}
