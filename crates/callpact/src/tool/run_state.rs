//! The state of one run of a tool: a decision that was made before it, the secrets in its input, and the
//! key under which it runs.

use std::sync::{Arc, Mutex};

use super::Halt;
use crate::{
    crash::lock,
    review::{Preview, ReviewDecision, ReviewRequest},
    secret::{Redactor, ResolvedSecrets, SecretPaths},
};

/// The decision, the secrets and the key of one run.
#[derive(Clone, Default)]
pub(crate) struct RunState {
    /// A decision about this call that was made before it ran. It answers the first question of the
    /// tool.
    decision: Option<Arc<Mutex<Option<ReviewDecision>>>>,
    secrets: Option<Arc<ResolvedSecrets>>,
    /// The idempotency key of this call.
    key: Option<Arc<str>>,
    /// The key of the call around this one.
    outer_key: Option<Arc<str>>,
    /// Whether this call, or one around it, is claimed in a store.
    pub(crate) claimed: bool,
    /// What a person wrote when the tool asked about this call.
    edit: Option<LastEdit>,
    /// The preview of this call, for a tool that asks by itself.
    preview: Option<Arc<OwnPreview>>,
}

/// Makes the preview of a call anew, from the arguments with placeholders.
pub(crate) type OwnPreview = dyn Fn() -> Option<Preview> + Send + Sync;

/// The last text that a person wrote in place of an action of the tool. Secrets are placeholders.
#[derive(Clone, Default)]
pub(crate) struct LastEdit(Arc<Mutex<Option<Box<str>>>>);

impl LastEdit {
    pub(crate) fn take(&self) -> Option<Box<str>> {
        lock(&self.0).take()
    }
}

impl RunState {
    pub(crate) fn new(
        decision: Option<ReviewDecision>,
        secrets: Option<&Arc<ResolvedSecrets>>,
        key: Option<Arc<str>>,
    ) -> Self {
        Self {
            decision: decision.map(|decision| Arc::new(Mutex::new(Some(decision)))),
            secrets: secrets.map(Arc::clone),
            key,
            ..Self::default()
        }
    }

    /// The state for a call that the tool makes: the secrets to hide, and no decision.
    pub(super) fn for_inner_call(&self) -> Self {
        Self {
            secrets: self.secrets.clone(),
            outer_key: self.key.clone().or_else(|| self.outer_key.clone()),
            claimed: self.claimed,
            ..Self::default()
        }
    }

    /// The state for a step of this call, whose effect has a key of its own.
    pub(super) fn for_step(&self, number: usize) -> Self {
        let key = self
            .key
            .as_ref()
            .map(|key| format!("{key}.{number}").into());
        Self {
            key,
            ..self.clone()
        }
    }

    /// Adds the secrets, the key and the claim of the call around this one.
    pub(super) fn inside_of(self, outer: &Self) -> Self {
        let secrets = match (self.secrets, &outer.secrets) {
            (Some(inner), Some(outer)) => Some(Arc::new(inner.and(outer))),
            (inner, outer) => inner.or_else(|| outer.clone()),
        };
        Self {
            secrets,
            outer_key: outer.outer_key.clone(),
            claimed: self.claimed || outer.claimed,
            ..self
        }
    }

    /// Keeps what a person writes when the tool asks.
    pub(crate) fn watch_edits(&mut self) -> LastEdit {
        self.edit.get_or_insert_default().clone()
    }

    /// Shows this preview with the questions of the tool.
    pub(crate) fn set_preview(&mut self, preview: Arc<OwnPreview>) {
        self.preview = Some(preview);
    }

    pub(super) fn preview(&self) -> Option<&OwnPreview> {
        self.preview.as_deref()
    }

    /// Keeps an edit for the reply. The secrets of the call are placeholders in the text.
    pub(super) fn note_edit(&self, decision: &ReviewDecision) {
        if let (Some(LastEdit(last)), ReviewDecision::Edit(text)) = (&self.edit, decision) {
            let mut text = text.clone();
            if let Some(redactor) = self.redactor() {
                redactor.clean(&mut text);
            }
            *lock(last) = Some(text.into());
        }
    }

    pub(crate) fn key(&self) -> Option<&Arc<str>> {
        self.key.as_ref()
    }

    pub(crate) fn outer_key(&self) -> Option<&str> {
        self.outer_key.as_deref()
    }

    pub(crate) fn has_decision(&self) -> bool {
        let slot = self.decision.as_ref();
        slot.is_some_and(|slot| lock(slot).is_some())
    }

