//! How to mend a call. A hint is said only when it was tried: what it proposes is done to the call, and
//! the call is read again; that fault is gone then, and no other one came.

use std::{borrow::Cow, cell::LazyCell};

use super::{
    Issue, IssueKind, Report,
    change::{Change, Proposal, Wanted, change_call, find_values, gather},
    propose::{Refused, may_be_mended, propose, said},
    trail::{Part, Place, Trail},
};
use crate::text::{cut, quoted, ticked};

/// How many proposals are tried one by one.
const TRIES: usize = 16;
/// There are seldom more.
const FEW: usize = 2;
/// Beyond this many bytes a call is read once more and not as often as that.
const LARGE: usize = 64 << 10;

/// What is read to try a hint.
pub(crate) enum Trial<'a> {
    /// A call with changes in it: how many faults it has. A union may count as one what are several.
    Count(&'a str),
    /// The same: their kinds and paths.
    Places(&'a str),
}

/// Reads what is tried.
type Read<'a> = &'a mut dyn FnMut(Trial<'_>) -> Report;

/// What may mend an issue.
struct Hint {
    /// The number of the issue.
    number: usize,
    proposal: Proposal,
    proved: bool,
}

/// Adds to the issues of a report how they can be mended.
#[cold]
pub(crate) fn add_hints(report: &mut Report, call: &Refused<'_>, read: Read<'_>) {
    let mut taken = Vec::new();
    let mut found: Vec<Hint> = Vec::new();
    let values = LazyCell::new(|| {
        let issues = report.issues.iter().enumerate();
        let mut wanted: Vec<Wanted<'_, '_>> = issues.filter_map(want).collect();
        find_values(call.text, &mut wanted);
        wanted
    });
    let missing = |parent: Trail<'_>| {
        let issues = report.issues.iter();
        let missing = issues.filter(|issue| issue.kind == IssueKind::Missing);
        let names = missing.filter_map(|issue| match issue.trail().split_last()? {
            (Part::Key(name), beside) => beside.is_same(parent).then_some(name),
            _ => None,
        });
        names.collect()
    };
    for (number, issue) in report.issues.iter().enumerate() {
        if !may_be_mended(issue, call) {
            continue;
        }
        let value = || values.iter().find(|one| one.number == number)?.value;
        if let Some(proposal) = propose(issue, call, &value, &missing, &mut taken) {
            if found.is_empty() {
                found = Vec::with_capacity(FEW);
            }
            found.push(Hint {
                number,
                proposal,
                proved: false,
            });
        }
    }
    if found.is_empty() {
        return;
    }
    let open = gather(&mut found, |hint| !hint.proved);
    if !open.is_empty() && mends(report, open, call, read) {
        for hint in open.iter_mut() {
            hint.proved = true;
        }
    } else if open.len() > 1 && call.text.len() <= LARGE {
        for hint in open.iter_mut().take(TRIES) {
            hint.proved = mends(report, std::slice::from_ref(hint), call, read);
        }
    }
    for hint in found.iter().filter(|hint| hint.proved) {
        if let Some(kind) = report.issues.get(hint.number).map(|issue| issue.kind) {
            let words = words(&hint.proposal, kind);
            report.issues.set_hint(hint.number, words);
        }
    }
}

/// The value that a proposal looks at: the object around an unknown key, or the value at fault where the issue does
/// not say enough of it.
fn want<'t>((number, issue): (usize, &Issue)) -> Option<Wanted<'_, 't>> {
    let around = match issue.kind {
        IssueKind::UnknownKey => 1,
        IssueKind::NotAChoice
        | IssueKind::WrongType
        | IssueKind::NotAnObject
        | IssueKind::NoVariant
            if said(issue).is_none() =>
        {
            0
        }
        _ => return None,
    };
    let trail = issue.trail();
    let place = Place {
        trail,
        depth: trail.depth().saturating_sub(around),
    };
    Some(Wanted {
        number,
        place,
        value: None,
    })
}

