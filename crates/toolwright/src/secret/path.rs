//! Where secrets may stand, and where something stands.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::scan::{Found, Place, scan_text, scan_value};
use super::{PlaceholderFault, SecretError, SecretPathError, SecretRef};

/// How much of a key is shown in a path.
const MAX_KEY: usize = 60;

/// One step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// A path as it is shown: `headers[0].value`, with keys that are no plain words quoted.
pub(super) fn show(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        let written = match step {
            Step::Index(index) => write!(out, "[{index}]"),
            Step::Key(key) if !is_word(key) => {
                // The key is the model's own text: cut, and nothing in it acts.
                let cut: String = key.chars().take(MAX_KEY).collect();
                let more = if cut.len() < key.len() { "..." } else { "" };
                write!(out, "[\"{}{more}\"]", cut.escape_debug())
            }
            Step::Key(key) if out.is_empty() => out.write_str(key),
            Step::Key(key) => write!(out, ".{key}"),
        };
        debug_assert!(written.is_ok(), "a String takes all that is written");
    }
    out
}

fn is_word(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= MAX_KEY
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// One step of a declared path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Declared {
    Key(String),
    EveryItem,
}

/// The parameters of a tool that take secrets.
///
/// A path is exact: names from the root, joined by `.`, with `[]` for every item of a list. It covers what
/// lies below it and nothing else; `env` allows `env.TOKEN` and not `other.env`. Keys of objects never
/// take secrets.
///
/// ```
/// use serde_json::json;
/// use toolwright::secret::SecretPaths;
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
    paths: Vec<(String, Vec<Declared>)>,
}

impl SecretPaths {
    /// The given paths.
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

    /// Checks every placeholder in the arguments and gives the secrets that are used, each once, in
    /// the order in which they appear.
    ///
    /// A [`Value`] shows only the last of several equal keys. Where the text is at hand, use
    /// [`check_text`](Self::check_text).
    ///
    /// # Errors
    /// When a placeholder is malformed or stands where secrets are not taken; the error has all of them.
    pub fn check(&self, arguments: &Value) -> Result<Vec<SecretRef>, SecretError> {
        self.judge(scan_value(arguments)?)
    }

    /// Checks every placeholder in the arguments as the model wrote them.
    ///
    /// # Errors
    /// As [`check`](Self::check), and when the text is not JSON.
    pub fn check_text(&self, arguments: &str) -> Result<Vec<SecretRef>, SecretError> {
        self.judge(scan_text(arguments)?)
    }

    fn judge(&self, found: Vec<Found>) -> Result<Vec<SecretRef>, SecretError> {
        let mut names = Vec::new();
        let mut faults = Vec::new();
        for Found {
            place,
            path,
            steps,
            secret,
        } in found
        {
            match (place, secret) {
                (Place::Key, _) => faults.push(PlaceholderFault::InKey { path }),
                (Place::Value, Some(_)) if !self.covers(&steps) => {
                    faults.push(PlaceholderFault::NotAllowed { path });
                }
                (Place::Value, None) => faults.push(PlaceholderFault::Malformed { path }),
                (Place::Value, Some(secret)) => {
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

    pub(crate) fn refuse(&self, faults: Vec<PlaceholderFault>) -> SecretError {
        SecretError::Placeholders {
            faults,
            allowed: self.paths.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    /// Whether a declared path leads here or to something above.
    pub(super) fn covers(&self, steps: &[Step]) -> bool {
        self.paths.iter().any(|(_, declared)| {
            declared.len() <= steps.len()
                && declared.iter().zip(steps).all(|pair| match pair {
                    (Declared::Key(declared), Step::Key(key)) => declared == key,
                    (Declared::EveryItem, Step::Index(_)) => true,
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

fn parse(path: &str) -> Option<Vec<Declared>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let name = part.trim_end_matches("[]");
        if name.is_empty()
            || name.contains(['[', ']', '"', '<', '>'])
            || name.contains(char::is_control)
        {
            return None;
        }
        steps.push(Declared::Key(name.to_owned()));
        steps.extend((0..(part.len() - name.len()) / 2).map(|_| Declared::EveryItem));
    }
    Some(steps)
}
