//! Markup of a call that leaked into a string, and may have swallowed the parameters behind it.

use crate::{
    input::{At, Issue, IssueKind},
    schema::{Field, cut},
};

/// How many swallowed names are kept.
const NAMES: usize = 16;

/// Whether a text is worth a second look; cheap, because every accepted text gets it.
pub(super) fn suspect(text: &str) -> bool {
    // `<` may be escaped, the words may not be: no model escapes letters.
    let bytes = text.as_bytes();
    (bytes.contains(&b'<') || text.contains("\\u003c") || text.contains("\\u003C"))
        && (text.contains("parameter") || text.contains("invoke"))
}

/// Looks for markup in a string: a closing tag at the end that nothing in the string opens, and
/// parameters that should stand beside it.
#[cold]
pub(in crate::input) fn look_for_markup(value: &str, at: &mut At<'_>) {
    if !value.contains('<') {
        return;
    }
    let room = NAMES.saturating_sub(at.state().repair.swallowed.len());
    for name in names(value).take(room) {
        let path = at.path();
        at.state().repair.swallowed.push((path, name.to_owned()));
    }
    let end = value.trim_end();
    for tag in ["parameter", "invoke"] {
        if let Some(mark) = closes(end, tag)
            && end.matches(mark).count() > opened(end, tag)
        {
            report(at, mark, "send the whole call again without it");
        }
    }
}

/// The names in `<parameter name="…">`.
fn names(value: &str) -> impl Iterator<Item = &str> {
    value
        .split("parameter name=\"")
        .skip(1)
        .filter_map(|behind| {
            let (name, _) = behind.split_once('"')?;
            (name.len() <= 64).then_some(name)
        })
}

/// The closing tag that a text ends in, with a name space or without.
fn closes<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let mark = text.get(text.rfind("</")?..)?;
    let name = mark.strip_prefix("</")?.strip_suffix('>')?;
    let plain = name.rsplit_once(':').map_or(name, |(_, name)| name);
    (plain == tag).then_some(mark)
}

fn opened(text: &str, tag: &str) -> usize {
    text.split('<')
        .skip(1)
        .filter(|behind| {
            let name = behind
                .split(['>', ' ', '\n', '/'])
                .next()
                .unwrap_or_default();
            let plain = name.rsplit_once(':').map_or(name, |(_, name)| name);
            plain == tag
        })
        .count()
}

fn report(at: &mut At<'_>, mark: &str, hint: &str) {
    let found = if at.secret() {
        "(not shown)".to_owned()
    } else {
        format!("`{}`", cut(mark, 64))
    };
    at.issue(
        IssueKind::LeakedMarkup,
        "no markup of the call in it",
        found,
    );
    if let Some(issue) = at
        .state()
        .issues
        .last_mut()
        .filter(|issue| issue.hint.is_none())
    {
        issue.hint = Some(hint.to_owned());
    }
}

/// Reports a parameter that was not given but stands as markup inside another one's string.
pub(in crate::input) fn swallowed(field: &Field, at: &mut At<'_>) {
    if !at.is_root() {
        return;
    }
    let state = at.state();
    let found = state
        .repair
        .swallowed
        .iter()
        .find(|(_, name)| name == field.name);
    if let Some((path, name)) = found {
        let issue = Issue::new(
            path.clone(),
            IssueKind::LeakedMarkup,
            "no markup of the call in it",
            format!("`<parameter name=\"{}\">`", cut(name, 64)),
        )
        .with_hint(format!("send `{}` as a parameter of its own", field.name));
        state.push(issue);
    }
}
