//! How to mend a call. A hint is said only when it was tried: what it proposes is done to the call, and
//! the call is read again; that fault is gone then, and no other one came.

use std::{
    borrow::Cow,
    cell::{LazyCell, OnceCell},
};

use super::{
    FoundForm, Issue, IssueKind, Path, Report, Step, WantedKind,
    change::{Change, Proposal, Wanted, change_call, find_key, find_values, part_of},
    path::{Part, Place},
    secrecy::along,
};
use crate::{
    json::{Form, Json, Source, has_one_item},
    schema::{FUNCTION, Kind, Schema, Tagging, WRAPPERS, is_wrapper},
    text::{cut, nearest, quoted, shares_words},
};

/// How many proposals are tried one by one.
const TRIES: usize = 16;
/// Beyond this many bytes a call is read once more and not as often as that.
const LARGE: usize = 64 << 10;

/// A call that was refused: its text, its schema, and the keys in it that nothing takes.
pub(crate) struct Refused<'a> {
    pub(crate) text: &'a str,
    pub(crate) schema: &'a Schema,
    pub(crate) strangers: &'a [Path],
}

/// What is asked of a reading that tries a hint.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    /// How many faults there are. A union may count as one what are several.
    Count,
    /// Their kinds and paths.
    Places,
}

/// Reads a call once more.
type Read<'a> = &'a mut dyn FnMut(&str, Detail) -> Report;

