//! An approval inside of a tool: one call that asks, follows an edit, and looks again before the tool goes on.

use std::{future::IntoFuture, mem};

use serde::Serialize;
use serde_json::Value;

use super::{Halt, ToolContext, ToolError};
use crate::{
    ToolInput,
    crash::{BoxFuture, caught},
    input::{read_str, read_value},
    review::{
        EDITS, IntoPreview, PREVIEW_CHANGED, PREVIEW_CRASHED, Preview, ReviewDecision, has_hidden,
    },
    secret::placeholders,
};

/// A question about an action of a tool. It is asked when it is awaited.
#[must_use = "nobody is asked before this is awaited"]
pub struct Approval<'a, T> {
    cx: &'a ToolContext,
    what: String,
    input: T,
    refused: Option<String>,
    preview: Option<Box<PreviewFn<'a, T>>>,
    check: Option<Box<CheckFn<'a, T>>>,
}

type PreviewFn<'a, T> = dyn Fn(&T) -> Option<Preview> + Send + Sync + 'a;
type CheckFn<'a, T> = dyn Fn(&T) -> Result<(), String> + Send + Sync + 'a;

impl ToolContext {
    /// Asks the reviewer about an action of this tool, and returns its input once a person has allowed it.
    ///
    /// The reviewer sees `what`, the input, and the [`preview`](Approval::preview) if there is one, and may edit the
    /// input. A text is shown and edited as it is; another value as JSON. An edit is read and checked like the
    /// arguments of a model, and is asked about again if it does more than its text shows. After the yes the preview
    /// is made again; if it differs, the action does not go on.
    ///
    /// A tool that asks about every call also returns `true` from
    /// [`asks_itself`](crate::TypedAgentTool::asks_itself), so that the list does not ask as well.
    ///
    /// ```
    /// use callpact::{ReviewDecision, ToolCall, ToolContext, ToolError, Toolset, review, tool};
    ///
    /// /// Deploys a version
    /// #[tool(destructive, asks_itself)]
    /// async fn deploy(version: String, cx: &ToolContext) -> Result<String, ToolError> {
    ///     let version = cx
    ///         .approved("Deploy", version)
    ///         .preview(|version| format!("12 machines go to {version}"))
    ///         .await?;
    ///     Ok(format!("deployed {version}"))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tools = Toolset::single(Deploy)?;
    /// let call = ToolCall::new("1", "deploy", r#"{"version": "1.2"}"#);
    /// let person = review::review_fn(|request| async move {
    ///     assert_eq!((&*request.description, &*request.action), ("Deploy", "1.2"));
    ///     assert_eq!(request.preview.as_deref(), Some("12 machines go to 1.2"));
    ///     Ok(ReviewDecision::Continue)
    /// });
    /// let reply = tools.call(&call, &ToolContext::new().with_reviewer(person)).await?;
    /// assert_eq!(reply.to_model(), "deployed 1.2");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Awaited, it fails if a person says no, if the edit does not fit, or if the preview has changed. Without a
    /// reviewer, which is a mistake of the program, and after a review without a decision, the error is a [`Halt`].
    pub fn approved<T>(&self, what: impl Into<String>, input: T) -> Approval<'_, T>
    where
        T: ToolInput + Serialize + Send,
    {
        Approval {
            cx: self,
            what: what.into(),
            input,
            refused: None,
            preview: None,
            check: None,
        }
    }
}