/// Whether the faults of these hints are gone once what they propose is done, and no other one came.
fn mends(before: &Report, hints: &[Hint], call: &Refused<'_>, read: Read<'_>) -> bool {
    let issue = |number: usize| before.issues.get(number);
    let is_mended = |number: usize| hints.iter().any(|hint| hint.number == number);
    let changes = hints.iter().filter_map(|hint| {
        let trail = issue(hint.number)?.trail();
        Some(Change {
            trail,
            proposal: &hint.proposal,
        })
    });
    let mut changes: Vec<Change<'_>> = changes.collect();
    // Of a fault that leaves no value the object around it is not built either.
    let is_faulty_beside = |place: Place<'_>| {
        let mut others = before.issues.iter().enumerate();
        before.omitted == 0
            && others.any(|(number, issue)| {
                !is_mended(number) && leaves_no_value(issue) && issue.trail().is_inside(place)
            })
    };
    let Some(tried) = change_call(call.text, call.schema, &mut changes, &is_faulty_beside) else {
        return false;
    };
    // Of a key that stands twice, one is left in what is tried, so that a fault of its own is gone.
    let is_doubled = |issue: &Issue| issue.kind == IssueKind::DuplicateKey;
    if let Some(left) = tried.left
        && before.omitted == 0
        && !before.issues.iter().any(is_doubled)
        && read(Trial::Count(&tried.text)).count() == left
    {
        return true;
    }
    let after = read(Trial::Places(&tried.text));
    let is_same =
        |one: &Issue, other: &Issue| one.kind == other.kind && one.trail().is_same(other.trail());
    let mut mended = hints.iter().filter_map(|hint| issue(hint.number));
    if let Some(Proposal::Unwrap { .. }) = hints.first().map(|hint| &hint.proposal) {
        // What is wrong inside of it is not seen before it is unwrapped.
        return mended.all(|mended| !after.issues.iter().any(|issue| is_same(issue, mended)));
    }
    let is_known = |one: &Issue| {
        let mut known = before.issues.iter().enumerate();
        known.any(|(number, other)| !is_mended(number) && is_same(one, other))
    };
    // What a thinned object lacks, or a rule across its fields.
    let is_of_thinning = |one: &Issue| {
        let is_own = || {
            mended
                .clone()
                .any(|mended| mended.trail().is_same(one.trail()))
        };
        let mut places = tried.thinned.iter();
        places.any(|place| one.trail().is_at(*place, one.kind == IssueKind::Missing)) && !is_own()
    };
    after.omitted <= before.omitted
        && after
            .issues
            .iter()
            .all(|issue| is_of_thinning(issue) || is_known(issue))
}

/// Whether the value at the place of an issue cannot be had.
fn leaves_no_value(issue: &Issue) -> bool {
    !matches!(
        issue.kind,
        IssueKind::UnknownKey
            | IssueKind::DuplicateKey
            | IssueKind::Invalid
            | IssueKind::LeakedMarkup
            | IssueKind::RefusedFix
    )
}

/// What a model is told to do.
fn words(proposal: &Proposal, kind: IssueKind) -> Cow<'static, str> {
    match proposal {
        Proposal::Rename { to, .. } if kind == IssueKind::UnknownKey => {
            format!("did you mean {}?", ticked(to)).into()
        }
        Proposal::Rename { from, to } => {
            format!("`{}` was given: rename it to {}", cut(from, 64), ticked(to)).into()
        }
        Proposal::Choose(name) => format!("did you mean {}?", quoted(name)).into(),
        Proposal::Quote => "put it in quotes".into(),
        Proposal::Unquote => "send it without the quotes around it".into(),
        Proposal::List => "send it as the only item of a list".into(),
        Proposal::Item => "send it alone, without a list".into(),
        Proposal::LeaveOut => "send one, or leave it out".into(),
        Proposal::Unwrap { keys, in_text } => {
            let place = if *in_text { "in the text of" } else { "inside" };
            let way = keys.join(".");
            format!("found {place} `{way}`: send it without that").into()
        }
    }
}
