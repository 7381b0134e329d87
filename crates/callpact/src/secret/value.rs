//! A secret's value, kept out of everything that prints.

use std::fmt;
use std::hint::black_box;

/// The value of a secret, or a text that contains one.
///
/// It has no `Display` and no `Serialize`, its `Debug` shows nothing, and its memory is overwritten when it
/// is dropped. (Safe Rust can do no better: the compiler is asked to keep the overwriting, and it does not
/// reach copies made elsewhere.)
///
/// ```
/// use callpact::secret::SecretValue;
///
/// let value = SecretValue::new("hunter2");
/// assert_eq!(format!("{value:?}"), "SecretValue(..)");
/// assert_eq!(value.expose(), "hunter2");
/// ```
/// ```compile_fail
/// println!("{}", callpact::secret::SecretValue::new("hunter2"));
/// ```
/// ```compile_fail
/// serde_json::to_string(&callpact::secret::SecretValue::new("hunter2"));
/// ```
#[derive(Clone)]
pub struct SecretValue(String);

impl SecretValue {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself. The name is long so that its uses can be found.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretValue {
    fn from(value: String) -> Self {
        Self(value)
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(..)")
    }
}

impl Drop for SecretValue {
    fn drop(&mut self) {
        wipe(std::mem::take(&mut self.0).into_bytes());
    }
}

/// Overwrites bytes and gives their memory back.
pub(super) fn wipe(mut bytes: Vec<u8>) {
    // Up to the capacity, since the tail of a shortened text lies there.
    bytes.resize(bytes.capacity(), 0);
    bytes.fill(0);
    // Without this the writes would be dead stores, which an optimiser removes.
    black_box(&mut bytes);
}
