//! The errors of a client, in words.

use std::{error::Error, fmt, io, time::Duration};

pub(super) use callpact::pins::{cut, one_line};
use rmcp::{
    ServiceError, service::ClientInitializeError,
    transport::streamable_http_client::StreamableHttpError,
};

/// Why a server cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The address cannot be connected to.
    Address(String),
    /// The configuration has a fault.
    Config(String),
    /// The program of the server cannot be started.
    Start(io::Error),
    /// The server does not speak the protocol, or went away.
    Protocol(String),
    /// The server did not answer in time.
    TimedOut(Duration),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(why) => write!(f, "not an address of a server: {why}"),
            Self::Config(why) => write!(f, "the configuration: {why}"),
            Self::Start(error) => write!(f, "the server cannot be started: {error}"),
            Self::Protocol(why) => f.write_str(why),
            Self::TimedOut(time) => write!(f, "no answer within {time:?}"),
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

/// Says why there is no connection, without the names of types.
pub(super) fn describe_open_failure(error: &ClientInitializeError) -> String {
    use ClientInitializeError as E;
    match error {
        E::TransportError { error, .. } => {
            format!("no connection to the server: {}", root_cause(error))
        }
        E::ConnectionClosed(_) => "the server ended before it answered".to_owned(),
        E::JsonRpcError(error) => format!("the server refused the connection: {}", error.message),
        // Most servers answer the second attempt, so its failure says more.
        E::LegacyFallbackFailed { fallback, .. } => describe_open_failure(fallback),
        E::NoCompatibleProtocolVersion { .. } => {
            "the server speaks no revision of the protocol that this client knows".to_owned()
        }
        _ => "the server does not speak the Model Context Protocol".to_owned(),
    }
}

/// Says why a request failed, in a bounded text without the names of types.
pub(super) fn describe_failure(error: &ServiceError) -> String {
    let text = match error {
        ServiceError::McpError(error) => error.message.to_string(),
        ServiceError::TransportSend(error) => {
            format!("the connection broke: {}", root_cause(error))
        }
        ServiceError::TransportClosed => "the connection was closed".to_owned(),
        ServiceError::UnexpectedResponse => {
            "it gave an answer that does not fit the request".to_owned()
        }
        other => other.to_string(),
    };
    cut(&text, 300)
}

/// The deepest source of an error, in words.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut deepest = error;
    loop {
        // This error does not return its cause from `source`.
        let hidden = match deepest.downcast_ref::<StreamableHttpError<reqwest::Error>>() {
            Some(StreamableHttpError::Client(error)) => Some(error as &(dyn Error + 'static)),
            Some(StreamableHttpError::UnexpectedServerResponse(text)) => {
                if text.starts_with("HTTP ") {
                    return format!("it answered {text}");
                }
                // The other texts contain the names of types.
                return "its answer is not a message of the protocol".to_owned();
            }
            Some(StreamableHttpError::UnexpectedContentType(_)) => {
                return "its answer is neither JSON nor a stream of events".to_owned();
            }
            Some(StreamableHttpError::AuthRequired(_)) => {
                return "it requires a token".to_owned();
            }
            Some(StreamableHttpError::InsufficientScope(_)) => {
                return "the token does not allow this".to_owned();
            }
            _ => None,
        };
        match hidden.or_else(|| deepest.source()) {
            Some(source) => deepest = source,
            None => return deepest.to_string(),
        }
    }
}
