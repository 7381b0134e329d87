//! What was expected, in all its words and in fewer.

use super::{
    IssueKind,
    room::{Room, put_first},
};

/// What was expected in fewer words.
enum Brief<'a> {
    /// Without its article, and of a missing parameter without its description.
    Noun(&'a str),
    /// A range as `integer 1..50`, which is never cut: half of it is another one.
    Between(&'static str, &'a str, &'a str),
}

/// Writes the words of what was expected.
pub(super) fn write_words(kind: IssueKind, words: &str, room: &Room, out: &mut String) {
    match kind {
        IssueKind::UnknownKey => {}
        IssueKind::Invalid => put_first(words, room.said, out),
        IssueKind::Missing if room.brief => {
            brief(without_description(words)).write(room, out);
        }
        _ if room.brief => brief(words).write(room, out),
        _ => out.push_str(words),
    }
}

impl Brief<'_> {
    fn write(&self, room: &Room, out: &mut String) {
        match self {
            Self::Noun(noun) => put_first(noun, room.expected, out),
            Self::Between(kind, ..) if room.hides_bounds() => out.push_str(kind.trim_end()),
            Self::Between(kind, from, to) => {
                out.push_str(kind);
                out.push_str(from);
                out.push_str("..");
                out.push_str(to);
            }
        }
    }
}

/// What was expected in fewer words.
fn brief(words: &str) -> Brief<'_> {
    let article = match words.as_bytes() {
        [b'a', b' ', ..] => 2,
        [b'a', b'n', b' ', ..] => 3,
        _ => 0,
    };
    let noun = words.get(article..).unwrap_or_default();
    range(noun).unwrap_or(Brief::Noun(noun))
}

fn without_description(words: &str) -> &str {
    if !words.ends_with(')') {
        return words;
    }
    let pairs = words.as_bytes().windows(2);
    let end = pairs.into_iter().position(|pair| pair == b" (");
    end.and_then(|end| words.get(..end)).unwrap_or(words)
}

/// The range of a kind of number.
fn range(noun: &str) -> Option<Brief<'_>> {
    let (kind, rest) = match noun.as_bytes().split_first_chunk() {
        Some((b"integer ", _)) => ("integer ", noun.get(8..)?),
        Some((b"number f", _)) => ("number ", noun.get(7..)?),
        _ => return None,
    };
    let ends = rest.strip_prefix("from ")?;
    let end = ends.bytes().position(|byte| byte == b' ')?;
    let (from, rest) = ends.split_at_checked(end)?;
    Some(Brief::Between(kind, from, rest.strip_prefix(" to ")?))
}
