//! A token as text: `header.claims.signature`.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};
use serde_json::{Map, Value};

/// The most bytes of a token.
const LONGEST: usize = 8 << 10;

/// The parts of a token, not yet verified.
pub(super) struct EncodedToken<'a> {
    pub(super) header: TokenHeader,
    /// The bytes that the signature covers.
    pub(super) signed: &'a [u8],
    pub(super) signature: Vec<u8>,
    claims: &'a str,
}

/// A JSON object without repeated names, since another parser might pick the other value.
pub(super) struct UniqueObject(pub(super) Map<String, Value>);

impl<'de> Deserialize<'de> for UniqueObject {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = UniqueObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut members: A,
            ) -> Result<UniqueObject, A::Error> {
                let mut all = Map::new();
                while let Some((name, value)) = members.next_entry::<String, Value>()? {
                    if all.insert(name, value).is_some() {
                        return Err(A::Error::custom("a name stands twice"));
                    }
                }
                Ok(UniqueObject(all))
            }
        }

        source.deserialize_map(Members)
    }
}

#[derive(Deserialize)]
pub(super) struct TokenHeader {
    pub(super) alg: String,
    pub(super) kid: Option<String>,
    typ: Option<String>,
    crit: Option<IgnoredAny>,
}

impl<'a> EncodedToken<'a> {
    pub(super) fn read(token: &'a str) -> Result<Self, &'static str> {
        const NOT_A_TOKEN: &str = "the token is not a signed token";
        if token.len() > LONGEST {
            return Err("the token is too long");
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(NOT_A_TOKEN)?;
        let (header, claims) = signed.split_once('.').ok_or(NOT_A_TOKEN)?;
        let header = decode(header).ok_or(NOT_A_TOKEN)?;
        let UniqueObject(header) = serde_json::from_slice(&header).map_err(|_| NOT_A_TOKEN)?;
        let header = serde_json::from_value(Value::Object(header));
        let header: TokenHeader = header.map_err(|_| NOT_A_TOKEN)?;
        // RFC 7515: an unknown critical extension makes a token invalid.
        if header.crit.is_some() {
            return Err("the token needs an extension");
        }
        // Tokens that the same service signs for other purposes, such as a logout, give no access.
        let typ = header.typ.as_deref().unwrap_or("JWT").to_ascii_lowercase();
        if !matches!(typ.trim_start_matches("application/"), "jwt" | "at+jwt") {
            return Err("the token is of another type");
        }
        Ok(Self {
            header,
            signed: signed.as_bytes(),
            signature: decode(signature).ok_or(NOT_A_TOKEN)?,
            claims,
        })
    }

    /// The JSON text of the claims.
    pub(super) fn claims(&self) -> Result<Vec<u8>, &'static str> {
        decode(self.claims).ok_or("the claims of the token cannot be read")
    }
}

/// URL-safe base64 without padding. Only the one canonical form of a sequence of bytes is accepted.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
