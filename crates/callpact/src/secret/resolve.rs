//! Looks up the values of secrets.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::future::ready;
use std::sync::Arc;

use super::redact::Redactor;
use super::{
    MAX_SECRET_BYTES, MAX_SECRETS, MAX_TOTAL_BYTES, MIN_SECRET_CHARS, SecretError, SecretRef,
    SecretValue,
};
use crate::crash::BoxFuture;

/// Why a resolver has no value.
#[derive(Debug)]
#[non_exhaustive]
pub enum ResolveError {
    /// There is no secret of that name here.
    NotFound,
    /// The secret could not be fetched.
    Failed(Box<dyn Error + Send + Sync>),
}

/// Where secrets come from: a keychain, a vault, the environment.
pub trait SecretResolver: Send + Sync {
    /// The value of a secret.
    ///
    /// # Errors
    /// When there is no such secret, or it cannot be fetched.
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>>;
}

impl<R: SecretResolver + ?Sized> SecretResolver for Arc<R> {
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
        (**self).resolve(secret)
    }
}

impl<R: SecretResolver + ?Sized> SecretResolver for Box<R> {
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
        (**self).resolve(secret)
    }
}

/// Secrets held in memory.
///
/// ```
/// use callpact::secret::MemorySecrets;
///
/// let store = MemorySecrets::new().with("api_token", "hunter2-hunter2");
/// assert_eq!(format!("{store:?}"), r#"MemorySecrets({"api_token": SecretValue(..)})"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemorySecrets(BTreeMap<String, SecretValue>);

impl MemorySecrets {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a secret. With an [invalid name](SecretRef), every call that asks for a secret
    /// fails with an error that says so; [`insert`](Self::insert) fails at once.
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.insert(name.into(), SecretValue::new(value));
        self
    }

    /// Adds or replaces a secret.
    ///
    /// # Errors
    /// When the name is not a [name](SecretRef).
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> Result<(), SecretError> {
        let name = SecretRef::new(name)?;
        self.0
            .insert(name.name().to_owned(), SecretValue::new(value));
        Ok(())
    }
}

impl SecretResolver for MemorySecrets {
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
        let value = check_names(self.0.keys()).and_then(|()| {
            self.0
                .get(secret.name())
                .cloned()
                .ok_or(ResolveError::NotFound)
        });
        Box::pin(ready(value))
    }
}

/// Refuses names that no placeholder can have, since such a secret would never be found.
fn check_names<'a>(mut names: impl Iterator<Item = &'a String>) -> Result<(), ResolveError> {
    match names.find(|name| SecretRef::new(name.as_str()).is_err()) {
        None => Ok(()),
        Some(name) => Err(ResolveError::Failed(
            format!(
                "`{name}` is not the name of a secret: {}",
                SecretError::InvalidName
            )
            .into(),
        )),
    }
}

/// Secrets from listed environment variables.
///
/// ```
/// use callpact::secret::EnvSecrets;
///
/// // `<secret_ref:api_token>` is the variable MY_APP_TOKEN; no other variable can be reached.
/// let store = EnvSecrets::new([("api_token", "MY_APP_TOKEN")]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct EnvSecrets(BTreeMap<String, String>);

impl EnvSecrets {
    /// The allowed secrets. Each has a name and the variable that holds it.
    pub fn new<N: Into<String>, V: Into<String>>(
        allowed: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        Self(
            allowed
                .into_iter()
                .map(|(name, variable)| (name.into(), variable.into()))
                .collect(),
        )
    }

    fn read(&self, secret: &SecretRef) -> Result<SecretValue, ResolveError> {
        check_names(self.0.keys())?;
        let variable = self.0.get(secret.name()).ok_or(ResolveError::NotFound)?;
        // `var_os` panics on some systems if no variable can have the name.
        if variable.is_empty() || variable.contains(['=', '\0']) {
            return Err(ResolveError::NotFound);
        }
        let value = std::env::var_os(variable).ok_or(ResolveError::NotFound)?;
        // The error of `into_string` holds the value itself and must not be passed on.
        value
            .into_string()
            .map(SecretValue::new)
            .map_err(|_| ResolveError::Failed("the value is not Unicode text".into()))
    }
}

impl SecretResolver for EnvSecrets {
    fn resolve<'a>(
        &'a self,
        secret: &'a SecretRef,
    ) -> BoxFuture<'a, Result<SecretValue, ResolveError>> {
        Box::pin(ready(self.read(secret)))
    }
}

/// The values of the secrets that one call uses.
pub struct ResolvedSecrets {
    pub(super) values: BTreeMap<SecretRef, SecretValue>,
    redactor: Redactor,
}

impl ResolvedSecrets {
    /// Resolves all the given secrets, or none.
    ///
    /// # Errors
    /// When a secret is missing or cannot be fetched, is too short or too long to be redacted, or
    /// when there are too many. A value that cannot be redacted is not handed out.
    pub async fn resolve(
        resolver: &(impl SecretResolver + ?Sized),
        secrets: impl IntoIterator<Item = SecretRef>,
    ) -> Result<Self, SecretError> {
        let mut values = BTreeMap::new();
        for secret in secrets {
            if values.contains_key(&secret) {
                continue;
            }
            if values.len() == MAX_SECRETS {
                return Err(SecretError::TooMany);
            }
            let value = resolver.resolve(&secret).await.map_err(|error| {
                let name = secret.name().to_owned();
                match error {
                    ResolveError::NotFound => SecretError::Missing { name },
                    ResolveError::Failed(source) => SecretError::Unavailable { name, source },
                }
            })?;
            values.insert(secret, value);
        }
        Self::from_values(values)
    }

    /// The given values.
    ///
    /// # Errors
    /// When a value is too short or too long to be redacted, or there are too many.
    pub fn new(
        secrets: impl IntoIterator<Item = (SecretRef, SecretValue)>,
    ) -> Result<Self, SecretError> {
        Self::from_values(secrets.into_iter().collect())
    }

    fn from_values(values: BTreeMap<SecretRef, SecretValue>) -> Result<Self, SecretError> {
        let mut total = 0;
        for (secret, value) in &values {
            let name = || secret.name().to_owned();
            // The value without the blanks around it is redacted too, so its length counts.
            if value.expose().trim().chars().take(MIN_SECRET_CHARS).count() < MIN_SECRET_CHARS {
                return Err(SecretError::TooShort { name: name() });
            }
            if value.expose().len() > MAX_SECRET_BYTES {
                return Err(SecretError::TooLong { name: name() });
            }
            total += value.expose().len();
        }
        if values.len() > MAX_SECRETS || total > MAX_TOTAL_BYTES {
            return Err(SecretError::TooMany);
        }
        let redactor = Redactor::of(&values);
        Ok(Self { values, redactor })
    }

    /// Joins two sets. If both have a secret of one name, the value of `self` is put into the arguments,
    /// and both values are redacted.
    pub(crate) fn and(&self, others: &Self) -> Self {
        let redactor = Redactor::of(self.values.iter().chain(&others.values));
        let mut values = others.values.clone();
        values.extend(self.values.clone());
        Self { values, redactor }
    }

    /// The redactor, which replaces these secrets in every text that comes back. It outlives this value.
    pub fn redactor(&self) -> Redactor {
        self.redactor.clone()
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &SecretRef> {
        self.values.keys()
    }

    /// Whether the call uses no secrets.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl fmt::Debug for ResolvedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ResolvedSecrets")
            .field(&self.values)
            .finish()
    }
}
