//! One tool in a list, with the settings of the list for it.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{decision_ids::UsedDecisions, layer::CallLayer};
use crate::{
    adapter::{LoweredSpecs, LoweredTool},
    digest::Digest,
    schema::Dialect,
    secret::SecretPaths,
    tool::{ErasedTool, PendingCall},
};

#[derive(Clone)]
pub(crate) struct ToolEntry {
    /// The name in the list.
    pub(crate) name: Arc<str>,
    pub(crate) tool: Arc<dyn ErasedTool>,
    pub(crate) approval: ApprovalNeed,
    pub(crate) timeout: Option<Duration>,
    pub(crate) secret_paths: SecretPaths,
    /// Code around the run, the innermost first.
    pub(crate) layers: Vec<Arc<dyn CallLayer>>,
    /// The decisions about waiting calls of this tool that were used. All lists that have the tool share it.
    pub(crate) used: Arc<UsedDecisions>,
    /// The common start of all digests about this tool, made when first needed.
    contract: Arc<OnceLock<Digest>>,
    /// The specifications. All lists that have the tool share them.
    lowered: Arc<LoweredSpecs>,
}

/// Whether a person decides about a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ApprovalNeed {
    /// The mode of the call and the permission of the tool decide.
    #[default]
    ByMode,
    /// A person always decides, and acts for this role if one is named.
    Required { role: Option<String> },
}

impl ToolEntry {
    pub(crate) fn new(tool: Arc<dyn ErasedTool>) -> Self {
        Self {
            name: tool.name().into(),
            secret_paths: match tool.passed_secrets() {
                Some(paths) => paths.clone(),
                // Typed tools are checked at compile time, others when the list is built.
                None => SecretPaths::new(tool.secret_params()).unwrap_or_default(),
            },
            tool,
            approval: ApprovalNeed::ByMode,
            layers: Vec::new(),
            timeout: None,
            used: Arc::default(),
            contract: Arc::default(),
            lowered: Arc::default(),
        }
    }

    /// The tool under its name in the list.
    pub(super) fn listed(&self) -> LoweredTool<'_> {
        LoweredTool {
            name: &self.name,
            tool: &*self.tool,
            lowered: &self.lowered,
        }
    }

    /// Demands a decision about every call. A role that was demanded stays demanded.
    pub(crate) fn require_approval(&mut self) {
        if self.approval == ApprovalNeed::ByMode {
            self.approval = ApprovalNeed::Required { role: None };
        }
    }

    /// Whether the tool's own question is enough. It is not if the list demands a role, which the tool
    /// does not know.
    pub(crate) fn asks_itself(&self) -> bool {
        !matches!(self.approval, ApprovalNeed::Required { role: Some(_) })
            && self.tool.asks_itself()
    }

    /// Gives the tool another name.
    pub(crate) fn named(&self, name: &str) -> Self {
        Self {
            name: name.into(),
            contract: Arc::default(),
            ..self.clone()
        }
    }

    /// Whether a waiting call is still the one that the question was about.
    pub(crate) fn is_unchanged(&self, pending: &PendingCall) -> bool {
        self.digest(pending) == pending.digest && self.tool.permission() == pending.permission
    }

    /// The digest to which a decision about a call is bound: the tool, its permission, and everything
    /// that the reviewer sees.
    pub(crate) fn digest(&self, pending: &PendingCall) -> String {
        let mut digest = *self.contract.get_or_init(|| {
            let mut digest = Digest::new();
            digest.add(&self.name);
            digest.add(self.tool.name());
            digest.add(&self.tool.parameters().to_json(Dialect::Mcp20260728));
            digest
        });
        // The permission of a tool can change while the program runs.
        digest.add(self.tool.permission().name());
        digest.add(&pending.arguments);
        // Without the count, a change could be taken for the next field.
        digest.add(&pending.changes.len().to_string());
        for change in &pending.changes {
            digest.add(change);
        }
        for (name, text) in pending.bound() {
            if let Some(text) = text {
                digest.add(name);
                digest.add(&text);
            }
        }
        digest.finish()
    }
}