/// Adds to the issues of a report how they can be mended.
#[cold]
pub(crate) fn add_hints(report: &mut Report, call: &Refused<'_>, read: Read<'_>) {
    let mut taken = Vec::new();
    let mut found: Vec<(usize, Proposal)> = Vec::new();
    let values = LazyCell::new(|| {
        let issues = report.issues.iter().enumerate();
        let mut wanted: Vec<Wanted<'_, '_>> = issues.filter_map(want).collect();
        find_values(call.text, &mut wanted);
        wanted
    });
    for (number, issue) in report.issues.iter().enumerate() {
        let value = || values.iter().find(|one| one.number == number)?.value;
        if let Some(proposal) = propose(issue, call, &value, &mut taken) {
            found.push((number, proposal));
        }
    }
    if found.is_empty() {
        return;
    }
    let mut prove = |proposals: &[(usize, Proposal)]| mends(report, proposals, call, read);
    if !prove(&found) {
        let tries = if call.text.len() > LARGE || found.len() == 1 {
            0
        } else {
            TRIES
        };
        found.truncate(tries);
        found.retain(|proposal| prove(std::slice::from_ref(proposal)));
    }
    for (number, proposal) in found {
        if let Some(issue) = report.issues.get_mut(number) {
            issue.hint = Some(words(&proposal, issue));
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
    let path = &issue.path;
    let place = Place {
        path,
        depth: path.depth().saturating_sub(around),
    };
    Some(Wanted {
        number,
        place,
        value: None,
    })
}

/// Whether the faults of these proposals are gone once they are done, and no other one came.
fn mends(
    before: &Report,
    proposals: &[(usize, Proposal)],
    call: &Refused<'_>,
    read: Read<'_>,
) -> bool {
    let issue = |number: usize| before.issues.get(number);
    let is_mended = |number: usize| proposals.iter().any(|(mended, _)| *mended == number);
    let changes = proposals.iter().filter_map(|(number, proposal)| {
        let path = &issue(*number)?.path;
        Some(Change { path, proposal })
    });
    let mut changes: Vec<Change<'_>> = changes.collect();
    // Of a fault that leaves no value the object around it is not built either.
    let is_faulty_beside = |place: Place<'_>| {
        let mut others = before.issues.iter().enumerate();
        before.omitted == 0
            && others.any(|(number, issue)| {
                !is_mended(number) && leaves_no_value(issue) && issue.path.is_inside(place)
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
        && read(&tried.text, Detail::Count).count() == left
    {
        return true;
    }
    let after = read(&tried.text, Detail::Places);
    let is_same = |one: &Issue, other: &Issue| one.kind == other.kind && one.path == other.path;
    if let Some((_, Proposal::Unwrap(_))) = proposals.first() {
        // What is wrong inside of it is not seen before it is unwrapped.
        let mut mended = proposals.iter().filter_map(|(number, _)| issue(*number));
        return mended.all(|mended| !after.issues.iter().any(|issue| is_same(issue, mended)));
    }
    let is_known = |one: &Issue| {
        let mut known = before.issues.iter().enumerate();
        known.any(|(number, other)| !is_mended(number) && is_same(one, other))
    };
    // What a thinned object lacks, or a rule across its fields.
    let is_of_thinning = |one: &Issue| {
        let is_own = || {
            let mut mended = proposals.iter().filter_map(|(number, _)| issue(*number));
            mended.any(|mended| mended.path == one.path)
        };
        let mut places = tried.thinned.iter();
        places.any(|place| one.path.is_at(*place, one.kind == IssueKind::Missing)) && !is_own()
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
        IssueKind::UnknownKey | IssueKind::DuplicateKey | IssueKind::Invalid
    )
}

/// What an issue may be mended by; the only one, since two would be a guess.
fn propose<'a>(
    issue: &'a Issue,
    call: &'a Refused<'a>,
    value: &'a dyn Fn() -> Option<Json<'a>>,
    taken: &mut Vec<Path>,
) -> Option<Proposal> {
    let case = Case {
        issue,
        call,
        value,
        forms: OnceCell::new(),
    };
    match issue.kind {
        IssueKind::Missing if call.strangers.is_empty() => None,
        IssueKind::Missing => unwrap(issue, call).or_else(|| rename_to(issue, call, taken)),
        IssueKind::UnknownKey => rename_from(&case),
        IssueKind::NotAChoice => choose(&case).or_else(|| of_value(&case)),
        IssueKind::WrongType | IssueKind::NotAnObject | IssueKind::NoVariant => of_value(&case),
        IssueKind::OutOfRange
        | IssueKind::Length
        | IssueKind::Pattern
        | IssueKind::DuplicateKey
        | IssueKind::ItemCount
        | IssueKind::DuplicateItem
        | IssueKind::Invalid
        | IssueKind::NotJson
        | IssueKind::CutOff
        | IssueKind::TrailingText
        | IssueKind::TooDeep
        | IssueKind::TooLarge
        | IssueKind::SeveralObjects
        | IssueKind::LeakedMarkup
        | IssueKind::RefusedFix => None,
    }
}

/// An issue of a call, with what may stand at its place once somebody asks.
struct Case<'a> {
    issue: &'a Issue,
    call: &'a Refused<'a>,
    /// Finds the value that the case [wants](want).
    value: &'a dyn Fn() -> Option<Json<'a>>,
    forms: OnceCell<Forms<'a>>,
}

impl<'a> Case<'a> {
    fn forms(&self) -> &Forms<'a> {
        let forms = || Forms::at(self.call.schema, &self.issue.path);
        self.forms.get_or_init(forms)
    }
}

/// The wrapping object that a missing parameter stands in: `arguments`, or that in `function`.
fn unwrap(issue: &Issue, call: &Refused<'_>) -> Option<Proposal> {
    let [Step::Key(name)] = issue.path.steps() else {
        return None;
    };
    let holds = |keys: &[&str]| {
        let mut json = Json::new(call.text);
        let is_there = keys.iter().all(|key| find_key(&mut json, key)) && find_key(&mut json, name);
        is_there.then(|| Proposal::Unwrap(keys.iter().map(|key| (*key).to_owned()).collect()))
    };
    call.strangers.iter().find_map(|path| match path.steps() {
        [Step::Key(key)] if key == FUNCTION => {
            WRAPPERS.iter().find_map(|inner| holds(&[key, inner]))
        }
        [Step::Key(key)] if is_wrapper(key) => holds(&[key]),
        _ => None,
    })
}

/// A key beside a missing one that nothing takes and that resembles it.
fn rename_to(issue: &Issue, call: &Refused<'_>, taken: &mut Vec<Path>) -> Option<Proposal> {
    let (Step::Key(name), parent) = issue.path.steps().split_last()? else {
        return None;
    };
    let (stranger, from) = call
        .strangers
        .iter()
        .filter(|path| !taken.contains(path))
        .find_map(|path| match path.steps().split_last()? {
            (Step::Key(key), beside) if beside == parent => {
                meant_by(key, std::iter::once(&**name)).map(|_| (path, key))
            }
            _ => None,
        })?;
    taken.push(stranger.clone());
    Some(Proposal::Rename {
        from: from.clone(),
        to: name.clone(),
    })
}

/// The declared name that a key resembles, which is not given.
fn rename_from(case: &Case<'_>) -> Option<Proposal> {
    let Case { issue, call, .. } = *case;
    let (Step::Key(key), parent) = issue.path.steps().split_last()? else {
        return None;
    };
    let mut names = names_at(call.schema, parent);
    let mut object = (case.value)()?;
    if object.form() != Form::Object {
        return None;
    }
    let mut entries = object.open_object();
    while let Some(given) = object.next_key(&mut entries) {
        object.skip();
        names.retain(|name| *name != given);
    }
    Some(Proposal::Rename {
        from: key.clone(),
        to: meant_by(key, names)?.to_owned(),
    })
}

/// The name that a key is nearest to, or the only one whose words it shares.
fn meant_by<'s>(key: &str, free: impl IntoIterator<Item = &'s str> + Clone) -> Option<&'s str> {
    nearest(key, free.clone()).or_else(|| {
        let mut like = free.into_iter().filter(|name| shares_words(key, name));
        like.next().filter(|_| like.next().is_none())
    })
}

