//! Reads the body of a request.

use std::{error::Error, fmt, time::Duration};

use bytes::Bytes;
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError, Limited};

/// How long a client may take to send the body of a request.
const TIME: Duration = Duration::from_secs(10);

/// Why the body of a request was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyFault {
    /// It has more bytes than allowed.
    TooLong,
    /// The client took more than ten seconds to send it.
    TooSlow,
    /// The client sent only a part of it.
    BrokenOff,
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "the body is too long",
            Self::TooSlow => "the body took too long",
            Self::BrokenOff => "the body broke off",
        })
    }
}

impl Error for BodyFault {}

/// Reads a body of at most so many bytes, for at most ten seconds.
///
/// # Errors
/// If the body is too long, too slow, or incomplete.
pub async fn read_body<B>(body: B, most: usize) -> Result<Bytes, BodyFault>
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    match tokio::time::timeout(TIME, Limited::new(body, most).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(BodyFault::TooLong),
        Ok(Err(_)) => Err(BodyFault::BrokenOff),
        Err(_) => Err(BodyFault::TooSlow),
    }
}
