//! The decisions of a reviewer, and the errors of asking one.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// A reviewer's decision.
///
/// As data it is `{"decision": "continue"}`, `{"decision": "edit", "text": ...}`,
/// `{"decision": "refuse", "reason": ...}` or `{"decision": "exit_early", "timed_out": ...}`.
///
/// ```
/// use callpact::review::ReviewDecision;
///
/// let edit: ReviewDecision = serde_json::from_str(r#"{"decision": "edit", "text": "{}"}"#)?;
/// assert_eq!(edit, ReviewDecision::Edit("{}".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use = "the action may go on only if the decision says so"]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReviewDecision {
    /// Go on with the action as it was shown.
    Continue,
    /// Go on with this text in place of what was shown. The text has not been validated. If the edited call does
    /// more than the text says, the reviewer is asked about that call again.
    Edit(String),
    /// Do not make this call, and tell the model why. The run goes on.
    Refuse(String),
    /// Do not make this call, and end the run.
    ExitEarly {
        /// Whether nobody answered in time; false if somebody said no.
        timed_out: bool,
    },
}

impl ReviewDecision {
    /// A refusal by the reviewer, or by its stand-in.
    pub const REJECT: Self = Self::ExitEarly { timed_out: false };

    /// Whether the action may go on, edited or not.
    pub fn goes_on(&self) -> bool {
        matches!(self, Self::Continue | Self::Edit(_))
    }

    /// The decision in one word, as people read it after the call is decided.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Continue => "approved",
            Self::Edit(_) => "edited",
            Self::Refuse(_) => "refused",
            Self::ExitEarly { .. } => "rejected",
        }
    }
}

impl Serialize for ReviewDecision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Continue => json!({"decision": "continue"}),
            Self::Edit(text) => json!({"decision": "edit", "text": text}),
            Self::Refuse(reason) => json!({"decision": "refuse", "reason": reason}),
            Self::ExitEarly { timed_out } => {
                json!({"decision": "exit_early", "timed_out": timed_out})
            }
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ReviewDecision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        let decision = match map.remove("decision").as_ref().and_then(Value::as_str) {
            Some("continue") => Self::Continue,
            Some("edit") => match map.remove("text") {
                Some(Value::String(text)) => Self::Edit(text),
                None => return Err(D::Error::missing_field("text")),
                Some(_) => return Err(D::Error::custom("`text` must be a text")),
            },
            Some("refuse") => match map.remove("reason") {
                Some(Value::String(reason)) => Self::Refuse(reason),
                None => return Err(D::Error::missing_field("reason")),
                Some(_) => return Err(D::Error::custom("`reason` must be a text")),
            },
            Some("exit_early") => match map.remove("timed_out") {
                None => Self::REJECT,
                Some(Value::Bool(timed_out)) => Self::ExitEarly { timed_out },
                Some(_) => return Err(D::Error::custom("`timed_out` must be true or false")),
            },
            _ => {
                return Err(D::Error::custom(
                    "expected a `decision` of `continue`, `edit`, `refuse` or `exit_early`",
                ));
            }
        };
        // A decision with unread fields may mean more than was understood.
        if map.is_empty() {
            Ok(decision)
        } else {
            Err(D::Error::custom("unexpected field in a decision"))
        }
    }
}

/// The name of a unit enum, as serde writes it.
macro_rules! named {
    ($name:ident { $($variant:ident => $text:literal),* $(,)? }) => {
        impl $name {
            /// The name in snake case, as in the serialised form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// What to do when nobody answers in time.
///
/// ```
/// use std::time::Duration;
/// use callpact::{OnTimeout, ReviewRequest};
///
/// let request = ReviewRequest::new("Send the report")
///     .timeout(Duration::from_secs(60))
///     .on_timeout(OnTimeout::Fail);
/// assert_eq!(request.on_timeout, OnTimeout::Fail);
/// assert_eq!(OnTimeout::default(), OnTimeout::ExitEarly);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OnTimeout {
    /// Go on as if the reviewer had said so.
    Continue,
    /// Do not go on: [`ReviewDecision::ExitEarly`] with `timed_out` set.
    #[default]
    ExitEarly,
    /// An error, [`ReviewError::TimedOut`].
    Fail,
}

named!(OnTimeout { Continue => "continue", ExitEarly => "exit_early", Fail => "fail" });

/// When the reviewer is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReviewTiming {
    /// Before the work starts.
    BeforeExecution,
    /// In the middle of it, before one action.
    #[default]
    DuringExecution,
    /// When the output is there.
    AfterExecution,
}

named!(ReviewTiming {
    BeforeExecution => "before_execution",
    DuringExecution => "during_execution",
    AfterExecution => "after_execution",
});

/// Why a review gave no decision. None of these ever lets the action go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReviewError {
    /// Nobody answered in time and the request says [`OnTimeout::Fail`].
    TimedOut {
        /// How long the gate waited.
        after: Duration,
    },
    /// The handler does not act for the role that the request requires.
    RoleMismatch {
        /// The role that the request requires.
        required: String,
        /// The role that the handler acts for.
        acting: Option<String>,
    },
    /// The handler could not ask.
    Failed {
        /// What went wrong.
        message: String,
        /// The cause.
        source: Option<Box<dyn Error + Send + Sync>>,
    },
}

