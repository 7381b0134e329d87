//! The errors of secrets in a call. No text here ever holds a secret's value.

use std::error::Error;
use std::fmt;

use super::{MAX_SECRET_BYTES, MAX_SECRETS, MAX_TOTAL_BYTES, MIN_SECRET_CHARS};

/// How many faults are written out in one message.
const MAX_FAULTS: usize = 20;

/// One placeholder in a place where it is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlaceholderFault {
    /// It stands in a parameter that does not take secrets.
    NotAllowed {
        /// The parameter.
        path: String,
    },
    /// It stands in the key of an object.
    InKey {
        /// The object.
        path: String,
    },
    /// It was sent as JSON inside a string, where a value could add its own keys.
    InText {
        /// The parameter that was sent so.
        path: String,
    },
    /// It is malformed.
    Malformed {
        /// Where it stands.
        path: String,
    },
}

impl fmt::Display for PlaceholderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |path: &str| {
            if path.is_empty() {
                "the input".to_owned()
            } else {
                format!("`{path}`")
            }
        };
        match self {
            Self::NotAllowed { path } => {
                write!(
                    f,
                    "secret placeholder appears in {}, which does not take secrets",
                    place(path)
                )
            }
            Self::InKey { path } => {
                write!(
                    f,
                    "secret placeholder appears in a key of {}, keys do not take secrets",
                    place(path)
                )
            }
            Self::InText { path } => write!(
                f,
                "secret placeholder in a call in which {} is JSON inside of a string, send it as the JSON itself",
                place(path)
            ),
            Self::Malformed { path } => write!(
                f,
                "malformed secret placeholder in {}, expected `<secret_ref:NAME>` with a NAME of letters, \
                 digits and `_`",
                place(path)
            ),
        }
    }
}

/// Why a call cannot have its secrets. `Display` is fit for the model: it names parameters and
/// secrets, never a value or the words of a resolver.
#[derive(Debug)]
#[non_exhaustive]
pub enum SecretError {
    /// Placeholders stand where they are not allowed.
    Placeholders {
        /// All of them, in the order of the text.
        faults: Vec<PlaceholderFault>,
        /// The parameters that do take secrets.
        allowed: Vec<String>,
    },
    /// The arguments are not JSON.
    NotJson,
    /// The arguments are nested too deeply to be searched.
    TooDeep,
    /// A name that no secret can have.
    InvalidName,
    /// There is no such secret.
    Missing {
        /// Its name.
        name: String,
    },
    /// The secret could not be fetched.
    Unavailable {
        /// Its name.
        name: String,
        /// The error of the resolver; for the program, not for the model.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The secret is too short to be redacted, see [`MIN_SECRET_CHARS`].
    TooShort {
        /// Its name.
        name: String,
    },
    /// The secret is longer than [`MAX_SECRET_BYTES`].
    TooLong {
        /// Its name.
        name: String,
    },
    /// There are more than [`MAX_SECRETS`] secrets, or together they exceed [`MAX_TOTAL_BYTES`].
    TooMany,
    /// The arguments would become too large with their secrets in place.
    TooLarge,
}

impl fmt::Display for SecretError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placeholders { faults, allowed } => {
                for fault in faults.iter().take(MAX_FAULTS) {
                    writeln!(f, "{fault}")?;
                }
                if let Some(more @ 1..) = faults.len().checked_sub(MAX_FAULTS) {
                    writeln!(f, "and {more} more")?;
                }
                match allowed.as_slice() {
                    [] => f.write_str("no parameter of this tool takes secrets"),
                    paths => write!(f, "secrets go in: `{}`", paths.join("`, `")),
                }
            }
            Self::NotJson => f.write_str("the arguments are not valid JSON"),
            Self::TooDeep => f.write_str("the arguments are nested too deeply"),
            Self::InvalidName => {
                f.write_str("the name of a secret has letters, digits and `_`, a letter first")
            }
            Self::Missing { name } => write!(f, "secret `{name}` does not exist"),
            Self::Unavailable { name, .. } => write!(f, "secret `{name}` is not available"),
            Self::TooShort { name } => {
                write!(
                    f,
                    "secret `{name}` is refused: it has fewer than {MIN_SECRET_CHARS} characters"
                )
            }
            Self::TooLong { name } => {
                write!(
                    f,
                    "secret `{name}` is refused: it has more than {MAX_SECRET_BYTES} bytes"
                )
            }
            Self::TooLarge => {
                f.write_str("the arguments are too large with their secrets in place")
            }
            Self::TooMany => write!(
                f,
                "too many secrets in one call: at most {MAX_SECRETS}, {MAX_TOTAL_BYTES} bytes together"
            ),
        }
    }
}

impl Error for SecretError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unavailable { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

/// A declared path that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretPathError(pub(super) String);

impl fmt::Display for SecretPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not a parameter path: expected names and `[]`, as in `headers[].value`",
            self.0
        )
    }
}

impl Error for SecretPathError {}
