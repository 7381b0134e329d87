//! Writes a ready text, for the dialects whose form it has.

use super::sink::Sink;
use crate::{
    dialect::{
        Dialect, keyword,
        profile::{EmptyObjects, Maps, Null, Patterns, Profile},
    },
    schema::Ready,
};

/// Writes a text into the room as far as it fits, and returns its length; writes nothing if the dialect does
/// not keep every rule.
pub(crate) const fn write_ready(
    text: &'static Ready,
    dialect: Dialect,
    room: &mut [u8],
) -> Option<usize> {
    let profile = dialect.profile();
    if !keeps_every_rule(profile) {
        return None;
    }
    let mut sink = Sink::into(room);
    put(text, "", profile.has(keyword::DEFAULT), &mut sink);
    sink.flush();
    Some(sink.len())
}

/// Whether a schema is written as declared, apart from defaults and examples.
const fn keeps_every_rule(profile: &Profile) -> bool {
    let as_declared = matches!(
        profile,
        Profile {
            patterns: Patterns::All,
            farthest: i128::MAX,
            longest_text: u64::MAX,
            most_items: u64::MAX,
            null: Null::AnyOf,
            maps: Maps::Keyword,
            closed: false,
            all_required: false,
            capitals: false,
            empty: EmptyObjects::Properties,
            ..
        }
    );
    as_declared && profile.keywords & keyword::VALIDATION == keyword::VALIDATION
}

/// Writes a text, with the description of a field unless that is empty.
const fn put(text: &'static Ready, words: &'static str, keywords: bool, sink: &mut Sink<'_>) {
    match words.as_bytes() {
        [] => sink.raw(text.head),
        words => {
            sink.raw(text.start);
            sink.bytes(b",\"description\":\"");
            sink.bytes(words);
            if !matches!(text.notes.as_bytes(), []) {
                sink.bytes(b" (");
                sink.raw(text.notes);
                sink.bytes(b")");
            }
            sink.bytes(b"\"");
        }
    }
    let [in_words, with_keywords] = text.pieces;
    let mut pieces = match with_keywords {
        [_, ..] if keywords => with_keywords,
        _ => in_words,
    };
    let mut parts = text.parts;
    while let [piece, rest @ ..] = pieces {
        sink.raw(piece);
        pieces = rest;
        if let [words, behind @ ..] = rest
            && let [Some(part), others @ ..] = parts
        {
            put(part, words, keywords, sink);
            (pieces, parts) = (behind, others);
        }
    }
    sink.bytes(b"}");
}
