//! Whether a text that makes no call is written like one.

use std::sync::LazyLock;

use serde_json::value::RawValue;

use super::{
    bare::{BareReader, read_bare},
    code::CodeFence,
    form::is_tag,
    known::KnownTools,
    table::FORMS,
};

/// The hint for a text whose marks the server removed.
pub(super) const REMOVED: &str = "the text is written like a call whose special tokens the server removed, and nothing \
                       runs: let the server keep them (`skip_special_tokens: false`)";

/// The hint for a call that was not read.
pub(super) const UNREAD: &str = "the text has something that is written like a call and was not read: nothing runs. Name \
                      the family of the model, or add its form";

/// The hint for a call that was not read beside others.
pub(super) const UNREAD_BESIDE: &str = "beside its calls, the text has something that is written like a call and was not \
                             read. Name the family of the model, or add its form";

/// The tags around a call, of forms whose tags people write too. Nobody writes both of them for another reason.
static TAGS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = FORMS.iter();
    let marks = rows.flat_map(|row| {
        [
            (&row.openers, &row.closers),
            (&row.sections, &row.section_ends),
        ]
    });
    let mut tags = Vec::new();
    for (openers, closers) in marks {
        for open in openers.iter().filter(|mark| is_tag(mark)) {
            tags.extend(closers.iter().map(|close| (open.as_str(), close.as_str())));
        }
    }
    tags.sort_unstable();
    tags.dedup();
    tags
});

/// What a text outside of thoughts and code looks like, though no call was read.
pub(super) fn looks_like_call(answer: &str) -> Option<&'static str> {
    let any = KnownTools::any();
    if !matches!(read_bare(answer, &any), BareReader::None) {
        return Some(UNREAD);
    }
    let mut fence: Option<CodeFence> = None;
    let mut search = HintSearch {
        tries: TRIES,
        read: 0,
        open_tags: Vec::new(),
    };
    let mut start = 0;
    for line in answer.split_inclusive('\n') {
        let from = start;
        start += line.len();
        match (&fence, CodeFence::in_line(line)) {
            (None, opened @ Some(_)) => fence = opened,
            (Some(open), Some(mark)) if open.is_closed_by(&mark) => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                let hint = search.hint_of_line(line, answer, from);
                if hint.is_some() {
                    return hint;
                }
            }
        }
    }
    None
}

/// How many places of an answer are tried.
const TRIES: usize = 32;

/// The search for calls that were not read.
struct HintSearch {
    tries: usize,
    /// The end of the last value that is no call: what is inside of it is none either.
    read: usize,
    /// The pairs of tags whose opening one was found.
    open_tags: Vec<usize>,
}

impl HintSearch {
    fn hint_of_line(&mut self, line: &str, answer: &str, start: usize) -> Option<&'static str> {
        let from_line = answer.get(start..).unwrap_or_default();
        let mut at = 0;
        for (nth, words) in line.split('`').enumerate() {
            let from = at;
            at += words.len() + 1;
            // Every second part is code.
            if nth % 2 == 1 {
                continue;
            }
            if self.has_tags(words) {
                return Some(UNREAD);
            }
            let is_open = |letter: char| matches!(letter, '{' | '[');
            for (place, _) in words.match_indices(is_open).take(4) {
                let place = from + place;
                if self.tries == 0 || start + place < self.read {
                    continue;
                }
                self.tries -= 1;
                let behind = from_line.get(place..).unwrap_or_default();
                match find_call(behind) {
                    Ok(()) => return Some(UNREAD),
                    Err(length) => self.read = start + place + length,
                }
            }
            if words.contains("functions.") && words.contains(['{', '(']) {
                return Some(REMOVED);
            }
        }
        let line = line.trim_start();
        let is_removed = line.starts_with("call:") && line.contains('{')
            || line.starts_with("function")
                && from_line
                    .lines()
                    .nth(1)
                    .is_some_and(|it| it.starts_with("```json"));
        is_removed.then_some(REMOVED)
    }

    /// Whether a part of the answer closes a tag that is open, in it or before it.
    fn has_tags(&mut self, words: &str) -> bool {
        words.contains('<')
            && TAGS.iter().enumerate().any(|(index, (open, close))| {
                let behind = match words.find(open) {
                    _ if self.open_tags.contains(&index) => words,
                    Some(at) => {
                        self.open_tags.push(index);
                        words.get(at..).unwrap_or_default()
                    }
                    None => return false,
                };
                behind.contains(close)
            })
    }
}

/// Whether a text begins with a call that has no mark; else the length of the value that is there.
fn find_call(text: &str) -> Result<(), usize> {
    let any = KnownTools::any();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let value = match values.next() {
        Some(Ok(value)) => value.get(),
        Some(Err(error)) if error.is_eof() => text,
        _ => text.split_inclusive(")]").next().unwrap_or_default(),
    };
    if matches!(read_bare(value, &any), BareReader::None) {
        return Err(values.byte_offset());
    }
    Ok(())
}
