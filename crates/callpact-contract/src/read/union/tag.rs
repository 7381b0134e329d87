//! Helpers for internal and adjacent tags: the name of the variant, spare keys, nulls of other variants.

use serde_json::Value;

use super::{
    super::{
        any::{ANY, found, read_any},
        at::At,
        found::Found,
        here::Way,
        input::Input,
        keys::unknown_key,
        stranger::is_by_case,
    },
    variants::{Named, find_exact, find_noted, names, report_no_such},
};
use crate::{
    json::{Json, Source},
    report::{Fix, FixKind, Issue, IssueKind, Step},
    schema::{Union as Rules, Unknown, Variant},
    text::{cut, quoted},
};

/// The most keys of an object without a tag that are remembered.
const KEYS: usize = 16;

/// The place of the tag in an object.
pub(super) enum Tag {
    /// The value of the tag comes next.
    Here,
    Nowhere,
    /// The reader has looked ahead so far that it should keep the object in memory.
    TooFar,
}

/// The variant whose name is the tag of the object that comes next, with its number. The tag must be the exact name,
/// written without escapes, as nearly all are.
#[inline]
pub(super) fn plain_tag<'s>(
    input: &Input<'_>,
    rules: &'s Rules,
    tag: &str,
    at: &mut At<'_>,
) -> Option<(usize, &'s Variant)> {
    if at.repairs() {
        return None;
    }
    let mut ahead = *input;
    let name = match ahead.as_text() {
        Some(json) => match seek(json, tag, at) {
            Tag::Here => json.plain_text()?,
            Tag::Nowhere | Tag::TooFar => return None,
        },
        None => input.as_value()?.get(tag)?.as_str()?.as_bytes(),
    };
    find_exact(name, rules)
}

/// Moves a copy of the source to the first tag of the object that comes next.
pub(super) fn find_tag(ahead: &mut Input<'_>, tag: &str, at: &mut At<'_>) -> Tag {
    if let Some(json) = ahead.as_text() {
        return seek(json, tag, at);
    }
    match ahead.as_value().and_then(|value| value.get(tag)) {
        Some(value) => {
            ahead.move_to(value);
            Tag::Here
        }
        None => Tag::Nowhere,
    }
}

/// Moves a copy of a text to the first tag of the object that comes next. The length of the text limits the lookahead:
/// nested objects whose tag comes last would be searched once for each level.
#[inline]
fn seek(ahead: &mut Json<'_>, tag: &str, at: &mut At<'_>) -> Tag {
    let mut entries = ahead.open_object();
    if ahead.next_is(&mut entries, tag) {
        return Tag::Here;
    }
    let rest = ahead.rest();
    let room = at.state().ahead.unwrap_or(1024 + 2 * rest);
    if room == 0 {
        return Tag::TooFar;
    }
    let found = ahead.seek(&mut entries, tag);
    let looked_at = rest - ahead.rest();
    at.state().ahead = Some(room.saturating_sub(looked_at));
    if found { Tag::Here } else { Tag::Nowhere }
}

#[cold]
pub(super) fn report_no_tag(rules: &Rules, tag: &str, at: &mut At<'_>) {
    let path = at.path().join(Step::Key(tag.to_owned()));
    at.state()
        .push(Issue::new(path, IssueKind::Missing, names(rules), ""));
}

/// Notes the keys of the object that comes next: one of them may mean the tag.
#[cold]
pub(super) fn note_keys(mut ahead: Input<'_>, at: &mut At<'_>) {
    let path = at.path();
    let mut entries = ahead.open_object();
    for _ in 0..KEYS {
        let Some(key) = ahead.next_key(&mut entries) else {
            break;
        };
        let path = path.clone().join(Step::Key(key.into_owned()));
        at.state().notes_mut().kept.push(path);
        ahead.skip();
    }
}

/// The keys of an object that differ from its tag only in case.
pub(super) enum ByCase {
    None,
    One(String),
    /// More than one, which has been reported.
    Several,
}

/// Looks for the tag in another case among the keys of the object that comes next.
#[cold]
pub(super) fn find_by_case(
    mut ahead: Input<'_>,
    rules: &Rules,
    tag: &str,
    at: &mut At<'_>,
) -> ByCase {
    let is_field = |key: &str| {
        let mut contents = rules.variants.iter().filter_map(|v| v.content.as_deref());
        contents.any(|content| content.fields().any(|field| field.name == *key))
    };
    let mut found: Option<String> = None;
    let mut entries = ahead.open_object();
    while let Some(key) = ahead.next_key(&mut entries) {
        ahead.skip();
        if !is_by_case(&key, tag, rules.unknown, at) || is_field(&key) {
            continue;
        }
        if let Some(before) = &found {
            let both = format!("`{}` and `{}`", cut(before, 64), cut(&key, 64));
            at.below(Way::Key(tag), ANY, |mut at| {
                at.issue(IssueKind::DuplicateKey, "once", both);
            });
            return ByCase::Several;
        }
        found = Some(key.into_owned());
    }
    found.map_or(ByCase::None, ByCase::One)
}

pub(super) fn note_case(key: &str, name: &str, at: &mut At<'_>) {
    at.below(Way::Key(name), ANY, |mut at| {
        at.fixed(FixKind::KeyCase, &Found::Text(key), quoted(name));
    });
}

/// Reads the name of the variant.
pub(super) fn read_tag<'s>(
    input: &mut Input<'_>,
    rules: &'s Rules,
    tag: &str,
    at: &mut At<'_>,
) -> Option<Named<'s>> {
    at.below(Way::Key(tag), ANY, |mut at| {
        let mut ahead = *input;
        if !at.repairs()
            && let Ok(name) = ahead.next_text()
            && !name.is_empty()
        {
            *input = ahead;
            return named_by(&name, rules, &mut at);
        }
        let value = read_any(input, at.reborrow());
        if input.is_broken() {
            at.note_broken();
        }
        match value? {
            Value::String(name) => named_by(&name, rules, &mut at),
            other => {
                let secret = at.secret();
                at.issue(IssueKind::WrongType, names(rules), found(&other, secret));
                None
            }
        }
    })
}

/// The variant with this name. Reports a name without a variant.
fn named_by<'s>(name: &str, rules: &'s Rules, at: &mut At<'_>) -> Option<Named<'s>> {
    let named = find_noted(name, rules, at);
    if named.is_none() {
        report_no_such(name, names(rules).into(), at);
    }
    named
}

/// Handles a key that the variant does not have.
pub(super) fn spare_key(key: &str, rules: &Rules, at: &mut At<'_>) {
    at.state().strangers = true;
    let path = at.path().join(Step::Key(key.to_owned()));
    match rules.unknown {
        Unknown::Ignore | Unknown::Keep => {}
        Unknown::Report => at.push_fix(Fix {
            path,
            kind: FixKind::UnknownDropped,
            from: quoted(key).into(),
            to: "absent".into(),
        }),
        Unknown::Deny => at.state().push(unknown_key(path, &[])),
    }
}

/// Whether a strict dialect may have made the model write null at the keys of other variants. It requires every key of
/// the flat object that a union at the root becomes.
pub(super) fn strict_nulls(at: &At<'_>) -> bool {
    at.is_root() && at.takes_lowered()
}
