//! Keys that occur more than once in an object.

use super::tolerant::{KeyEntry, ReadStop, TolerantParser};
use crate::report::{FixKind, Path, Step};

impl TolerantParser<'_> {
    /// Drops entries that repeat another one exactly; two values for one key are an error.
    pub(super) fn merge(&mut self, first: usize) -> Result<(), ReadStop> {
        let entries = self.entries.get_mut(first..).unwrap_or_default();
        if entries.len() < 2 {
            return Ok(());
        }
        entries.sort_unstable_by_key(|entry| (entry.hash, entry.start));
        let text = |entry: &KeyEntry| {
            let entry = self.out.get(entry.start as usize..entry.end as usize);
            let entry = entry.unwrap_or_default();
            entry.split_at_checked(literal(entry)).unwrap_or_default()
        };
        let mut head: Option<KeyEntry> = None;
        let mut again = false;
        let mut clash = None;
        for entry in entries.iter_mut() {
            let this = *entry;
            // From here on, this marks an entry that is dropped.
            entry.hash = 0;
            let Some(before) = head.filter(|head| head.hash == this.hash) else {
                head = Some(this);
                continue;
            };
            let ((key, value), (other, other_value)) = (text(&before), text(&this));
            // Different keys with one hash are left to the typed reader, which compares all keys.
            if key != other {
                continue;
            }
            if value != other_value {
                clash = Some(key);
                break;
            }
            entry.hash = 1;
            again = true;
        }
        if let Some(key) = clash {
            let step = Step::Key(serde_json::from_str(key).unwrap_or_default());
            return Err(ReadStop::Duplicate(Box::new(self.path().join(step))));
        }
        if again {
            entries.sort_unstable_by_key(|entry| entry.start);
            self.drop_entries(first);
        }
        Ok(())
    }

    /// Closes the gaps that the marked entries leave, in place.
    fn drop_entries(&mut self, first: usize) {
        let parent = self.path();
        let marked = || {
            self.entries
                .iter()
                .skip(first)
                .filter(|entry| entry.hash == 1)
        };
        for entry in marked() {
            if !self.notes.has_room() {
                self.notes
                    .plain(FixKind::DuplicateMerged, Path::default(), 1);
                break;
            }
            let text = self.out.get(entry.start as usize..).unwrap_or_default();
            let key = text.get(..literal(text)).unwrap_or_default();
            let step = Step::Key(serde_json::from_str(key).unwrap_or_default());
            let path = parent.clone().join(step);
            self.notes.plain(FixKind::DuplicateMerged, path, 1);
        }
        let mut bytes = std::mem::take(&mut self.out).into_bytes();
        let (mut to, mut from) = (None, 0);
        for entry in marked() {
            // Each of them follows a comma, which is removed with it.
            let start = (entry.start as usize).saturating_sub(1);
            let into = *to.get_or_insert(start);
            if from > 0 && from <= start {
                bytes.copy_within(from..start, into);
                to = Some(into + start - from);
            }
            from = entry.end as usize;
        }
        if let Some(into) = to {
            let end = bytes.len();
            bytes.copy_within(from.min(end)..end, into);
            bytes.truncate(into + end - from.min(end));
        }
        // Whole entries were removed, so no character is cut.
        self.out = String::from_utf8(bytes).unwrap_or_default();
    }
}

/// The length of the string literal that a text starts with.
fn literal(text: &str) -> usize {
    let mut escaped = false;
    text.bytes()
        .skip(1)
        .position(|b| {
            let end = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            end
        })
        .map_or(text.len(), |end| end + 2)
}