    pub(super) fn take_decision(&self) -> Option<ReviewDecision> {
        lock(self.decision.as_ref()?).take()
    }

    pub(crate) fn redactor(&self) -> Option<Redactor> {
        self.secrets.as_ref().map(|secrets| secrets.redactor())
    }

    /// Replaces secrets in the request by placeholders, so that the reviewer sees no more than the
    /// model.
    pub(super) fn hide_secrets(&self, mut request: ReviewRequest) -> ReviewRequest {
        let Some(redactor) = self.redactor() else {
            return request;
        };
        let texts = [
            &mut request.description,
            &mut request.output,
            &mut request.action,
        ];
        for text in texts
            .into_iter()
            .chain(&mut request.prompt)
            .chain(&mut request.page)
            .chain(&mut request.changes)
        {
            redactor.clean(text);
        }
        let preview = request.preview.take();
        request.preview = preview.map(|preview| preview.redacted(&redactor));
        request
    }

    /// Puts the secrets back where an edit kept the placeholders.
    pub(super) fn restore_secrets(&self, decision: ReviewDecision) -> Result<ReviewDecision, Halt> {
        match decision {
            ReviewDecision::Edit(text) if self.secrets.is_some() => {
                Ok(ReviewDecision::Edit(self.restore_text(&text)?))
            }
            decision => Ok(decision),
        }
    }

