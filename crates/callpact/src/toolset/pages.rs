//! The rest of results that were too long for a reply, and the tool that reads it.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex},
};

use crate::{adapter::how_to_read_on, crash::lock, tools};

/// How many results are kept.
const KEPT: usize = 16;

/// How many bytes of results are kept.
const BYTES: usize = 32 << 20;

/// The most characters of the line above a page, which gives the position of the page and how to read on.
pub(crate) const HEAD: usize = 256;

/// The whole of the last results that did not fit into their replies.
///
/// A result has a key that nobody can guess, since a list may serve more than one conversation.
#[derive(Debug, Default)]
pub(crate) struct ResultPages {
    kept: Mutex<KeptResult>,
    keys: RandomState,
}

#[derive(Debug, Default)]
struct KeptResult {
    texts: VecDeque<(String, Arc<str>)>,
    bytes: usize,
    count: u64,
}

impl ResultPages {
    /// Keeps a result, and drops the oldest ones if there is no room. Returns its key.
    pub(crate) fn keep(&self, text: &str) -> String {
        let mut kept = lock(&self.kept);
        kept.count += 1;
        let key = format!("{:016x}", self.keys.hash_one(kept.count));
        kept.bytes += text.len();
        kept.texts.push_back((key.clone(), text.into()));
        while kept.texts.len() > 1 && (kept.texts.len() > KEPT || kept.bytes > BYTES) {
            if let Some((_, dropped)) = kept.texts.pop_front() {
                kept.bytes -= dropped.len();
            }
        }
        key
    }

    fn find(&self, key: &str) -> Option<Arc<str>> {
        let kept = lock(&self.kept);
        let mut found = kept.texts.iter().filter(|(known, _)| known == key);
        found.next().map(|(_, text)| Arc::clone(text))
    }
}

/// Reads a part of a result that was too long for its reply.
pub(super) struct ResultPage {
    pub(super) pages: Arc<ResultPages>,
    /// The characters of a page.
    pub(super) size: usize,
}

#[tools]
impl ResultPage {
    /// Reads on in a result that was too long to be shown whole.
    #[tool(read_only, name = "result_page")]
    fn read(
        &self,
        /// The key that the cut result names
        result: String,
        /// How many characters of the result to pass over
        #[tool_param(default = 0)]
        from: u32,
    ) -> Result<String, String> {
        let Some(text) = self.pages.find(&result) else {
            return Err(format!(
                "there is no such result: only the last {KEPT} are kept"
            ));
        };
        let length = text.chars().count();
        let from = from as usize;
        if from >= length {
            return Err(format!("the result ends at character {length}"));
        }
        let size = self.size;
        let shown: String = text.chars().skip(from).take(size).collect();
        let to = length.min(from + size);
        let rest = if to < length {
            format!("; the rest: {}", how_to_read_on(&result, to))
        } else {
            String::new()
        };
        Ok(format!(
            "[characters {from} to {to} of {length}{rest}]\n{shown}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, KEPT, ResultPages};

    #[test]
    fn the_oldest_results_are_dropped() {
        let pages = ResultPages::default();
        let keys: Vec<String> = (0..=KEPT).map(|n| pages.keep(&n.to_string())).collect();
        assert_eq!(pages.find(&keys[0]), None);
        assert_eq!(pages.find(&keys[1]).as_deref(), Some("1"));
        let large = pages.keep(&"x".repeat(BYTES));
        assert_eq!(pages.find(&keys[KEPT]), None);
        assert_eq!(pages.find(&large).map(|text| text.len()), Some(BYTES));
    }
}