impl ReviewError {
    /// A failure of the handler with a message.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed {
            message: message.into(),
            source: None,
        }
    }

    /// A failure of the handler with a message and its cause.
    pub fn failed_with(
        message: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self::Failed {
            message: message.into(),
            source: Some(source.into()),
        }
    }
}

impl fmt::Display for ReviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut { after } if after.subsec_nanos() == 0 => {
                write!(f, "Review gate timed out after {}s", after.as_secs())
            }
            Self::TimedOut { after } => {
                write!(f, "Review gate timed out after {}s", after.as_secs_f64())
            }
            Self::RoleMismatch {
                required,
                acting: Some(acting),
            } => {
                write!(
                    f,
                    "review requires the role {required:?}, the handler acts for {acting:?}"
                )
            }
            Self::RoleMismatch {
                required,
                acting: None,
            } => {
                write!(
                    f,
                    "review requires the role {required:?}, the handler acts for no role"
                )
            }
            Self::Failed { message, .. } => write!(f, "review failed: {message}"),
        }
    }
}

impl Error for ReviewError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Failed {
                source: Some(source),
                ..
            } => Some(source.as_ref()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_survive_the_journey() {
        for decision in [
            ReviewDecision::Continue,
            ReviewDecision::Edit(String::new()),
            ReviewDecision::Refuse("too late".into()),
            ReviewDecision::REJECT,
            ReviewDecision::ExitEarly { timed_out: true },
        ] {
            let text = serde_json::to_string(&decision).expect("a decision serialises");
            assert_eq!(
                serde_json::from_str::<ReviewDecision>(&text).expect("and reads back"),
                decision
            );
        }
    }

    #[test]
    fn only_continue_and_edit_go_on() {
        assert!(ReviewDecision::Continue.goes_on());
        assert!(ReviewDecision::Edit(String::new()).goes_on());
        assert!(!ReviewDecision::REJECT.goes_on());
        assert!(!ReviewDecision::Refuse(String::new()).goes_on());
        assert!(!ReviewDecision::ExitEarly { timed_out: true }.goes_on());
    }

    #[test]
    fn an_error_says_what_lies_behind_it() {
        let cause = std::io::Error::other("unplugged");
        let error = ReviewError::failed_with("no line", cause);
        assert_eq!(error.to_string(), "review failed: no line");
        assert_eq!(error.source().expect("the cause").to_string(), "unplugged");
        assert!(ReviewError::failed("no line").source().is_none());
        let error = ReviewError::RoleMismatch {
            required: "ops".into(),
            acting: Some("dev".into()),
        };
        assert_eq!(
            error.to_string(),
            r#"review requires the role "ops", the handler acts for "dev""#
        );
    }

    #[test]
    fn a_doubtful_decision_is_an_error() {
        for text in [
            "{}",
            r#"{"decision": "yes"}"#,
            r#"{"decision": "Continue"}"#,
            r#"{"decision": true}"#,
            r#"{"decision": "edit"}"#,
            r#"{"decision": "edit", "text": 1}"#,
            r#"{"decision": "refuse"}"#,
            r#"{"decision": "continue", "unless": "monday"}"#,
            r#"{"decision": "exit_early", "timed_out": "no"}"#,
            "null",
        ] {
            assert!(
                serde_json::from_str::<ReviewDecision>(text).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn the_timeout_text_counts_seconds() {
        let text = |after| ReviewError::TimedOut { after }.to_string();
        assert_eq!(
            text(Duration::from_secs(300)),
            "Review gate timed out after 300s"
        );
        assert_eq!(
            text(Duration::from_millis(250)),
            "Review gate timed out after 0.25s"
        );
        // More than a float can count.
        assert_eq!(
            text(Duration::from_secs((1 << 53) + 1)),
            "Review gate timed out after 9007199254740993s"
        );
    }
}