    /// Replaces placeholders by the secrets of this call. No other secret can be named.
    pub(super) fn restore_text(&self, text: &str) -> Result<String, Halt> {
        let failed = |error: &dyn std::fmt::Display| {
            Halt::ReviewFailed(format!("the reviewer's text cannot be used: {error}"))
        };
        let Some(secrets) = &self.secrets else {
            return Err(failed(&"it names a secret that the call does not have"));
        };
        let paths = SecretPaths::new(["text"]).map_err(|error| failed(&error))?;
        let wrapped = serde_json::json!({ "text": text }).to_string();
        let real = secrets
            .substitute(&wrapped, &paths)
            .map_err(|error| failed(&error))?;
        let value: serde_json::Value =
            serde_json::from_str(real.expose()).map_err(|_| failed(&"it is not text"))?;
        match value.get("text").and_then(serde_json::Value::as_str) {
            Some(text) => Ok(text.to_owned()),
            None => Err(failed(&"it is not text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use crate::{
        AgentTool, Halt, Permission, PermissionMode, ReviewDecision, ToolCall, ToolContext,
        ToolResult, Toolset,
        review::{ReviewRequest, review_fn},
        secret::MemorySecrets,
    };

    /// Asks about its input, and returns how long the input was.
    struct Careful;

    impl AgentTool for Careful {
        fn name(&self) -> &'static str {
            "careful"
        }
        fn description(&self) -> &'static str {
            "asks"
        }
        fn permission(&self) -> Permission {
            Permission::Destructive
        }
        fn asks_itself(&self) -> bool {
            true
        }
        fn secret_params(&self) -> &'static [&'static str] {
            &["input"]
        }
        async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
            let request = ReviewRequest::new(format!("Do {input}")).action(input);
            match cx.require_review(request).await {
                Ok(ReviewDecision::Continue) => ToolResult::success(format!("{} did", input.len())),
                Ok(ReviewDecision::Edit(text)) => {
                    ToolResult::success(format!("{} edited {text}", text.len()))
                }
                Ok(ReviewDecision::Refuse(_) | ReviewDecision::ExitEarly { .. }) => {
                    ToolResult::failure("rejected")
                }
                Err(halt) => ToolResult::halt(halt),
            }
        }
    }

    fn call(input: &str) -> ToolCall {
        let arguments = serde_json::json!({ "input": input }).to_string();
        ToolCall::new("c", "careful", arguments)
    }

    /// A context whose reviewer always gives one decision, and the requests that the reviewer got.
    fn answering(decision: ReviewDecision) -> (ToolContext, Arc<Mutex<Vec<ReviewRequest>>>) {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let reviewer = review_fn(move |request: ReviewRequest| {
            log.lock().unwrap().push(request);
            let decision = decision.clone();
            async move { Ok(decision) }
        });
        (ToolContext::new().with_reviewer(reviewer), asked)
    }

    fn tools() -> Toolset {
        Toolset::builder().tool(Careful).build().unwrap()
    }

    #[tokio::test]
    async fn self_asking_tool_is_reviewed_once() {
        for mode in [
            None,
            Some(PermissionMode::Ask),
            Some(PermissionMode::AllowAll),
        ] {
            let (mut cx, asked) = answering(ReviewDecision::Edit("less".into()));
            if let Some(mode) = mode {
                cx = cx.with_permissions(mode);
            }
            let reply = tools().call(&call("much"), &cx).await.unwrap();
            assert_eq!(reply.result.output(), "4 edited less", "{mode:?}");
            assert_eq!(asked.lock().unwrap().len(), 1, "{mode:?}");
        }
        let halt = tools()
            .call(&call("much"), &ToolContext::new())
            .await
            .unwrap_err();
        assert!(matches!(halt, Halt::Misconfigured(_)), "{halt:?}");
        let (cx, asked) = answering(ReviewDecision::Continue);
        let denied = tools()
            .call(&call("much"), &cx.with_permissions(PermissionMode::Deny))
            .await;
        assert!(!denied.unwrap().is_success() && asked.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_reviewer_sees_placeholders_and_may_keep_them() {
        let secrets = MemorySecrets::new().with("token", "hunter2-hunter2");
        let edit = ReviewDecision::Edit("echo <secret_ref:token>".into());
        let (cx, asked) = answering(edit);
        let cx = cx.with_secrets(secrets);
        let reply = tools()
            .call(&call("use <secret_ref:token>"), &cx)
            .await
            .unwrap();
        assert_eq!(reply.result.output(), "20 edited echo <secret_ref:token>");
        let asked = asked.lock().unwrap();
        assert_eq!(asked[0].action, "use <secret_ref:token>");
        assert_eq!(asked[0].description, "Do use <secret_ref:token>");
    }

    #[tokio::test]
    async fn an_edit_cannot_reach_for_another_secret() {
        let secrets = MemorySecrets::new()
            .with("token", "hunter2-hunter2")
            .with("other", "secret-2");
        let (cx, _) = answering(ReviewDecision::Edit("<secret_ref:other>".into()));
        let halt = tools()
            .call(&call("<secret_ref:token>"), &cx.with_secrets(secrets))
            .await;
        assert!(matches!(halt, Err(Halt::ReviewFailed(_))), "{halt:?}");
    }

    #[tokio::test]
    async fn a_deferred_decision_reaches_the_tool() {
        let cx = ToolContext::new().with_deferred_approval();
        let Err(Halt::Pending(pending)) = tools().call(&call("much"), &cx).await else {
            panic!("it waits");
        };
        // The edit applies to the arguments that were shown.
        let edit = ReviewDecision::Edit(r#"{"input": "lesser"}"#.into());
        let reply = tools().decide(&pending, edit, &cx).await.unwrap();
        assert_eq!(reply.result.output(), "6 did");
        let reply = tools()
            .decide(&pending, ReviewDecision::REJECT, &cx)
            .await
            .unwrap();
        assert_eq!(reply.to_model(), "Error: rejected");
    }

    /// Reports progress with its input in the message, and returns the input as an image.
    struct Talking;

    impl AgentTool for Talking {
        fn name(&self) -> &'static str {
            "careful"
        }
        fn description(&self) -> &'static str {
            "talks"
        }
        fn secret_params(&self) -> &'static [&'static str] {
            &["input"]
        }
        async fn execute(&self, input: &str, cx: &ToolContext) -> ToolResult {
            cx.progress(1, None, format!("using {input}"));
            ToolResult::success("done")
                .with_resource("file:///a", "text/plain", input)
                .with_image("image/png", input)
        }
    }

    #[tokio::test]
    async fn progress_and_blocks_are_redacted_like_the_text() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&heard);
        let cx = ToolContext::new()
            .with_secrets(MemorySecrets::new().with("token", "hunter2-hunter2"))
            .with_progress(move |_, _, message| {
                sink.lock().unwrap().push(message.map(str::to_owned));
            });
        let tools = Toolset::builder().tool(Talking).build().unwrap();
        let reply = tools.call(&call("<secret_ref:token>"), &cx).await.unwrap();
        let heard = heard.lock().unwrap();
        assert_eq!(*heard, [Some("using <secret_ref:token>".to_owned())]);
        assert_eq!(
            reply.to_model(),
            "done\n\n[resource file:///a, text/plain]\n<secret_ref:token>\n\n\
             [image image/png, 15 bytes: left out, a secret is in it]"
        );
    }
}
