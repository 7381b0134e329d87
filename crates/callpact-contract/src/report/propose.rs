//! What a fault may be mended by, as far as the issue, the schema and the call tell. Whether it does is for a
//! [try](super::hint).

use std::{borrow::Cow, cell::OnceCell};

use super::{
    Clue, FoundForm, Issue, IssueKind, Path, WantedKind,
    change::{Proposal, find_key, part_of},
    secrecy::along,
    trail::{Part, Trail},
};
use crate::{
    json::{Form, Json},
    schema::{Choice, FUNCTION, Kind, Schema, Tagging, WRAPPERS, is_wrapper},
    text::{nearest, shares_words},
};

/// A call that was refused: its text, its schema, and the keys in it that nothing takes.
pub(crate) struct Refused<'a> {
    pub(crate) text: &'a str,
    pub(crate) schema: &'a Schema,
    pub(crate) strangers: &'a [Path],
}

/// Whether there may be anything to propose, as far as that can be told at a glance.
#[inline]
pub(super) fn may_be_mended(issue: &Issue, call: &Refused<'_>) -> bool {
    match issue.kind {
        IssueKind::Missing => !call.strangers.is_empty(),
        IssueKind::UnknownKey | IssueKind::NotAChoice => true,
        IssueKind::WrongType | IssueKind::NotAnObject | IssueKind::NoVariant => {
            !is_plain_word(issue) && !is_other(issue)
        }
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
        | IssueKind::RefusedFix => false,
    }
}

/// What an issue may be mended by; the only one, since two would be a guess.
pub(super) fn propose<'a>(
    issue: &'a Issue,
    call: &'a Refused<'a>,
    value: &'a dyn Fn() -> Option<Json<'a>>,
    missing: Missing<'_>,
    taken: &mut Vec<Path>,
) -> Option<Proposal> {
    let case = Case {
        issue,
        call,
        value,
        forms: OnceCell::new(),
    };
    match issue.kind {
        IssueKind::Missing => {
            unwrap(issue, call).or_else(|| rename_to(issue, call, missing, taken))
        }
        IssueKind::UnknownKey => rename_from(&case),
        IssueKind::NotAChoice => choose(&case).or_else(|| {
            let may_be_other = !is_plain_word(issue);
            may_be_other.then(|| of_value(&case)).flatten()
        }),
        IssueKind::WrongType | IssueKind::NotAnObject | IssueKind::NoVariant => of_value(&case),
        _ => None,
    }
}

/// An issue of a call, with what may stand at its place once somebody asks.
struct Case<'a> {
    issue: &'a Issue,
    call: &'a Refused<'a>,
    /// Finds the value at fault, or the object around an unknown key.
    value: &'a dyn Fn() -> Option<Json<'a>>,
    forms: OnceCell<Forms<'a>>,
}

impl<'a> Case<'a> {
    fn forms(&self) -> &Forms<'a> {
        let forms = || Forms::of(self.issue, self.call.schema);
        self.forms.get_or_init(forms)
    }
}

/// The wrapping object that a missing parameter stands in: `arguments`, or that in `function`.
fn unwrap(issue: &Issue, call: &Refused<'_>) -> Option<Proposal> {
    let trail = issue.trail();
    let name = trail.parameter().filter(|_| trail.depth() == 1)?;
    let holds = |keys: &[&str]| {
        let mut json = Json::new(call.text);
        if !keys.iter().all(|key| find_key(&mut json, key)) {
            return None;
        }
        let in_text = json.form() == Form::Text;
        let is_there = if in_text {
            let text = json.take_text()?;
            holds_json(&text) && find_key(&mut Json::new(&text), name)
        } else {
            find_key(&mut json, name)
        };
        is_there.then(|| Proposal::Unwrap {
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            in_text,
        })
    };
    call.strangers.iter().find_map(|path| {
        let trail = path.trail();
        match trail.parameter().filter(|_| trail.depth() == 1)? {
            FUNCTION => WRAPPERS.iter().find_map(|inner| holds(&[FUNCTION, inner])),
            key if is_wrapper(key) => holds(&[key]),
            _ => None,
        }
    })
}

/// The names of the missing parameters of the object at a place.
pub(super) type Missing<'a> = &'a dyn Fn(Trail<'_>) -> Vec<&'a str>;

/// A key beside a missing one that nothing takes and that resembles it, and no other missing one as much.
fn rename_to(
    issue: &Issue,
    call: &Refused<'_>,
    missing: Missing<'_>,
    taken: &mut Vec<Path>,
) -> Option<Proposal> {
    let (Part::Key(name), parent) = issue.trail().split_last()? else {
        return None;
    };
    let (stranger, from) = call
        .strangers
        .iter()
        .filter(|path| !taken.contains(path))
        .find_map(|path| match path.trail().split_last()? {
            (Part::Key(key), beside) if beside.is_same(parent) => {
                let is_meant =
                    meant_by(key, [name]).is_some() && meant_by(key, missing(parent)) == Some(name);
                is_meant.then_some((path, key))
            }
            _ => None,
        })?;
    taken.push(stranger.clone());
    Some(Proposal::Rename {
        from: from.to_owned(),
        to: name.to_owned(),
    })
}

/// The declared name that a key resembles, which is not given.
fn rename_from(case: &Case<'_>) -> Option<Proposal> {
    let Case { issue, call, .. } = *case;
    let (Part::Key(key), parent) = issue.trail().split_last()? else {
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
        from: key.to_owned(),
        to: meant_by(key, names)?.to_owned(),
    })
}

