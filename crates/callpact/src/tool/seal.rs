//! Seals waiting calls that leave the program, so that nobody can change or forge one.

use std::{error::Error, fmt, time::Duration};

use hmac_sha256::HMAC;
use serde::{Deserialize, Serialize};

use super::PendingCall;
use crate::{
    digest::{hex, read_hex},
    store::Moment,
};

/// The start of every sealed call, with the version of its form.
const FORM: &str = "twcall1.";

/// The least number of bytes in the secret of a key.
const MIN_KEY: usize = 32;

/// A key that seals waiting calls.
///
/// ```
/// use std::time::Duration;
/// use callpact::tool::SealKey;
///
/// let old = SealKey::new(b"the secret of last year, 32 bytes")?;
/// let key = SealKey::new(b"the secret of this year, 32 bytes")?
///     .valid_for(Duration::from_secs(3600))
///     .accepting(&old);
/// assert!(SealKey::new(b"short").is_err());
/// # Ok::<(), callpact::tool::SealError>(())
/// ```
#[derive(Clone)]
pub struct SealKey {
    secret: Vec<u8>,
    /// Older secrets, which open calls but do not seal them.
    older: Vec<Vec<u8>>,
    valid_for: Duration,
}

impl SealKey {
    /// A key with a secret of at least 32 bytes, which should be random. What it seals is valid for seven
    /// days.
    ///
    /// # Errors
    /// When the secret is too short.
    pub fn new(secret: impl AsRef<[u8]>) -> Result<Self, SealError> {
        let secret = secret.as_ref().to_vec();
        if secret.len() < MIN_KEY {
            return Err(SealError::ShortKey);
        }
        Ok(Self {
            secret,
            older: Vec::new(),
            valid_for: Duration::from_secs(7 * 24 * 3600),
        })
    }

    /// Sets how long a sealed call is valid.
    #[must_use]
    pub fn valid_for(mut self, time: Duration) -> Self {
        self.valid_for = time;
        self
    }

    /// Also opens calls that an older key sealed, so that keys can change while calls wait.
    #[must_use]
    pub fn accepting(mut self, older: &Self) -> Self {
        self.older.push(older.secret.clone());
        self.older.extend(older.older.iter().cloned());
        self
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}

/// Why a sealed call cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SealError {
    /// The secret of the key has fewer than 32 bytes.
    ShortKey,
    /// The text is not a sealed call, or none of the keys sealed it, or it was changed.
    Invalid,
    /// Its time is over.
    Expired,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShortKey => "the secret of a key has at least 32 bytes",
            Self::Invalid => "the sealed call is not valid",
            Self::Expired => "the time of the sealed call is over",
        })
    }
}

impl Error for SealError {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealedCall {
    call: PendingCall,
    until: Moment,
}

impl PendingCall {
    /// The call as a text that only a holder of the key can make: for programs that must hand a waiting
    /// call to another party, such as a client. Anybody can read the text.
    ///
    /// ```
    /// use callpact::{Halt, PendingCall, ToolCall, ToolContext, Toolset, tool, tool::SealKey};
    ///
    /// /// Pays a bill
    /// #[tool(destructive)]
    /// fn pay(euros: u32) -> String {
    ///     format!("paid {euros} EUR")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Pay)?;
    /// let cx = ToolContext::new().with_deferred_approval();
    /// let call = ToolCall::new("1", "pay", r#"{"euros": 90}"#);
    /// let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else { panic!() };
    ///
    /// let key = SealKey::new(b"thirty-two bytes from a safe place")?;
    /// let text = pending.seal(&key);
    /// assert_eq!(PendingCall::open(&text, &key)?, *pending);
    /// assert!(PendingCall::open(&text.replace("90", "9000"), &key).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn seal(&self, key: &SealKey) -> String {
        self.seal_at(key, Moment::now())
    }

    /// Like [`seal`](Self::seal), with the present time as a parameter.
    pub fn seal_at(&self, key: &SealKey, now: Moment) -> String {
        let sealed = SealedCall {
            call: self.clone(),
            until: now.after(key.valid_for),
        };
        // All fields are texts, lists of texts and names.
        let json = serde_json::to_string(&sealed).unwrap_or_default();
        let mac = HMAC::mac(authenticated(&json), &key.secret);
        format!("{FORM}{}.{json}", hex(&mac))
    }

    /// Opens a sealed call.
    ///
    /// # Errors
    /// When neither the key nor an accepted older key sealed the text, when anything in it has changed, and
    /// when its time is over.
    pub fn open(text: &str, key: &SealKey) -> Result<Self, SealError> {
        Self::open_at(text, key, Moment::now())
    }

    /// Like [`open`](Self::open), with the present time as a parameter.
    ///
    /// # Errors
    /// Like [`open`](Self::open).
    pub fn open_at(text: &str, key: &SealKey, now: Moment) -> Result<Self, SealError> {
        let (mac, json) = text
            .strip_prefix(FORM)
            .and_then(|rest| rest.split_once('.'))
            .ok_or(SealError::Invalid)?;
        // Only lower case, so that a call has one sealed form.
        let bytes = read_hex(mac).filter(|bytes| hex(bytes) == mac);
        let mac = bytes.ok_or(SealError::Invalid)?;
        let authenticated = authenticated(json);
        let is_ours = std::iter::once(&key.secret)
            .chain(&key.older)
            // The comparison takes the same time wherever the two differ.
            .any(|secret| HMAC::verify(&authenticated, secret, &mac));
        if !is_ours {
            return Err(SealError::Invalid);
        }
        let sealed: SealedCall = serde_json::from_str(json).map_err(|_| SealError::Invalid)?;
        if sealed.until <= now {
            return Err(SealError::Expired);
        }
        Ok(sealed.call)
    }
}

/// The text that the seal covers. It includes the form, so that no other use of the key gives the
/// same text.
fn authenticated(json: &str) -> String {
    format!("{FORM}{json}")
}
