//! The parameters of a tool that take secrets.

use std::fmt;

use serde_json::Value;

use super::location::StringRole;
use super::scan::{Found, scan_text, scan_value};
use super::{PlaceholderFault, SecretError, SecretPathError, SecretRef};
use crate::input::Step;

/// One part of a declared path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum DeclaredPart {
    Key(String),
    EveryItem,
}

/// The parameters of a tool that take secrets.
///
/// A path starts at the root: names joined by `.`, with `[]` for every item of a list. It covers
/// everything below it and nothing else; `env` allows `env.TOKEN` and not `other.env`. Keys of objects
/// never take secrets.
///
/// ```
/// use serde_json::json;
/// use callpact::secret::SecretPaths;
///
/// let paths = SecretPaths::new(["env", "headers[].value"])?;
/// let names = paths.check(&json!({"env": {"TOKEN": "<secret_ref:token>"}, "url": "/"}))?;
/// assert_eq!(names[0].name(), "token");
///
/// let error = paths.check(&json!({"other": {"env": "<secret_ref:token>"}})).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "secret placeholder appears in `other.env`, which does not take secrets\n\
///      secrets go in: `env`, `headers[].value`",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecretPaths {
    paths: Vec<(String, Vec<DeclaredPart>)>,
}

impl SecretPaths {
    /// Reads the given paths.
    ///
    /// # Errors
    /// When one of them is not a path.
    pub fn new<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> Result<Self, SecretPathError> {
        let paths = paths.into_iter().map(|path| {
            let path = path.as_ref();
            let steps = parse(path).ok_or_else(|| SecretPathError(path.to_owned()))?;
            Ok((path.to_owned(), steps))
        });
        Ok(Self {
            paths: paths.collect::<Result<_, _>>()?,
        })
    }

    /// No parameter takes secrets.
    pub const fn none() -> Self {
        Self { paths: Vec::new() }
    }

    /// Whether no parameter takes secrets.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Checks every placeholder in the arguments. Gives each secret that is used once, in the order of
    /// appearance.
    ///
    /// A [`Value`] shows only the last of several equal keys. Where the text is at hand, use
    /// [`check_text`](Self::check_text).
    ///
    /// # Errors
    /// When a placeholder is malformed or stands where secrets are not taken. The error lists all such placeholders.
    pub fn check(&self, arguments: &Value) -> Result<Vec<SecretRef>, SecretError> {
        self.check_found(scan_value(arguments)?)
    }

    /// Checks every placeholder in the arguments as the model wrote them.
    ///
    /// # Errors
    /// Like [`check`](Self::check). Also when the text is not JSON.
    pub fn check_text(&self, arguments: &str) -> Result<Vec<SecretRef>, SecretError> {
        self.check_found(scan_text(arguments)?)
    }

    fn check_found(&self, found: Vec<Found>) -> Result<Vec<SecretRef>, SecretError> {
        let mut names = Vec::new();
        let mut faults = Vec::new();
        for Found {
            role,
            path,
            parts,
            secret,
        } in found
        {
            match (role, secret) {
                (StringRole::Key, _) => faults.push(PlaceholderFault::InKey { path }),
                (StringRole::Value, Some(_)) if !self.covers(&parts) => {
                    faults.push(PlaceholderFault::NotAllowed { path });
                }
                (StringRole::Value, None) => faults.push(PlaceholderFault::Malformed { path }),
                (StringRole::Value, Some(secret)) => {
                    if !names.contains(&secret) {
                        names.push(secret);
                    }
                }
            }
        }
        faults.dedup();
        if faults.is_empty() {
            Ok(names)
        } else {
            Err(self.refuse(faults))
        }
    }

    /// The error that names every faulty placeholder.
    pub(crate) fn refuse(&self, faults: Vec<PlaceholderFault>) -> SecretError {
        SecretError::Placeholders {
            faults,
            allowed: self.paths.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    /// Whether a declared path is this path or a parent of it.
    pub(super) fn covers(&self, parts: &[Step]) -> bool {
        self.paths.iter().any(|(_, declared)| {
            declared.len() <= parts.len()
                && declared.iter().zip(parts).all(|pair| match pair {
                    (DeclaredPart::Key(declared), Step::Key(key)) => declared == key,
                    (DeclaredPart::EveryItem, Step::Index(_)) => true,
                    _ => false,
                })
        })
    }
}

impl fmt::Display for SecretPaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, _)) in self.paths.iter().enumerate() {
            write!(f, "{}{path}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

fn parse(path: &str) -> Option<Vec<DeclaredPart>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches("[]");
        if name.is_empty()
            || name.contains(['[', ']', '"', '<', '>'])
            || name.contains(char::is_control)
        {
            return None;
        }
        steps.push(DeclaredPart::Key(name.to_owned()));
        steps.extend((0..(part.len() - name.len()) / 2).map(|_| DeclaredPart::EveryItem));
    }
    Some(steps)
}
