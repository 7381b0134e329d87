//! One tool in a list, with what the list says of it.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use hmac_sha256::Hash as Sha256;

use super::once::Decided;
use crate::{schema::Dialect, secret::SecretPaths, tool::ErasedTool};

#[derive(Clone)]
pub(crate) struct Entry {
    /// The name in the list.
    pub(crate) name: Arc<str>,
    pub(crate) tool: Arc<dyn ErasedTool>,
    pub(crate) approval: Approval,
    pub(crate) timeout: Option<Duration>,
    pub(crate) secret_paths: SecretPaths,
    /// The waiting calls of this tool that were resumed, in whichever of the lists that have it.
    pub(super) decided: Arc<Decided>,
    /// The start of every digest about this tool, made when the first one is needed.
    contract: Arc<OnceLock<Sha256>>,
}

/// Whether a person is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Approval {
    /// As the mode of the call and the tool's permission say.
    #[default]
    ByMode,
    /// Always, by somebody of this role if one is named.
    Required { role: Option<String> },
}

impl Entry {
    pub(crate) fn new(tool: Arc<dyn ErasedTool>) -> Self {
        Self {
            name: tool.name().into(),
            // Typed tools are checked at compile time, others when the list is built.
            secret_paths: SecretPaths::new(tool.secret_params()).unwrap_or_default(),
            tool,
            approval: Approval::ByMode,
            timeout: None,
            decided: Arc::default(),
            contract: Arc::default(),
        }
    }

    /// Whether the tool's own question is the only one that is needed. A role that the list demands
    /// is not in the tool's question.
    pub(super) fn asks_itself(&self) -> bool {
        !matches!(self.approval, Approval::Required { role: Some(_) }) && self.tool.asks_itself()
    }

    /// The same tool under another name.
    pub(crate) fn named(&self, name: &str) -> Self {
        Self {
            name: name.into(),
            contract: Arc::default(),
            ..self.clone()
        }
    }

    /// What a decision about this tool and these arguments is bound to.
    pub(crate) fn digest(&self, arguments: &str) -> String {
        let contract = self.contract.get_or_init(|| {
            let mut hash = Sha256::new();
            for part in [
                &*self.name,
                self.tool.name(),
                &self.tool.parameters().to_json(Dialect::Mcp20260728),
            ] {
                framed(&mut hash, part);
            }
            hash
        });
        let mut hash = *contract;
        // Asked each time, for a tool whose reach depends on something.
        framed(&mut hash, self.tool.permission().name());
        framed(&mut hash, arguments);
        let mut out = String::with_capacity(64);
        for byte in hash.finalize() {
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
        out
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// With its length before it, so that no two sequences of parts run into the same bytes.
fn framed(hash: &mut Sha256, part: &str) {
    hash.update((part.len() as u64).to_be_bytes());
    hash.update(part.as_bytes());
}
