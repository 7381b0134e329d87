//! Large results, which a client reads as resources.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use callpact::ToolReply;
use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock, ReadResourceResult, Resource, ResourceContents},
};

use super::request::new_id;

/// The most results that are kept.
const RESULTS: usize = 64;
/// The most bytes of all of them.
const BYTES: usize = 64 << 20;
/// What their addresses begin with.
const SCHEME: &str = "callpact://results/";
const TEXT: &str = "text/plain";

/// The results that were too large for a reply, the oldest first.
pub(super) struct LargeResults {
    /// The most characters of a reply.
    limit: usize,
    kept: Mutex<VecDeque<KeptResult>>,
}

struct KeptResult {
    uri: String,
    /// Only this caller may read it.
    caller: Option<String>,
    text: String,
}

impl LargeResults {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: Mutex::default(),
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Puts the beginning of a large text into the result, and keeps the whole for the caller.
    pub(super) fn shorten(
        &self,
        result: &mut CallToolResult,
        reply: &ToolReply,
        caller: Option<&str>,
    ) {
        let text = reply.result.output();
        let Some((end, _)) = text.char_indices().nth(self.limit) else {
            return;
        };
        if !reply.is_success() || text.len() > BYTES {
            return;
        }
        let uri = format!("{SCHEME}{}", new_id());
        let head = text.get(..end).unwrap_or_default();
        let words = format!(
            "{head}\n\n[The result goes on: {} characters in all. Read the resource {uri} for the whole.]",
            text.chars().count()
        );
        let link = Resource::new(&uri, format!("the result of {}", reply.tool))
            .with_mime_type(TEXT)
            .with_size(text.len() as u64);
        let is_text = |block: &ContentBlock| block.as_text().is_some();
        match result.content.iter().position(is_text) {
            Some(place) => result.content[place] = ContentBlock::text(words),
            None => result.content.insert(0, ContentBlock::text(words)),
        }
        result.content.push(ContentBlock::resource_link(link));
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(KeptResult {
            uri,
            caller: caller.map(str::to_owned),
            text: text.to_owned(),
        });
        while kept.len() > RESULTS {
            give_way(&mut kept, |_| 1);
        }
        let bytes = |one: &KeptResult| one.text.len();
        while kept.iter().map(bytes).sum::<usize>() > BYTES {
            give_way(&mut kept, bytes);
        }
    }

    /// The whole of a result.
    pub(super) fn read(
        &self,
        uri: &str,
        caller: Option<&str>,
    ) -> Result<ReadResourceResult, ErrorData> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept
            .iter()
            .find(|one| one.uri == uri && one.caller.as_deref() == caller);
        let Some(found) = found else {
            let words = "no such result, or it is too old: make the call again";
            return Err(ErrorData::resource_not_found(words, None));
        };
        let contents = ResourceContents::text(&found.text, uri).with_mime_type(TEXT);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}

/// Removes the oldest result of the caller with the most, but not the newest result of all.
fn give_way(kept: &mut VecDeque<KeptResult>, weight: impl Fn(&KeptResult) -> usize) {
    let older = || kept.iter().take(kept.len().saturating_sub(1));
    let mut weights = HashMap::new();
    for one in older() {
        *weights.entry(&one.caller).or_insert(0) += weight(one);
    }
    let most = older().max_by_key(|one| weights.get(&one.caller));
    let oldest = most.and_then(|most| older().position(|one| one.caller == most.caller));
    kept.remove(oldest.unwrap_or_default());
}
