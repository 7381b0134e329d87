//! The question to a reviewer.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CallFacts, OnTimeout, Preview, ReviewTiming};
use crate::digest::Digest;

/// One question to a reviewer.
///
/// A request is data: a program can store it and ask again in another process. It holds everything that
/// the reviewer has to see. [`action`](Self::action) is the complete text that will run, not a summary,
/// and [`digest`](Self::digest) covers that text, its [`changes`](Self::changes) and its
/// [`preview`](Self::preview).
///
/// ```
/// use std::time::Duration;
/// use callpact::review::{OnTimeout, ReviewRequest, ReviewTiming};
///
/// let request = ReviewRequest::new("Write the report to disk")
///     .tool("file_write")
///     .call_id("call-1")
///     .action(r#"{"path": "report.md", "text": "..."}"#)
///     .digest("9f86d081")
///     .timeout(Duration::from_secs(60))
///     .on_timeout(OnTimeout::Fail);
///
/// assert_eq!(request.timing, ReviewTiming::DuringExecution);
/// let stored = serde_json::to_string(&request)?;
/// assert_eq!(serde_json::from_str::<ReviewRequest>(&stored)?, request);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ReviewRequest {
    /// The work to approve, in words.
    pub description: String,
    /// The output under review; empty before there is one.
    pub output: String,
    /// When the question is asked.
    pub timing: ReviewTiming,
    /// How long to wait for an answer; `None` waits for ever.
    #[serde(
        rename = "timeout_ms",
        serialize_with = "write_timeout",
        deserialize_with = "read_timeout"
    )]
    pub timeout: Option<Duration>,
    /// What to do when the time is up.
    pub on_timeout: OnTimeout,
    /// A question to put to the reviewer.
    #[serde(deserialize_with = "read_present")]
    pub prompt: Option<String>,
    /// The role that the handler must act for. A handler of another role, or of none, is never asked.
    #[serde(deserialize_with = "read_present")]
    pub required_role: Option<String>,
    /// The name of the tool that would run.
    pub tool: String,
    /// The id of the call.
    pub call_id: String,
    /// The complete text of the action. Values of secret parameters are masked; an edit that keeps a mask keeps the
    /// value.
    pub action: String,
    /// The differences from the call that the model wrote: each fix and each default, in words.
    pub changes: Vec<String>,
    /// The tool's own preview of the action, such as a diff of the file that it writes.
    #[serde(deserialize_with = "read_present")]
    pub preview: Option<Preview>,
    /// The tool in its own words, who calls it, and which values the model did not write itself.
    pub facts: CallFacts,
    /// The address of a page where the person goes, for input that must not pass through this program, such
    /// as a password or the sign-in at a service. [`Continue`](super::ReviewDecision::Continue) then says
    /// that the person agreed to go there, and the asking tool finds out the result by itself.
    #[serde(deserialize_with = "read_present")]
    pub page: Option<String>,
    /// The digest of everything that the decision is bound to, as text.
    pub digest: String,
}

impl ReviewRequest {
    /// How long a request waits unless it says otherwise: five minutes.
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

    /// A request during execution that waits five minutes and then exits early.
    pub fn new(description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            output: String::new(),
            timing: ReviewTiming::default(),
            timeout: Some(Self::DEFAULT_TIMEOUT),
            on_timeout: OnTimeout::default(),
            prompt: None,
            required_role: None,
            tool: String::new(),
            call_id: String::new(),
            action: String::new(),
            changes: Vec::new(),
            preview: None,
            facts: CallFacts::default(),
            page: None,
            digest: String::new(),
        }
    }

    /// Sets the output under review.
    pub fn output(mut self, output: impl Into<String>) -> Self {
        self.output = output.into();
        self
    }

    /// Sets when the question is asked.
    pub fn timing(mut self, timing: ReviewTiming) -> Self {
        self.timing = timing;
        self
    }

    /// Sets how long to wait. `None` waits for ever, and so does zero: a review without any time to
    /// answer would be no review.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into().filter(|timeout| !timeout.is_zero());
        self
    }

    /// Sets what to do when the time is up.
    pub fn on_timeout(mut self, on_timeout: OnTimeout) -> Self {
        self.on_timeout = on_timeout;
        self
    }

    /// Sets the question to put to the reviewer.
    pub fn prompt(mut self, prompt: impl Into<String>) -> Self {
        self.prompt = Some(prompt.into());
        self
    }

    /// Sets the role that the handler must act for. Nobody acts for a blank role.
    pub fn required_role(mut self, role: impl Into<String>) -> Self {
        self.required_role = Some(role.into());
        self
    }

    /// Sets the name of the tool that would run.
    pub fn tool(mut self, tool: impl Into<String>) -> Self {
        self.tool = tool.into();
        self
    }

    /// Sets the id of the call.
    pub fn call_id(mut self, call_id: impl Into<String>) -> Self {
        self.call_id = call_id.into();
        self
    }

    /// Sets the complete text of the action.
    pub fn action(mut self, action: impl Into<String>) -> Self {
        self.action = action.into();
        self
    }

    /// Sets the differences from the call that the model wrote.
    pub fn changes<S: Into<String>>(mut self, changes: impl IntoIterator<Item = S>) -> Self {
        self.changes = changes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the tool's own preview of the action.
    pub fn preview(mut self, preview: impl Into<Preview>) -> Self {
        self.preview = Some(preview.into());
        self
    }

    /// Sets what a person should know besides the text of the action.
    pub fn facts(mut self, facts: CallFacts) -> Self {
        self.facts = facts;
        self
    }

    /// Names the page where the person goes. It is an `https` address, or an `http` address of this machine,
    /// without a secret in it: everybody who sees the question sees the address.
    pub fn page(mut self, url: impl Into<String>) -> Self {
        self.page = Some(url.into());
        self
    }

    /// Sets the digest of everything that the decision is bound to.
    pub fn digest(mut self, digest: impl Into<String>) -> Self {
        self.digest = digest.into();
        self
    }
}