/// The value of a closed list that another one resembles.
fn choose(case: &Case<'_>) -> Option<Proposal> {
    let Case { issue, call, .. } = *case;
    let forms = case.forms();
    if forms.secret {
        return None;
    }
    let Found::Text(text) = found(case)? else {
        return None;
    };
    let names = forms.schemas().flat_map(|schema| {
        let (choices, variants) = match &schema.kind {
            Kind::Text(rules) => (rules.choices.part(), [].as_slice()),
            Kind::Union(rules) if rules.tagging == Tagging::External => {
                ([].as_slice(), rules.variants.part())
            }
            _ => Default::default(),
        };
        let choices = choices.iter().map(|choice| choice.name.part());
        choices.chain(variants.iter().map(|variant| variant.name.part()))
    });
    let mut tags: Vec<&str> = Vec::new();
    if forms.plain.is_none()
        && let Some((Step::Key(key), parent)) = issue.path.steps().split_last()
    {
        for schema in Forms::at(call.schema, &parent.iter().cloned().collect()).schemas() {
            if let Kind::Union(rules) = &schema.kind
                && let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &rules.tagging
                && **tag == **key
            {
                tags.extend(rules.variants.iter().map(|variant| variant.name.part()));
            }
        }
    }
    nearest(&text, names.chain(tags)).map(|name| Proposal::Choose(name.to_owned()))
}

/// What stands at the place of an issue.
enum Found<'a> {
    Null,
    /// A number or a boolean.
    Scalar,
    Text(Cow<'a, str>),
    List,
    /// A list of one item.
    Single,
    Object,
}

/// What an issue says it has found; nothing where it does not say enough.
fn said(issue: &Issue) -> Option<Found<'_>> {
    Some(match issue.clue.found {
        FoundForm::Null => Found::Null,
        FoundForm::Scalar => Found::Scalar,
        FoundForm::List => Found::List,
        FoundForm::Single => Found::Single,
        FoundForm::Object => Found::Object,
        FoundForm::Text => {
            // A text in which nothing was escaped, and nothing cut away.
            let text = issue.found.strip_prefix('"')?.strip_suffix('"')?;
            let is_whole = !text.contains('\\');
            return is_whole.then_some(Found::Text(Cow::Borrowed(text)));
        }
        FoundForm::Unknown => return None,
    })
}

/// What an issue says it has found, or what is there where the issue does not tell.
fn found<'a>(case: &Case<'a>) -> Option<Found<'a>> {
    if let Some(found) = said(case.issue) {
        return Some(found);
    }
    let mut json = (case.value)()?;
    Some(match json.form() {
        Form::Null => Found::Null,
        Form::Number | Form::Boolean(_) => Found::Scalar,
        Form::Text => Found::Text(json.take_text()?),
        Form::List if has_one_item(json) => Found::Single,
        Form::List => Found::List,
        Form::Object => Found::Object,
        Form::Broken => return None,
    })
}