impl<'a, T: ToolInput + Serialize + Send + 'a> Approval<'a, T> {
    /// Shows what the action does, as a text or as data, or as an option of them. The function must not do it, and it must
    /// return the same text again unless the effect has changed.
    pub fn preview<P: IntoPreview>(mut self, preview: impl Fn(&T) -> P + Send + Sync + 'a) -> Self {
        self.preview = Some(Box::new(move |input| preview(input).into_preview()));
        self
    }

    /// Checks what a person wrote in place of the input. The reason of a refusal is the reply to the model.
    pub fn check(mut self, check: impl Fn(&T) -> Result<(), String> + Send + Sync + 'a) -> Self {
        self.check = Some(Box::new(check));
        self
    }

    /// Sets the words for the model after a no.
    pub fn refused(mut self, words: impl Into<String>) -> Self {
        self.refused = Some(words.into());
        self
    }

    async fn ask(mut self) -> Result<T, ToolError> {
        let cx = self.cx;
        cx.needs_reviewer()?;
        let mut what = mem::take(&mut self.what);
        let refused = self.refused.take();
        let refused = refused.unwrap_or_else(|| format!("{what}: rejected by the reviewer"));
        let mut is_edited = false;
        for _ in 0..EDITS {
            let preview = self.show()?;
            let action = show_input(&self.input);
            let mut request = cx.review_request(&what).action(&action);
            request.preview.clone_from(&preview);
            match cx.ask(request, !is_edited).await? {
                ReviewDecision::Continue => return self.unchanged_since(preview.as_deref()),
                ReviewDecision::Edit(text) if text == cx.without_secrets(&action) => {
                    return self.unchanged_since(preview.as_deref());
                }
                ReviewDecision::Edit(text) => {
                    self.input = self.read(&text)?;
                    // Only the text can be all there is to see, so the person has seen it.
                    let shown = cx.without_secrets(&show_input(&self.input)).into_owned();
                    let shows_more = self
                        .show()?
                        .is_some_and(|preview| cx.without_secrets(&preview) != text);
                    if shown == text && !shows_more && !has_hidden(&text) {
                        return Ok(self.input);
                    }
                    if !mem::replace(&mut is_edited, true) {
                        what.push_str(", as a person edited it");
                    }
                }
                ReviewDecision::Refuse(reason) if !reason.trim().is_empty() => {
                    let reason = reason.trim();
                    return Err(ToolError::failed(format!("{refused}: {reason}")));
                }
                _ => break,
            }
        }
        Err(ToolError::failed(refused))
    }

    fn show(&self) -> Result<Option<Preview>, ToolError> {
        let Some(preview) = &self.preview else {
            return Ok(None);
        };
        caught(|| preview(&self.input)).ok_or_else(|| ToolError::failed(PREVIEW_CRASHED))
    }

    /// The approved input, if its effect is still the one that the person saw.
    fn unchanged_since(self, shown: Option<&str>) -> Result<T, ToolError> {
        if self.show()?.as_deref() == shown {
            Ok(self.input)
        } else {
            Err(ToolError::failed(PREVIEW_CHANGED))
        }
    }

    /// Reads what a person wrote in place of the input.
    fn read(&self, text: &str) -> Result<T, ToolError> {
        let (cx, policy) = (self.cx, self.cx.policy().of_call());
        let read = if matches!(serde_json::to_value(&self.input), Ok(Value::String(_))) {
            let mut value = Value::String(text.to_owned());
            restore_secrets(&mut value, cx)?;
            read_value::<T>(&value, &policy)
        } else if placeholders(text).next().is_none() {
            read_str::<T>(text, &policy)
        } else {
            // The values of secrets are put into the strings, so that none of them is read as JSON.
            let mut value: Value = serde_json::from_str(text)?;
            restore_secrets(&mut value, cx)?;
            read_value::<T>(&value, &policy)
        };
        let input = read.map_err(|report| ToolError::failed(report.to_string()))?;
        if let Some(check) = &self.check {
            check(&input.value).map_err(ToolError::failed)?;
        }
        Ok(input.value)
    }
}

impl<'a, T: ToolInput + Serialize + Send + 'a> IntoFuture for Approval<'a, T> {
    type Output = Result<T, ToolError>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}

/// The input as a person reads and edits it.
fn show_input<T: Serialize>(input: &T) -> String {
    match serde_json::to_value(input) {
        Ok(Value::String(text)) => text,
        _ => serde_json::to_string(input).unwrap_or_default(),
    }
}

/// Replaces placeholders in all strings by the secrets of the call.
fn restore_secrets(value: &mut Value, cx: &ToolContext) -> Result<(), Halt> {
    match value {
        Value::String(text) if placeholders(text).next().is_some() => {
            *text = cx.run_state().restore_text(text)?;
            Ok(())
        }
        Value::Array(items) => items
            .iter_mut()
            .try_for_each(|item| restore_secrets(item, cx)),
        Value::Object(fields) => fields
            .values_mut()
            .try_for_each(|field| restore_secrets(field, cx)),
        _ => Ok(()),
    }
}
