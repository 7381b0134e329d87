//! One tool on the bench: a list with it alone, a context, and calls in one line.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use callpact::review::{ReviewDecision, ReviewRequest, review_fn};
use callpact::{AgentTool, Halt, ToolCall, ToolContext, ToolReply, Toolset};
use serde_json::Value;

pub(crate) fn set(tool: impl AgentTool + 'static) -> Toolset {
    Toolset::builder().tool(tool).build().unwrap()
}

pub(crate) async fn reply(
    tools: &Toolset,
    name: &str,
    arguments: Value,
    cx: &ToolContext,
) -> Result<ToolReply, Halt> {
    let call = ToolCall::new("call-1", name, arguments.to_string());
    tools.call(&call, cx).await
}

/// The text for the model, in an empty context.
pub(crate) async fn said(tools: &Toolset, name: &str, arguments: Value) -> String {
    said_in(tools, name, arguments, &ToolContext::new()).await
}

pub(crate) async fn said_in(
    tools: &Toolset,
    name: &str,
    arguments: Value,
    cx: &ToolContext,
) -> String {
    let reply = reply(tools, name, arguments, cx).await.unwrap();
    reply.to_model().into_owned()
}

/// The text for the model about a call that a person edited.
pub(crate) fn told(said: &str, edit: &str) -> String {
    format!("{said}\n\nNote: a person edited this call to: {edit}")
}

/// The questions to the reviewer of a context.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<Mutex<Vec<ReviewRequest>>>);

impl Asked {
    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    pub(crate) fn last(&self) -> ReviewRequest {
        self.0.lock().unwrap().last().cloned().unwrap()
    }

    pub(crate) fn push(&self, request: ReviewRequest) {
        self.0.lock().unwrap().push(request);
    }
}

/// A context whose reviewer always decides the same.
pub(crate) fn deciding(decision: ReviewDecision) -> (ToolContext, Asked) {
    let asked = Asked::default();
    let log = asked.clone();
    let reviewer = review_fn(move |request: ReviewRequest| {
        log.push(request);
        let decision = decision.clone();
        async move { Ok(decision) }
    });
    (ToolContext::new().with_reviewer(reviewer), asked)
}

/// A directory with a neighbour that nobody may reach.
pub(crate) struct Place {
    root: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("base")).unwrap();
        std::fs::create_dir(root.path().join("outside")).unwrap();
        std::fs::write(root.path().join("outside/secret.txt"), "TOPSECRET").unwrap();
        Self { root }
    }

    pub(crate) fn base(&self) -> PathBuf {
        self.root.path().join("base")
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.root.path().join("outside")
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.base().join(name), content).unwrap();
    }

    pub(crate) fn link(&self, name: &str, to: impl AsRef<Path>) {
        std::os::unix::fs::symlink(to, self.base().join(name)).unwrap();
    }

    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.base().join(name)).unwrap()
    }
}