impl ReviewRequest {
    /// A digest of all texts of the request.
    pub(crate) fn text_digest(&self) -> String {
        let mut digest = Digest::new();
        let texts = [
            &self.description,
            &self.output,
            &self.tool,
            &self.call_id,
            &self.action,
        ];
        for text in texts.into_iter().chain(&self.changes) {
            digest.add(text);
        }
        let preview = self.preview.as_ref().map(Preview::bound_text);
        for text in [&self.prompt, &self.required_role, &preview, &self.page] {
            digest.add(if text.is_some() { "some" } else { "none" });
            digest.add(text.as_deref().unwrap_or_default());
        }
        digest.finish()
    }
}

#[allow(clippy::ref_option)] // serde passes it so
fn write_timeout<S: Serializer>(
    timeout: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // Rounded up, so that a short wait never becomes zero, which means no limit.
    let milliseconds = |wait: Duration| wait.as_nanos().div_ceil(1_000_000);
    let whole = timeout.map(|wait| u64::try_from(milliseconds(wait)).unwrap_or(u64::MAX));
    whole.serialize(serializer)
}

fn read_timeout<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let timeout = Option::deserialize(deserializer)?.map(Duration::from_millis);
    Ok(timeout.filter(|timeout| !timeout.is_zero()))
}

/// Reads a value that must be there, even if it is null: a stored request that lost a field is another request.
fn read_present<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_five_minutes_and_exit_early() {
        let request = ReviewRequest::new("work");
        assert_eq!(request.timeout, Some(Duration::from_secs(300)));
        assert_eq!(request.on_timeout, OnTimeout::ExitEarly);
        assert_eq!(request.timing, ReviewTiming::DuringExecution);
        assert_eq!(
            (
                request.output.as_str(),
                request.prompt,
                request.required_role
            ),
            ("", None, None)
        );
    }

    #[test]
    fn zero_and_none_wait_for_ever() {
        assert_eq!(ReviewRequest::new("work").timeout(None).timeout, None);
        assert_eq!(
            ReviewRequest::new("work").timeout(Duration::ZERO).timeout,
            None
        );
    }

    #[test]
    fn every_field_survives_the_journey() {
        let request = ReviewRequest::new("work")
            .output("out\u{202e}")
            .timing(ReviewTiming::AfterExecution)
            .timeout(Duration::from_millis(1500))
            .on_timeout(OnTimeout::Continue)
            .prompt("fine?")
            .required_role("ops")
            .tool("t")
            .call_id("c")
            .action("{}")
            .changes(["a: 5 by default"])
            .preview("nothing")
            .facts(CallFacts {
                title: Some("Work".to_owned()),
                ..CallFacts::default()
            })
            .page("https://example.com/pay")
            .digest("d");
        let text = serde_json::to_string(&request).expect("a request serialises");
        assert_eq!(
            serde_json::from_str::<ReviewRequest>(&text).expect("and reads back"),
            request
        );
        let short = ReviewRequest::new("work").timeout(Duration::from_nanos(1));
        let text = serde_json::to_string(&short).expect("a request serialises");
        assert!(text.contains(r#""timeout_ms":1,"#), "{text}");
    }

    #[test]
    fn rejects_damaged_request_and_names_field() {
        let whole = serde_json::to_value(ReviewRequest::new("work")).expect("a request serialises");
        let fields = whole.as_object().expect("an object").clone();
        for name in fields.keys() {
            let mut damaged = fields.clone();
            damaged.remove(name);
            let error = serde_json::from_value::<ReviewRequest>(damaged.into())
                .expect_err("one is missing");
            assert!(error.to_string().contains(name.as_str()), "{error}");
        }
        let mut more = fields;
        more.insert("approved".into(), true.into());
        assert!(serde_json::from_value::<ReviewRequest>(more.into()).is_err());
    }
}
