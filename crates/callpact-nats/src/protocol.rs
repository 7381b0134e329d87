//! The messages between hosts and workers. Every message is JSON.
//!
//! ```text
//!   host                         server                              worker
//!    ├─ call ───────────────────▶ PREFIX.calls.TOOLSET.DIGEST ─────────▶ │
//!    │                            PREFIX-results: claimed ◀──────────────┤ claims, runs, holds its lease
//!    │ ◀────────────────────────────────────────────── progress ─────────┤
//!    │                            PREFIX-results: finished ◀─────────────┤ finishes by revision
//!    │ ◀────────────────────────────────────────────── done ─────────────┤
//!    ├─ stop ───────────────────▶ PREFIX.stop.TOOLSET.DIGEST ──────────▶ │
//! ```

use callpact::{
    Dialect, Permission, Toolset, adapter::CallRecord, digest::Digest, pins, tool::ToolHints,
};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, Error},
};

use crate::NatsError;

/// The most bytes of a message that is parsed. The server may allow less.
pub(crate) const MAX_BYTES: usize = 8 << 20;

/// The most tools of one list, and the most bytes of all its pages.
const MAX_TOOLS: usize = 100_000;
const MAX_LIST: usize = 64 << 20;

/// Reads a message or a record, unless it is too long.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    if bytes.len() > MAX_BYTES {
        let text = format!("{} bytes, and {MAX_BYTES} are the most", bytes.len());
        return Err(serde_json::Error::custom(text));
    }
    serde_json::from_slice(bytes)
}

/// A call on its way to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CallMessage {
    /// The name of its record. Under this key a call is published, claimed and finished once.
    pub(crate) key: String,
    /// The id that the model gave the call.
    pub(crate) id: String,
    pub(crate) tool: String,
    /// The arguments that were read and approved, as JSON. Secrets are placeholders.
    pub(crate) arguments: String,
    /// The fingerprint of the tool as the host knows it.
    pub(crate) fingerprint: String,
    /// The digest of the approved call: the tool and the arguments.
    pub(crate) digest: String,
    /// The role of the agent that calls, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) caller: Option<String>,
    /// How long the run may take, in milliseconds.
    pub(crate) timeout: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<String>,
}

impl CallMessage {
    /// The digest of a call's effect: the tool with its parameters, and the arguments.
    pub(crate) fn digest_of(fingerprint: &str, arguments: &str) -> String {
        digest(&[fingerprint, arguments])
    }

    /// Whether the call is the one that the host approved.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.digest == Self::digest_of(&self.fingerprint, &self.arguments)
    }

    /// Reads a call. Its key becomes a part of subjects, so it must be a valid name.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let call: Self = parse(bytes).ok()?;
        is_name(&call.key).then_some(call)
    }
}

/// The state of a call, in its record.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkerRecord {
    /// The digest of the call, so that a key cannot be used for another call.
    pub(crate) digest: String,
    #[serde(flatten)]
    pub(crate) state: RecordState,
}

/// The state of a call that was claimed or withdrawn.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum RecordState {
    /// A worker runs it.
    Claimed(CallDelivery),
    /// The host withdrew it before any worker claimed it. It never runs.
    Withdrawn {
        /// The host's call.
        by: String,
    },
    /// The call has its result.
    Finished {
        /// The delivery that finished it.
        by: CallDelivery,
        /// The result.
        result: CallRecord,
    },
}

/// One delivery of a call to a worker. The server counts the deliveries of a message: a later one means
/// that the lease of the earlier one has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CallDelivery {
    pub(crate) worker: String,
    /// The sequence number of the message in the stream.
    pub(crate) message: u64,
    pub(crate) count: i64,
}

/// A message from a worker to the host about a call.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WorkerNote {
    Progress {
        done: f64,
        total: Option<f64>,
        message: Option<String>,
    },
    Done(CallRecord),
}

/// A page of a list of tools. Pages are counted from zero.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ToolPage {
    pub(crate) pages: usize,
    pub(crate) tools: Vec<WorkerTool>,
}

/// A tool as a worker lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct WorkerTool {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The schema as text, so that its keys keep their order, in which a model reads them.
    pub(crate) parameters: String,
    /// The schema of the structured output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<String>,
    pub(crate) permission: Permission,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) idempotent: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) open_world: Option<bool>,
    /// Whether a person decides about every call, whatever the mode of the host.
    #[serde(default)]
    pub(crate) asks: bool,
    /// The role for which that person must act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) required_role: Option<String>,
    /// The parameters that take secrets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<String>,
}

impl WorkerTool {
    /// The tools of a list, in its order.
    pub(crate) fn all(tools: &Toolset) -> Vec<Self> {
        let specs = tools.spec_list(Dialect::Mcp20260728).into_iter();
        specs
            .map(|spec| Self {
                asks: tools.requires_approval(&spec.name),
                required_role: tools.required_role(&spec.name).map(str::to_owned),
                secrets: tools
                    .secret_params(&spec.name)
                    .iter()
                    .map(|path| (*path).to_owned())
                    .collect(),
                name: spec.name,
                description: spec.description,
                parameters: spec.parameters,
                output: spec.output,
                permission: spec.permission,
                title: spec.hints.title.map(Into::into),
                idempotent: spec.hints.idempotent,
                open_world: spec.hints.open_world,
            })
            .collect()
    }

    pub(crate) fn hints(&self) -> ToolHints {
        let mut hints = ToolHints::new();
        hints.title = self.title.clone().map(Into::into);
        hints.idempotent = self.idempotent;
        hints.open_world = self.open_world;
        hints
    }

    /// Whether a call may run again when nobody knows whether it ran.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.permission == Permission::ReadOnly || self.idempotent == Some(true)
    }

    pub(crate) fn fingerprint(&self) -> String {
        // Names, texts and JSON values can always be written.
        pins::fingerprint(&serde_json::to_value(self).unwrap_or_default())
    }
}

/// Checks that every host can take a list.
pub(crate) fn check_list(tools: usize, bytes: usize) -> Result<(), NatsError> {
    if tools <= MAX_TOOLS && bytes <= MAX_LIST {
        return Ok(());
    }
    Err(NatsError::Server(format!(
        "a list of {tools} tools with {bytes} bytes; {MAX_TOOLS} tools and {MAX_LIST} bytes are the most"
    )))
}

/// The subject for the progress and the result of a call.
pub(crate) fn reply_subject(prefix: &str, key: &str) -> String {
    format!("{prefix}.reply.{key}")
}

/// The digest of a list of tools. Workers with the same list find each other by it.
pub(crate) fn list_digest<'a>(fingerprints: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = fingerprints.collect();
    let mut digest = digest(&all);
    digest.truncate(32);
    digest
}

/// SHA-256 over several texts, each with its length before it, as hexadecimal text.
pub(crate) fn digest(texts: &[&str]) -> String {
    let mut digest = Digest::new();
    for text in texts {
        digest.add(text);
    }
    digest.finish()
}

/// Whether a text is a key or an id. Both become parts of subjects.
pub(crate) fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A unique id.
pub(crate) fn new_id() -> String {
    nuid::next().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_list_in_tools_and_bytes() {
        assert!(check_list(100_000, 64 << 20).is_ok());
        assert!(check_list(100_001, 0).is_err() && check_list(1, (64 << 20) + 1).is_err());
    }
}
