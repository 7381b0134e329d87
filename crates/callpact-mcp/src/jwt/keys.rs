//! The public keys of a login service, from the JSON of a key set (RFC 7517).

use std::{error::Error, fmt, ops::RangeInclusive};

use callpact::review::visible;
use ring::signature::{
    self, ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey,
};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

use super::encoded::{EncodedToken, decode};

/// The most keys of a set.
const MOST: usize = 100;

/// The bits of an RSA key. A smaller one can be broken, and a larger one costs too much time.
const RSA_BITS: RangeInclusive<usize> = 2048..=8192;

/// Why there is no key set.
#[derive(Debug)]
#[non_exhaustive]
pub enum KeySetError {
    /// The text is not a key set, or has no usable key; the words say which.
    Invalid(&'static str),
    /// The file or the address cannot be read.
    Unreachable(String),
}

impl fmt::Display for KeySetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => write!(f, "the key set: {why}"),
            Self::Unreachable(why) => write!(f, "the key set cannot be read: {why}"),
        }
    }
}

impl Error for KeySetError {}

/// Keys that verify.
#[derive(Debug)]
pub(super) struct VerifyingKeys(Vec<NamedKey>);

#[derive(Debug)]
struct NamedKey {
    id: Option<String>,
    key: VerifyingKey,
}

#[derive(Debug)]
enum VerifyingKey {
    Ed25519(Vec<u8>),
    /// An uncompressed point.
    P256(Vec<u8>),
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

#[derive(Deserialize)]
struct JwkSet {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    n: Option<String>,
    e: Option<String>,
    d: Option<IgnoredAny>,
}

impl VerifyingKeys {
    pub(super) fn from_json(text: &[u8]) -> Result<Self, KeySetError> {
        let invalid = |why| KeySetError::Invalid(why);
        let set: JwkSet = serde_json::from_slice(text)
            .map_err(|_| invalid("expected a JSON object with a list of `keys`"))?;
        if set.keys.len() > MOST {
            return Err(invalid("it has more than 100 keys"));
        }
        let mut keys = Vec::new();
        for jwk in set.keys {
            // Keys of unknown kinds are skipped.
            let Ok(jwk) = serde_json::from_value::<Jwk>(jwk) else {
                continue;
            };
            if jwk.d.is_some() {
                return Err(invalid(
                    "it has a private key, which only the login service may have",
                ));
            }
            keys.extend(jwk.read());
        }
        if keys.is_empty() {
            return Err(invalid(
                "it has no key for EdDSA, ES256, or RS256 with 2,048 to 8,192 bits",
            ));
        }
        Ok(Self(keys))
    }

    /// Whether a key of this set signed a token; `None` if the set lacks the key that the token names.
    pub(super) fn verify(&self, token: &EncodedToken<'_>) -> Option<bool> {
        let header = &token.header;
        let fits = |named: &&NamedKey| {
            named.key.is_for(&header.alg) && (header.kid.is_none() || named.id == header.kid)
        };
        let candidates: Vec<&NamedKey> = self.0.iter().filter(fits).collect();
        if candidates.is_empty() {
            return None;
        }
        // Without a name, the key must be the only one, so that there is no choice to make.
        let clear = header.kid.is_some() || candidates.len() == 1;
        Some(clear && candidates.iter().any(|named| named.key.verify(token)))
    }
}

impl Jwk {
    /// The key, if it can verify.
    fn read(self) -> Option<NamedKey> {
        let verifies = self.purpose.is_none_or(|purpose| purpose == "sig")
            && self
                .key_ops
                .is_none_or(|ops| ops.iter().any(|op| op == "verify"));
        let part = |text: Option<String>| decode(&text?);
        let key = match (&*self.kty, self.crv.as_deref()) {
            ("OKP", Some("Ed25519")) => {
                VerifyingKey::Ed25519(part(self.x).filter(|x| x.len() == 32)?)
            }
            ("EC", Some("P-256")) => {
                let (x, y) = (part(self.x)?, part(self.y)?);
                (x.len() == 32 && y.len() == 32).then_some(())?;
                VerifyingKey::P256([&[4], &*x, &*y].concat())
            }
            ("RSA", _) => {
                let (n, e) = (part(self.n)?, part(self.e)?);
                let bits = count_bits(&n);
                if !RSA_BITS.contains(&bits) {
                    // The login service manages its keys, so the usable ones stay in use.
                    let key: String = self.kid.unwrap_or_default().chars().take(64).collect();
                    tracing::warn!(target: "callpact", key = %visible(&key),
                        "an RSA key of {bits} bits is left out; it needs 2,048 to 8,192");
                    return None;
                }
                VerifyingKey::Rsa { n, e }
            }
            _ => return None,
        };
        let fits = self.alg.is_none_or(|alg| key.is_for(&alg));
        (verifies && fits).then_some(NamedKey { id: self.kid, key })
    }
}

/// The number of bits, without leading zeros.
fn count_bits(number: &[u8]) -> usize {
    let mut bytes = number.iter().skip_while(|byte| **byte == 0);
    let first = bytes
        .next()
        .map_or(0, |byte| 8 - byte.leading_zeros() as usize);
    first + 8 * bytes.count()
}

impl VerifyingKey {
    /// The key decides the algorithm, and the token must agree.
    fn is_for(&self, algorithm: &str) -> bool {
        match self {
            // RFC 9864 gave the algorithm a second name.
            Self::Ed25519(_) => matches!(algorithm, "EdDSA" | "Ed25519"),
            Self::P256(_) => algorithm == "ES256",
            Self::Rsa { .. } => algorithm == "RS256",
        }
    }

    fn verify(&self, token: &EncodedToken<'_>) -> bool {
        let (signed, signature) = (token.signed, &token.signature);
        let verified = match self {
            Self::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(signed, signature),
            Self::P256(key) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(signed, signature)
            }
            Self::Rsa { n, e } => signature::RsaPublicKeyComponents { n, e }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                signed,
                signature,
            ),
        };
        verified.is_ok()
    }
}
