//! Why a server cannot be used.

use std::{fmt, io, time::Duration};

/// Why a server cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The address is not one that can be connected to.
    Address(String),
    /// The program of the server cannot be started.
    Start(io::Error),
    /// The server does not speak the protocol, or went away.
    Protocol(String),
    /// The server did not answer in time.
    TimedOut(Duration),
    /// The saved fingerprints cannot be read.
    Pins(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(why) => write!(f, "not an address of a server: {why}"),
            Self::Start(error) => write!(f, "the server cannot be started: {error}"),
            Self::Protocol(why) => f.write_str(why),
            Self::TimedOut(time) => write!(f, "no answer within {time:?}"),
            Self::Pins(why) => write!(f, "not a list of fingerprints: {why}"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            _ => None,
        }
    }
}

/// The text of an error that quotes a server, within bounds.
pub(super) fn quoted(error: &dyn fmt::Display) -> String {
    cut(&error.to_string(), 300)
}

/// The first characters of a text, none of which moves a terminal's cursor.
pub(super) fn cut(text: &str, most: usize) -> String {
    let clean = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    let mut out: String = text.chars().take(most).map(clean).collect();
    if out.len() < text.len() && text.chars().nth(most).is_some() {
        out.push('…');
    }
    out
}