/// What a value of another type may be meant as.
fn of_value(case: &Case<'_>) -> Option<Proposal> {
    let issue = case.issue;
    let takes = |wanted: WantedKind, fits: fn(&Kind) -> bool| match issue.clue.wanted {
        WantedKind::Unknown => case.forms().schemas().any(|schema| fits(&schema.kind)),
        known => known == wanted,
    };
    let takes_list = || takes(WantedKind::List, |kind| matches!(kind, Kind::List(_)));
    let takes_text = || takes(WantedKind::Text, |kind| matches!(kind, Kind::Text(_)));
    let is_key = || matches!(issue.path.parts().last(), Some(Part::Key(_)));
    match found(case)? {
        Found::Null => is_key().then_some(Proposal::LeaveOut),
        Found::Text(text) if means_nothing(&text) && is_key() => Some(Proposal::LeaveOut),
        // A list of it is meant, not the value alone.
        Found::Text(text) if holds_json(&text) && (begins_list(&text) || !takes_list()) => {
            Some(Proposal::Unquote)
        }
        Found::Text(text) => (takes_list() && !is_several(&text)).then_some(Proposal::List),
        Found::Scalar if takes_text() => Some(Proposal::Quote),
        Found::Scalar | Found::Object => takes_list().then_some(Proposal::List),
        Found::Single => Some(Proposal::Item),
        Found::List => None,
    }
}

fn begins_list(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Whether a text may stand for several items.
fn is_several(text: &str) -> bool {
    text.trim().is_empty()
        || text.contains([',', ';', '\n'])
        || text.trim_start().starts_with(['[', '{'])
}

/// Whether a text is what models write for a parameter that they do not want to give.
fn means_nothing(text: &str) -> bool {
    // All of these words begin with one of two letters.
    let first = text.bytes().next();
    if first.is_some_and(|byte| byte.is_ascii_alphanumeric() && !b"nNuU".contains(&byte)) {
        return false;
    }
    let text = text.trim();
    text.is_empty()
        || ["null", "none", "nil", "undefined", "n/a", "nan"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// Whether a text is JSON, and neither a text again nor null.
fn holds_json(text: &str) -> bool {
    let mut json = Json::new(text);
    let is_meant = !matches!(json.form(), Form::Text | Form::Null | Form::Broken);
    is_meant && json.take_written().is_some() && json.is_at_end()
}

/// What may stand at a place.
struct Forms<'s> {
    /// Where no union is on the way.
    plain: Option<&'s Schema>,
    several: Vec<&'s Schema>,
    secret: bool,
}

impl<'s> Forms<'s> {
    fn at(schema: &'s Schema, path: &Path) -> Self {
        let mut secret = schema.secret;
        let plain = path.parts().try_fold(schema, |schema, step| {
            let part = part_of(schema, step)?;
            secret |= part.secret;
            Some(part)
        });
        if let Some(schema) = plain
            && !matches!(schema.kind, Kind::Union(_))
        {
            return Self {
                plain,
                several: Vec::new(),
                secret,
            };
        }
        let place = along(schema, path);
        Self {
            plain: None,
            several: place.schemas,
            secret: place.told.secret,
        }
    }

    fn schemas(&self) -> impl Iterator<Item = &'s Schema> {
        self.plain.into_iter().chain(self.several.iter().copied())
    }
}

/// The names that an object declares.
fn names_at<'s>(schema: &'s Schema, steps: &[Step]) -> Vec<&'s str> {
    let mut names = Vec::new();
    for schema in Forms::at(schema, &steps.iter().cloned().collect()).schemas() {
        match &schema.kind {
            Kind::Object(_) => names.extend(schema.fields().map(|field| &*field.name)),
            Kind::Map(rules) => names.extend(rules.keys.iter().map(|key| &*key.name)),
            Kind::Union(rules) if rules.tagging == Tagging::External => {
                names.extend(rules.variants.iter().map(|variant| &*variant.name));
            }
            _ => {}
        }
    }
    names
}

/// What a model is told to do.
fn words(proposal: &Proposal, issue: &Issue) -> Cow<'static, str> {
    match proposal {
        Proposal::Rename { to, .. } if issue.kind == IssueKind::UnknownKey => {
            format!("did you mean `{to}`?").into()
        }
        Proposal::Rename { from, to } => {
            format!("`{}` was given: rename it to `{to}`", cut(from, 64)).into()
        }
        Proposal::Choose(name) => format!("did you mean {}?", quoted(name)).into(),
        Proposal::Quote => "put it in quotes".into(),
        Proposal::Unquote => "send it without the quotes around it".into(),
        Proposal::List => "send it as the only item of a list".into(),
        Proposal::Item => "send it alone, without a list".into(),
        Proposal::LeaveOut => "send one, or leave it out".into(),
        Proposal::Unwrap(keys) => {
            let way = keys.join(".");
            format!("found inside `{way}`: send it without that").into()
        }
    }
}
