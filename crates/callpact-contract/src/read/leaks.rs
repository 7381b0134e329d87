//! Reports markup of a call that leaked into a string.

use super::at::At;
use crate::{
    repair::{closing_mark, swallowed_names},
    report::{Issue, IssueKind},
    schema::Field,
    text::{NOT_SHOWN, cut, ticked},
};

/// The most swallowed names that are kept.
const NAMES: usize = 16;

/// Looks for markup in a string: a closing tag at the end that has no opening tag in the string, and parameters that
/// belong beside the string.
#[cold]
pub(crate) fn look_for_markup(value: &str, at: &mut At<'_>) {
    if !value.contains('<') {
        return;
    }
    let room = NAMES.saturating_sub(at.state().notes_mut().swallowed.len());
    for name in swallowed_names(value).take(room) {
        let path = at.path();
        at.state()
            .notes_mut()
            .swallowed
            .push((path, name.to_owned()));
    }
    if let Some(mark) = closing_mark(value) {
        report(at, mark, "send the whole call again without it");
    }
}

fn report(at: &mut At<'_>, mark: &str, hint: &str) {
    let found = if at.secret() {
        NOT_SHOWN.to_owned()
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
        .notes_mut()
        .issues
        .all()
        .last_mut()
        .filter(|issue| issue.hint.is_none())
    {
        issue.hint = Some(hint.to_owned().into());
    }
}

/// Reports a parameter that was not given, but is markup inside the string of another parameter.
pub(crate) fn swallowed(field: &Field, at: &mut At<'_>) {
    if !at.is_root() {
        return;
    }
    let state = at.state();
    let mut swallowed = state.notes().into_iter().flat_map(|notes| &notes.swallowed);
    let found = swallowed.find(|(_, name)| *name == *field.name.part());
    if let Some((path, name)) = found {
        let issue = Issue::new(
            path.clone(),
            IssueKind::LeakedMarkup,
            "no markup of the call in it",
            format!("`<parameter name=\"{}\">`", cut(name, 64)),
        )
        .with_hint(format!(
            "send {} as a parameter of its own",
            ticked(&field.name)
        ));
        state.push(issue);
    }
}