/// The name that a key is nearest to, or the only one whose words it shares.
pub(crate) fn meant_by<'s>(
    key: &str,
    free: impl IntoIterator<Item = &'s str> + Clone,
) -> Option<&'s str> {
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
    let choose = |name: &str| Proposal::Choose(name.to_owned());
    if let Some(Schema {
        kind: Kind::Text(rules),
        ..
    }) = forms.plain
    {
        return nearest(&text, names_of(&rules.choices)).map(choose);
    }
    let names = forms.schemas().flat_map(|schema| {
        let (choices, variants) = match &schema.kind {
            Kind::Text(rules) => (rules.choices.part(), [].as_slice()),
            Kind::Union(rules) if rules.tagging == Tagging::External => {
                ([].as_slice(), rules.variants.part())
            }
            _ => Default::default(),
        };
        names_of(choices).chain(variants.iter().map(|variant| variant.name.part()))
    });
    let mut tags: Vec<&str> = Vec::new();
    if forms.plain.is_none()
        && let Some((Part::Key(key), parent)) = issue.trail().split_last()
    {
        for schema in Forms::at(call.schema, parent).schemas() {
            if let Kind::Union(rules) = &schema.kind
                && let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = &rules.tagging
                && **tag == *key
            {
                tags.extend(rules.variants.iter().map(|variant| variant.name.part()));
            }
        }
    }
    nearest(&text, names.chain(tags)).map(choose)
}

fn names_of(choices: &[Choice]) -> impl Iterator<Item = &str> {
    choices.iter().map(|choice| choice.name.part())
}

/// The value at the place of an issue.
pub(super) enum Found<'a> {
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
pub(super) fn said(issue: &Issue) -> Option<Found<'_>> {
    Some(match issue.clue.found {
        FoundForm::Null => Found::Null,
        FoundForm::Scalar => Found::Scalar,
        FoundForm::List => Found::List,
        FoundForm::Single => Found::Single,
        FoundForm::Object => Found::Object,
        FoundForm::Text => Found::Text(Cow::Borrowed(issue.text()?)),
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
        Form::List if json.has_one_item() => Found::Single,
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
    let is_key = || matches!(issue.trail().split_last(), Some((Part::Key(_), _)));
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

/// Whether an issue has found a text that is neither JSON nor a word for nothing, as its first letter tells, where no list
/// is wanted.
fn is_plain_word(issue: &Issue) -> bool {
    let Clue { found, wanted, .. } = issue.clue;
    found == FoundForm::Text
        && matches!(wanted, WantedKind::Text | WantedKind::Other)
        && issue
            .first_byte()
            .is_some_and(|first| first.is_ascii_alphabetic() && !b"fFnNtTuU".contains(&first))
}

/// Whether an issue has found a value that could be meant as a text or as a list alone, and neither is wanted.
fn is_other(issue: &Issue) -> bool {
    let Clue { found, wanted, .. } = issue.clue;
    wanted == WantedKind::Other && matches!(found, FoundForm::Scalar | FoundForm::Object)
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
pub(super) struct Forms<'s> {
    /// Where no union is on the way.
    plain: Option<&'s Schema>,
    several: Vec<&'s Schema>,
    secret: bool,
}

impl<'s> Forms<'s> {
    /// What may stand at the place of an issue.
    #[inline]
    pub(super) fn of(issue: &Issue, schema: &'s Schema) -> Self {
        Self::at(schema, issue.trail())
    }

    pub(super) fn at(schema: &'s Schema, trail: Trail<'_>) -> Self {
        let mut secret = schema.secret;
        let plain = trail.parts().try_fold(schema, |schema, step| {
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
        let place = along(schema, trail);
        Self {
            plain: None,
            several: place.schemas,
            secret: place.told.secret,
        }
    }

    pub(super) fn schemas(&self) -> impl Iterator<Item = &'s Schema> {
        self.plain.into_iter().chain(self.several.iter().copied())
    }
}

/// The names that an object declares.
fn names_at<'s>(schema: &'s Schema, trail: Trail<'_>) -> Vec<&'s str> {
    let mut names = Vec::new();
    for schema in Forms::at(schema, trail).schemas() {
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
