//! Why a server cannot be used.

use std::{error::Error, fmt, io, time::Duration};

use rmcp::{
    ServiceError, service::ClientInitializeError,
    transport::streamable_http_client::StreamableHttpError,
};

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

impl Error for ClientError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            _ => None,
        }
    }
}

/// Why there is no connection, without the names of types.
pub(super) fn unopened(error: &ClientInitializeError) -> String {
    use ClientInitializeError as E;
    match error {
        E::TransportError { error, .. } => format!("no connection to the server: {}", cause(error)),
        E::ConnectionClosed(_) => "the server ended before it answered".to_owned(),
        E::JsonRpcError(error) => format!("the server refused the connection: {}", error.message),
        // The second attempt is the one that most servers take.
        E::LegacyFallbackFailed { fallback, .. } => unopened(fallback),
        E::NoCompatibleProtocolVersion { .. } => {
            "the server speaks no revision of the protocol that is spoken here".to_owned()
        }
        _ => "the server does not speak the Model Context Protocol".to_owned(),
    }
}

/// Why a request failed, within bounds and without the names of types.
pub(super) fn went_wrong(error: &ServiceError) -> String {
    let text = match error {
        ServiceError::McpError(error) => error.message.to_string(),
        ServiceError::TransportSend(error) => format!("the connection broke: {}", cause(error)),
        ServiceError::TransportClosed => "the connection was closed".to_owned(),
        ServiceError::UnexpectedResponse => "it gave an answer that is none".to_owned(),
        other => other.to_string(),
    };
    cut(&text, 300)
}

/// What is at the bottom of an error.
fn cause(error: &(dyn Error + 'static)) -> String {
    let mut deepest = error;
    loop {
        // This one does not give its own cause as one.
        let hidden = match deepest.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::Client(error)) => Some(error as &(dyn Error + 'static)),
            Some(StreamableHttpError::UnexpectedServerResponse(text)) => {
                if text.starts_with("HTTP ") {
                    return format!("it answered {text}");
                }
                // What else there is has names of types in it.
                return "what it answers is no message of the protocol".to_owned();
            }
            Some(StreamableHttpError::UnexpectedContentType(_)) => {
                return "what it answers is neither JSON nor a stream of events".to_owned();
            }
            Some(StreamableHttpError::AuthRequired(_)) => {
                return "it wants to know who is there, by a token".to_owned();
            }
            Some(StreamableHttpError::InsufficientScope(_)) => {
                return "the token is not good for this".to_owned();
            }
            _ => None,
        };
        match hidden.or_else(|| deepest.source()) {
            Some(source) => deepest = source,
            None => return deepest.to_string(),
        }
    }
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

/// The first characters of a name, on one line.
pub(super) fn named(name: &str, most: usize) -> String {
    cut(name, most).replace('\n', " ")
}
