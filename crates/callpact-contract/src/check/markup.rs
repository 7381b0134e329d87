//! Reports markup of a call that leaked into a string.

use super::state::{CheckNotes, CheckState, SwallowedName};
use crate::{
    repair::{closing_mark, swallowed_names},
    report::{Issue, IssueKind, Path},
    schema::Field,
    text::{NOT_SHOWN, cut, ticked},
};

/// The most swallowed names that are kept.
const NAMES: usize = 16;

/// Notes the parameters that are markup in the string at a path.
pub(crate) fn swallowed_parameters(value: &str, path: &Path, state: &mut CheckState) {
    let swallowed = &mut state.notes_mut().swallowed;
    let room = NAMES.saturating_sub(swallowed.len());
    let names = swallowed_names(value).take(room);
    swallowed.extend(names.map(|(name, mark)| SwallowedName {
        path: path.clone(),
        name: name.to_owned(),
        mark: mark.to_owned(),
    }));
}

/// The closing tag at the end of a string, as far as it may be shown.
pub(crate) fn closing_markup(value: &str, is_secret: bool) -> Option<String> {
    let mark = closing_mark(value)?;
    Some(if is_secret {
        NOT_SHOWN.to_owned()
    } else {
        format!("`{}`", cut(mark, 64))
    })
}

/// The issue of a parameter that is markup inside the string of another one.
pub(crate) fn swallowed_issue(notes: &CheckNotes, field: &Field) -> Option<Issue> {
    let mut swallowed = notes.swallowed.iter();
    let SwallowedName { path, mark, .. } =
        swallowed.find(|swallowed| *swallowed.name == *field.name.part())?;
    let issue = Issue::new(
        path.clone(),
        IssueKind::LeakedMarkup,
        "no markup of the call in it",
        format!("`{}`", cut(mark, 96)),
    );
    Some(issue.with_hint(format!(
        "send {} as a parameter of its own",
        ticked(&field.name)
    )))
}
