//! Errors of a call, which the model sees, and halts, which only the program sees.

use std::{error::Error, fmt, io, sync::Arc, time::Duration};

use super::PendingCall;
use crate::{review::ReviewError, store::StoreError};

/// Stops the agent: the program sees it, the model does not.
///
/// ```
/// use callpact::{Halt, PermissionMode, ToolCall, ToolContext, Toolset, tool};
///
/// /// Deletes a report
/// #[tool(destructive)]
/// fn delete(name: String) -> String {
///     format!("deleted {name}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tools = Toolset::builder().tool(Delete).build()?;
/// // Somebody has to be asked, and nobody can be.
/// let cx = ToolContext::new().with_permissions(PermissionMode::Ask);
/// let call = ToolCall::new("call-1", "delete", r#"{"name": "a.md"}"#);
/// let halt = tools.call(&call, &cx).await.unwrap_err();
/// assert!(matches!(halt, Halt::Misconfigured(_)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Halt {
    /// A reviewer ended the run, or did not answer in time.
    ExitEarly {
        /// The call, in words.
        message: String,
        /// Whether nobody answered; false if somebody said no.
        timed_out: bool,
    },
    /// The program is set up wrongly, for example a required reviewer is missing.
    Misconfigured(String),
    /// The program cancelled the call.
    Cancelled,
    /// A review ended without a decision.
    ReviewFailed(String),
    /// A person has to decide, and the program wants to ask later.
    Pending(Box<PendingCall>),
    /// The call store failed before the tool ran.
    StoreFailed(String),
}

impl Halt {
    /// A run ended by a reviewer.
    pub fn exit_early(message: impl Into<String>) -> Self {
        Self::ExitEarly {
            message: message.into(),
            timed_out: false,
        }
    }

    /// A mistake in the setup of the program.
    pub fn misconfigured(message: impl Into<String>) -> Self {
        Self::Misconfigured(message.into())
    }

    /// The name in metrics and logs.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ExitEarly {
                timed_out: false, ..
            } => "exit_early",
            Self::ExitEarly {
                timed_out: true, ..
            } => "review_timed_out",
            Self::Misconfigured(_) => "misconfigured",
            Self::Cancelled => "cancelled",
            Self::ReviewFailed(_) => "review_failed",
            Self::Pending(_) => "pending",
            Self::StoreFailed(_) => "store_failed",
        }
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitEarly {
                message,
                timed_out: false,
            } => write!(f, "{message}"),
            Self::ExitEarly {
                message,
                timed_out: true,
            } => {
                write!(f, "{message} (no answer in time)")
            }
            Self::Misconfigured(message)
            | Self::ReviewFailed(message)
            | Self::StoreFailed(message) => f.write_str(message),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::Pending(pending) => {
                write!(f, "the call of `{}` waits for a decision", pending.tool)
            }
        }
    }
}

impl Error for Halt {}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::StoreFailed(error.to_string())
    }
}

impl From<ReviewError> for Halt {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::RoleMismatch { .. } => Self::Misconfigured(error.to_string()),
            other => Self::ReviewFailed(other.to_string()),
        }
    }
}

/// Why a tool did not do what it was asked to.
///
/// Every type that implements `Error`, `Send` and `Sync` converts into it with `?`; the model gets its text. A boxed
/// error converts with [`from_boxed`](Self::from_boxed). [`retry`](Self::retry) says that other arguments may work;
/// [`failed`](Self::failed) that they will not.
///
/// ```
/// use callpact::ToolError;
///
/// fn port(text: &str) -> Result<u16, ToolError> {
///     let port: u16 = text.parse()?;
///     if port == 0 {
///         return Err(ToolError::retry("port 0 is taken; choose another"));
///     }
///     Ok(port)
/// }
///
/// assert_eq!(port("x").unwrap_err().to_string(), "invalid digit found in string");
/// ```
pub struct ToolError(pub(super) ToolErrorKind);

pub(super) enum ToolErrorKind {
    Failed(String),
    Retry(String),
    Halt(Halt),
}

impl ToolError {
    /// Another try with the same meaning will not work.
    pub fn failed(message: impl Into<String>) -> Self {
        Self(ToolErrorKind::Failed(message.into()))
    }

    /// The model may try again, following the message.
    pub fn retry(message: impl Into<String>) -> Self {
        Self(ToolErrorKind::Retry(message.into()))
    }

    /// Converts a boxed error as `?` converts a plain one. A [`Halt`] in it stays a halt.
    ///
    /// ```
    /// use std::error::Error;
    /// use callpact::{Halt, ToolError};
    ///
    /// fn connect() -> Result<(), Box<dyn Error + Send + Sync>> {
    ///     Err(Halt::misconfigured("no database").into())
    /// }
    ///
    /// let error = connect().map_err(ToolError::from_boxed).unwrap_err();
    /// assert_eq!(error.halt(), Some(&Halt::misconfigured("no database")));
    /// ```
    #[allow(clippy::needless_pass_by_value)] // `map_err` passes it by value
    pub fn from_boxed(error: Box<dyn Error + Send + Sync>) -> Self {
        Self::of(&*error)
    }

    fn of(error: &(dyn Error + 'static)) -> Self {
        // A halt stays one, however deep it is wrapped.
        match halt_in(error) {
            Some(halt) => Self(ToolErrorKind::Halt(halt.clone())),
            None => Self(ToolErrorKind::Failed(error.to_string())),
        }
    }

    /// Whether the model may try again.
    pub fn is_retry(&self) -> bool {
        matches!(self.0, ToolErrorKind::Retry(_))
    }

    /// The halt inside, if it is one.
    pub fn halt(&self) -> Option<&Halt> {
        match &self.0 {
            ToolErrorKind::Halt(halt) => Some(halt),
            _ => None,
        }
    }
}

// Not `Error` itself, since then it could not convert from every error.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::of(&error)
    }
}

/// An error as a given type, boxed or not. The source of a box is not the error in it, but the
/// source of that.
fn shown_as<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let boxed = || error.downcast_ref::<Box<E>>().map(|error| &**error);
    let shared = || error.downcast_ref::<Arc<E>>().map(|error| &**error);
    error.downcast_ref().or_else(boxed).or_else(shared)
}

/// The halt that an error is or contains.
pub(crate) fn halt_in<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Halt> {
    let mut next = Some(error);
    // A chain of sources may be a loop.
    for _ in 0..64 {
        let error = next?;
        if let Some(halt) = shown_as(error) {
            return Some(halt);
        }
        // The source of an `io::Error` is not the error in it, but the source of that.
        let inside = shown_as::<io::Error>(error).and_then(io::Error::get_ref);
        next = match inside {
            Some(inside) => Some(inside),
            None => error.source(),
        };
    }
    None
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            ToolErrorKind::Failed(message) | ToolErrorKind::Retry(message) => f.write_str(message),
            ToolErrorKind::Halt(halt) => halt.fmt(f),
        }
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, text) = match &self.0 {
            ToolErrorKind::Failed(message) => ("failed", message.as_str()),
            ToolErrorKind::Retry(message) => ("retry", message.as_str()),
            ToolErrorKind::Halt(halt) => return f.debug_tuple("ToolError").field(halt).finish(),
        };
        write!(f, "ToolError::{name}({text:?})")
    }
}

/// A duration in seconds, in words.
pub(crate) fn seconds(time: Duration) -> String {
    if time.subsec_nanos() == 0 {
        format!("{}s", time.as_secs())
    } else {
        format!("{}ms", time.as_millis())
    }
}
