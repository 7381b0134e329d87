//! The source of keys, and when they are read again.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::io::AsyncReadExt;

use super::{
    encoded::EncodedToken,
    keys::{KeySetError, VerifyingKeys},
};
use crate::net::{check_address, http_client, is_local};

/// The most bytes of a key set.
const LONGEST: usize = 256 << 10;

/// How long a file or an address may take to give its keys.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long keys are used before they are read again.
const AGE: Duration = Duration::from_secs(3600);

/// The least time between two readings caused by tokens with unknown keys.
const PAUSE: Duration = Duration::from_secs(60);

/// The public keys of a login service: a JSON Web Key Set.
///
/// A set from a file or an address is read again once it is an hour old, and when a token names a key that it
/// lacks, at most once a minute. If that fails, the log gets a line and the keys stay.
///
/// ```no_run
/// use callpact_mcp::jwt::KeySet;
///
/// # async fn example() -> Result<(), callpact_mcp::jwt::KeySetError> {
/// let keys = KeySet::url("https://login.example.com/keys.json").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct KeySet {
    source: Arc<KeySource>,
    age: Duration,
    known: Arc<Mutex<KnownKeys>>,
    /// Held while the keys are read again, so that a crowd of requests reads them once.
    reading: Arc<tokio::sync::Mutex<()>>,
}

enum KeySource {
    Fixed,
    File(PathBuf),
    Url(String),
}

#[derive(Clone)]
struct KnownKeys {
    keys: Arc<VerifyingKeys>,
    /// The last time that the keys were read or the reading failed.
    tried: Instant,
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeySet")
            .field(&self.source.to_string())
            .finish()
    }
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed => f.write_str("fixed"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(url) => f.write_str(url),
        }
    }
}

impl KeySet {
    /// The keys of a JSON text, which do not change.
    ///
    /// # Errors
    /// If the text is not a key set, has no usable key, or contains a private one.
    pub fn from_json(text: &str) -> Result<Self, KeySetError> {
        let keys = VerifyingKeys::from_json(text.as_bytes())?;
        Ok(Self::new(KeySource::Fixed, keys))
    }

    /// The keys of a file of at most 256 KiB.
    ///
    /// # Errors
    /// If the file cannot be read, and for the reasons of [`from_json`](Self::from_json).
    pub async fn file(path: impl Into<PathBuf>) -> Result<Self, KeySetError> {
        Self::open(KeySource::File(path.into())).await
    }

    /// The keys under an address, at most 256 KiB: over `https`, or over `http` from this machine.
    ///
    /// # Errors
    /// If the address cannot be used or does not answer within ten seconds, and for the reasons of
    /// [`from_json`](Self::from_json).
    pub async fn url(url: impl Into<String>) -> Result<Self, KeySetError> {
        let url = url.into();
        check_address(&url, None).map_err(KeySetError::Unreachable)?;
        if !url.starts_with("https://") && !is_local(&url) {
            let why = "keys come over `https`, and over `http` only from this machine";
            return Err(KeySetError::Unreachable(why.to_owned()));
        }
        Self::open(KeySource::Url(url)).await
    }

    /// Sets the age at which the keys of a file or an address are read again.
    #[must_use]
    pub fn recheck_after(mut self, age: Duration) -> Self {
        self.age = age;
        self
    }

    async fn open(source: KeySource) -> Result<Self, KeySetError> {
        let keys = source.read().await?;
        Ok(Self::new(source, keys))
    }

    fn new(source: KeySource, keys: VerifyingKeys) -> Self {
        Self {
            source: Arc::new(source),
            age: AGE,
            known: Arc::new(Mutex::new(KnownKeys {
                keys: Arc::new(keys),
                tried: Instant::now(),
            })),
            reading: Arc::default(),
        }
    }

    /// Checks that one of the keys signed a token.
    pub(super) async fn verify(&self, token: &EncodedToken<'_>) -> Result<(), &'static str> {
        let keys = self.keys(self.age).await;
        let verified = match keys.verify(token) {
            Some(verified) => Some(verified),
            None => self.keys(self.age.min(PAUSE)).await.verify(token),
        };
        match verified {
            Some(true) => Ok(()),
            Some(false) => Err("the signature of the token is not valid"),
            None => Err("the token names a key or an algorithm that the key set does not have"),
        }
    }

    /// The keys, read again if the last try is this old.
    async fn keys(&self, age: Duration) -> Arc<VerifyingKeys> {
        let known = self.known();
        if matches!(*self.source, KeySource::Fixed) || known.tried.elapsed() < age {
            return known.keys;
        }
        let _reading = self.reading.lock().await;
        let now = self.known();
        if now.tried != known.tried {
            return now.keys;
        }
        let keys = match self.source.read().await {
            Ok(keys) => Arc::new(keys),
            Err(error) => {
                tracing::warn!(target: "callpact", keys = %self.source, "{error}");
                known.keys
            }
        };
        *self.lock() = KnownKeys {
            keys: Arc::clone(&keys),
            tried: Instant::now(),
        };
        keys
    }

    fn known(&self) -> KnownKeys {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, KnownKeys> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeySource {
    async fn read(&self) -> Result<VerifyingKeys, KeySetError> {
        let read = async {
            match self {
                Self::Fixed => Ok(Vec::new()),
                Self::File(path) => {
                    let file = tokio::fs::File::open(path)
                        .await
                        .map_err(|e| e.to_string())?;
                    let (mut text, limit) = (Vec::new(), LONGEST as u64 + 1);
                    let read = file.take(limit).read_to_end(&mut text).await;
                    read.map(|_| text).map_err(|error| error.to_string())
                }
                Self::Url(url) => fetch(url).await,
            }
        };
        let text = tokio::time::timeout(PATIENCE, read)
            .await
            .unwrap_or_else(|_| Err(format!("no answer within {PATIENCE:?}")))
            .map_err(KeySetError::Unreachable)?;
        if text.len() > LONGEST {
            return Err(KeySetError::Invalid("it has more than 256 KiB"));
        }
        VerifyingKeys::from_json(&text)
    }
}

/// Fetches a text, but at most one byte more than the limit.
async fn fetch(url: &str) -> Result<Vec<u8>, String> {
    let failed = |error: reqwest::Error| error.without_url().to_string();
    let response = http_client(url)?.get(url).send().await.map_err(failed)?;
    let mut response = response.error_for_status().map_err(failed)?;
    let mut text = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        text.extend_from_slice(&chunk);
        if text.len() > LONGEST {
            break;
        }
    }
    Ok(text)
}
