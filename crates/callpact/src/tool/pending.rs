//! A call that waits for a person, in a form that can be stored.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CallOrigin, Permission};
use crate::{
    review::{CallFacts, MarkKind, Preview, ReviewRequest, ReviewTiming},
    secret::Redactor,
};

/// A call that waits for a decision, which may come later and from another process.
///
/// If the context defers approval, a call ends as [`Halt::Pending`](super::Halt::Pending) with this
/// value. `Toolset::decide` takes it back, and refuses it if anything about it has changed.
///
/// ```
/// use callpact::{Halt, PermissionMode, ReviewDecision, ToolCall, ToolContext, Toolset, tool};
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
/// let cx = ToolContext::new().with_permissions(PermissionMode::Ask).with_deferred_approval();
/// let call = ToolCall::new("call-1", "delete", r#"{"name": "a.md"}"#);
/// let Err(Halt::Pending(pending)) = tools.call(&call, &cx).await else {
///     panic!("it waits for a person");
/// };
/// // Hours later, when somebody has looked at it:
/// assert_eq!(pending.arguments, r#"{"name": "a.md"}"#);
/// let reply = tools.decide(&pending, ReviewDecision::Continue, &cx).await?;
/// assert_eq!(reply.to_model(), "deleted a.md");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// The id of this question. A list uses only one decision about it, so that an answer delivered
    /// twice does not run the tool twice.
    pub id: String,
    /// The id that the model gave the call.
    pub call_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments that will run, with every fix and default written out. Secrets are placeholders.
    pub arguments: String,
    /// The arguments with masks in place of the values of secret parameters, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub masked: Option<String>,
    /// The differences from the arguments that the model wrote: each fix and each default, in
    /// words.
    #[serde(default)]
    pub changes: Vec<String>,
    /// The tool's own preview of the call, if it has one.
    #[serde(default)]
    pub preview: Option<Preview>,
    /// What a person wrote in place of the arguments, if this is an edited call. Then `changes` holds the changes to
    /// that text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
    /// The tool in its own words, who calls it, and which values the model did not write itself.
    #[serde(default)]
    pub facts: CallFacts,
    /// The permission of the tool.
    pub permission: Permission,
    /// The role that the reviewer must act for.
    #[serde(default)]
    pub required_role: Option<String>,
    /// The [workspace](super::ToolContext::with_workspace) in which the call was made. The call resumes in no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// What the provider said of the call beside its arguments.
    #[serde(default, skip_serializing_if = "CallOrigin::is_plain")]
    pub origin: CallOrigin,
    /// The digest that the decision is bound to. It covers the tool, its permission, its schema, and everything that the
    /// reviewer sees.
    pub digest: String,
}

impl PendingCall {
    /// Removes the values of the call's secret parameters from other texts, such as its reply to whoever decided.
    /// Values of fewer than six characters are in too many words to be removed.
    pub fn redactor(&self) -> Redactor {
        let marks = self.facts.marks.iter();
        let secrets = marks.filter(|mark| mark.kind == MarkKind::Secret);
        let arguments: Value = serde_json::from_str(&self.arguments).unwrap_or_default();
        let values: Vec<String> = secrets
            .filter_map(|mark| arguments.pointer(&mark.place))
            .map(|value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            })
            .collect();
        Redactor::of_parameters(values.iter().map(String::as_str))
    }

    /// Makes the question for a reviewer. [`run_review`](crate::review::run_review) asks it and enforces
    /// the role.
    pub fn request(&self) -> ReviewRequest {
        let place = self.workspace.as_deref();
        self.request_at(&place.map_or_else(String::new, |place| format!(" in {place}")))
    }

    /// Makes the question, with these words for the place of the call.
    pub(crate) fn request_at(&self, place: &str) -> ReviewRequest {
        let request = ReviewRequest::new(self.describe(place))
            .timing(ReviewTiming::BeforeExecution)
            .tool(&self.tool)
            .call_id(&self.call_id)
            .action(self.shown())
            .changes(self.changes.iter().cloned())
            .digest(&self.digest);
        ReviewRequest {
            required_role: self.required_role.clone(),
            preview: self.preview.clone(),
            facts: self.facts.clone(),
            ..request
        }
    }

    /// The arguments as a person or a log sees them.
    pub fn shown(&self) -> &str {
        self.masked.as_deref().unwrap_or(&self.arguments)
    }

    /// What is in the digest beside the arguments and their changes, each with a name.
    pub(crate) fn bound(&self) -> [(&'static str, Option<String>); 6] {
        // The marks follow from the changes and the edit.
        let facts = CallFacts {
            marks: Vec::new(),
            ..self.facts.clone()
        };
        // Facts consist of texts and numbers.
        let facts = serde_json::to_string(&facts).ok();
        [
            ("preview", self.preview.as_ref().map(Preview::bound_text)),
            ("edited", self.edited.clone()),
            ("workspace", self.workspace.clone()),
            ("origin", self.origin.to_text()),
            ("masked", self.masked.clone()),
            ("facts", facts),
        ]
    }

    /// The subject of the question, in one line.
    fn describe(&self, place: &str) -> String {
        let edit = self
            .edited
            .as_ref()
            .map_or("", |_| ", as a person edited it");
        let origin = self.origin.describe();
        format!("Call {}{origin}{place}{edit}", self.tool)
    }
}
