//! What a hint proposes, done to the text of a call.

use std::borrow::Cow;

use super::trail::{Part, Place, Trail};
use crate::{
    json::{Form, Json},
    schema::{Field, Kind, Schema},
    text::{is_equal, put_json_text},
};

/// A change to a call that mends one of its faults.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Proposal {
    /// Give the value under another key of the same object.
    Rename { from: String, to: String },
    /// Send this value of a closed list.
    Choose(String),
    /// Send a number or a boolean as a text.
    Quote,
    /// Send what is in a text.
    Unquote,
    /// Send the value as the only one of a list.
    List,
    /// Send the only item of a list alone.
    Item,
    /// Leave the key out.
    LeaveOut,
    /// Send what is behind these keys, or in the text behind them, in place of the whole.
    Unwrap { keys: Vec<String>, in_text: bool },
}

impl Proposal {}

/// A proposal for the fault at a path.
#[derive(Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) trail: Trail<'a>,
    pub(super) proposal: &'a Proposal,
}

/// A call with changes in it, without what cannot matter for them.
pub(super) struct Changed<'a> {
    pub(super) text: String,
    /// The objects that lost the keys on no way to a change.
    pub(super) thinned: Vec<Place<'a>>,
    /// How many faults are left when the changes mend theirs: the required keys that the thinned objects lost. Nothing
    /// where it is not known.
    pub(super) left: Option<usize>,
}

/// More fields than this are kept, since each that is left out is a fault of its own when it is read.
const FEW_FIELDS: usize = 16;

/// Does the changes to a call; `None` where one of them cannot be done. An object that has a fault beside the
/// changes is not built in any case: of it only the keys on the way to a change stay.
pub(super) fn change_call<'a>(
    call: &str,
    schema: &Schema,
    changes: &mut [Change<'a>],
    is_faulty_beside: &dyn Fn(Place<'_>) -> bool,
) -> Option<Changed<'a>> {
    // Every parameter that stands in the wrapper proposes this once.
    if let Some(first) = changes.first()
        && let Proposal::Unwrap { keys, in_text } = first.proposal
    {
        let mut json = Json::new(call);
        let is_there = keys.iter().all(|key| find_key(&mut json, key));
        let is_same = changes
            .iter()
            .all(|change| change.proposal == first.proposal);
        let inner = if *in_text && json.form() == Form::Text {
            json.take_text()?
        } else {
            Cow::Borrowed(json.take_written()?)
        };
        return (is_there && is_same).then_some(Changed {
            text: inner.into_owned(),
            thinned: Vec::new(),
            left: None,
        });
    }
    let mut writer = Writer {
        is_faulty_beside,
        all: changes.len(),
        done: 0,
        goes_on: false,
        out: Changed {
            text: String::with_capacity(128),
            thinned: Vec::new(),
            left: Some(0),
        },
    };
    writer.put(&mut Json::new(call), Some(schema), 0, changes)?;
    (writer.done == writer.all).then_some(writer.out)
}

struct Writer<'a, 'f> {
    is_faulty_beside: &'f dyn Fn(Place<'_>) -> bool,
    /// How many changes there are, and how many were done.
    all: usize,
    done: usize,
    /// What follows the value at hand is written as well.
    goes_on: bool,
    out: Changed<'a>,
}

impl<'a> Writer<'a, '_> {
    /// Writes the next value with those changes that are at it or inside of it.
    fn put(
        &mut self,
        json: &mut Json<'_>,
        schema: Option<&Schema>,
        depth: usize,
        changes: &mut [Change<'a>],
    ) -> Option<()> {
        let Some(first) = changes.first() else {
            self.out.text.push_str(json.take_written()?);
            return Some(());
        };
        let trail = first.trail;
        if let Some(change) = changes.iter().find(|change| change.trail.depth() == depth) {
            self.done += 1;
            return put_value(json, change.proposal, &mut self.out.text);
        }
        let here = Place { trail, depth };
        match json.form() {
            Form::Object => self.put_object(json, schema, here, changes),
            Form::List => self.put_list(json, schema, here, changes),
            _ => None,
        }
    }

    fn put_list(
        &mut self,
        json: &mut Json<'_>,
        schema: Option<&Schema>,
        here: Place<'a>,
        changes: &mut [Change<'a>],
    ) -> Option<()> {
        if (self.is_faulty_beside)(here) {
            self.out.left = None;
        }
        let goes_on = std::mem::replace(&mut self.goes_on, true);
        let mut items = json.open_list();
        let mut open = '[';
        for index in 0.. {
            if !json.next_item(&mut items) {
                break;
            }
            self.out.text.push(open);
            open = ',';
            let step = Part::Index(index);
            let is_there = |change: &Change<'_>| change.trail.part(here.depth) == Some(step);
            let inside = gather(changes, is_there);
            let schema = schema.and_then(|schema| part_of(schema, step));
            self.put(json, schema, here.depth + 1, inside)?;
        }
        self.goes_on = goes_on;
        self.close(json, open == '[', "[", ']')
    }

    fn put_object(
        &mut self,
        json: &mut Json<'_>,
        schema: Option<&Schema>,
        here: Place<'a>,
        changes: &mut [Change<'a>],
    ) -> Option<()> {
        let is_faulty = (self.is_faulty_beside)(here);
        let fields = match schema.map(|schema| &schema.kind) {
            Some(Kind::Object(rules)) => rules.fields.part(),
            _ => &[],
        };
        let thin = is_faulty && (1..=FEW_FIELDS).contains(&fields.len());
        let mut left = if thin { required(fields) } else { None };
        if thin {
            self.out.thinned.push(here);
        }
        let goes_on = self.goes_on;
        self.goes_on |= !thin;
        let mut entries = json.open_object();
        let mut open = '{';
        while goes_on || !thin || self.done < self.all {
            let Some(key) = json.next_key(&mut entries) else {
                break;
            };
            let (change, inside) = at_key(changes, here.depth, &key);
            let key = match change {
                Some(Proposal::LeaveOut) => {
                    self.done += 1;
                    // A required one is a fault then that it was not before.
                    let is_required = field_of(fields, &key).is_some_and(|field| field.required);
                    left = left.filter(|_| !is_required);
                    json.skip();
                    continue;
                }
                Some(Proposal::Rename { to, .. }) => {
                    self.done += 1;
                    Cow::Borrowed(&**to)
                }
                _ if thin && inside.is_empty() => {
                    json.skip();
                    continue;
                }
                _ => key,
            };
            self.out.text.push(open);
            open = ',';
            put_json_text(&key, &mut self.out.text);
            self.out.text.push(':');
            let field = field_of(fields, &key);
            left = match field {
                Some(field) if field.required => left.and_then(|left| left.checked_sub(1)),
                Some(_) => left,
                None => None,
            };
            let schema = field.and_then(schema_of);
            self.put(json, schema, here.depth + 1, inside)?;
        }
        if is_faulty {
            let before = self.out.left;
            self.out.left = before.and_then(|before| Some(before + left?));
        }
        self.goes_on = goes_on;
        self.close(json, open == '{', "{", '}')
    }

    fn close(&mut self, json: &Json<'_>, empty: bool, start: &str, end: char) -> Option<()> {
        if empty {
            self.out.text.push_str(start);
        }
        self.out.text.push(end);
        (!json.is_broken()).then_some(())
    }
}

/// Writes the next value as a proposal has it.
fn put_value(json: &mut Json<'_>, proposal: &Proposal, out: &mut String) -> Option<()> {
    match proposal {
        Proposal::Choose(name) => {
            json.skip();
            put_json_text(name, out);
        }
        Proposal::Quote => {
            out.push('"');
            out.push_str(json.take_written()?);
            out.push('"');
        }
        Proposal::Unquote if json.form() == Form::Text => out.push_str(&json.take_text()?),
        Proposal::List => {
            out.push('[');
            out.push_str(json.take_written()?);
            out.push(']');
        }
        Proposal::Item if json.form() == Form::List => {
            let mut items = json.open_list();
            if json.next_item(&mut items) {
                out.push_str(json.take_written()?);
            }
            if json.next_item(&mut items) {
                return None;
            }
        }
        Proposal::Rename { .. }
        | Proposal::Unquote
        | Proposal::Item
        | Proposal::LeaveOut
        | Proposal::Unwrap { .. } => return None,
    }
    Some(())
}

/// How many of these fields are required, where each has its own key.
fn required(fields: &[Field]) -> Option<usize> {
    let has_key = fields.iter().all(|field| !field.flatten);
    has_key.then(|| fields.iter().filter(|field| field.required).count())
}

/// The change of a key of the object at a depth, and the changes at its value or inside of it.
fn at_key<'a, 'c>(
    changes: &'c mut [Change<'a>],
    depth: usize,
    key: &str,
) -> (Option<&'a Proposal>, &'c mut [Change<'a>]) {
    let is_named = |change: &Change<'_>| matches!(change.trail.part(depth), Some(Part::Key(name)) if name == key);
    let is_of_key = |change: &Change<'_>| {
        change.trail.depth() == depth + 1
            && matches!(
                change.proposal,
                Proposal::Rename { .. } | Proposal::LeaveOut
            )
    };
    let of_key = changes.iter().rfind(|change| {
        is_of_key(change)
            && match change.proposal {
                Proposal::Rename { from, .. } => from == key,
                _ => is_named(change),
            }
    });
    let of_key = of_key.map(|change| change.proposal);
    let inside = gather(changes, |change| is_named(change) && !is_of_key(change));
    (of_key, inside)
}

/// The schema one step down, where the step alone says which: not in a union.
pub(super) fn part_of<'s>(schema: &'s Schema, step: Part<'_>) -> Option<&'s Schema> {
    match (&schema.kind, step) {
        (Kind::Object(rules), Part::Key(key)) => schema_of(field_of(&rules.fields, key)?),
        (Kind::List(rules), Part::Index(_)) => {
            (!rules.items.is_again()).then(|| rules.items.part())
        }
        _ => None,
    }
}

/// The field with this name, unless its keys stand in place of its own.
fn field_of<'s>(fields: &'s [Field], key: &str) -> Option<&'s Field> {
    let mut named = fields
        .iter()
        .filter(|field| is_equal(field.name.part().as_bytes(), key.as_bytes()));
    named.find(|field| !field.flatten)
}

fn schema_of(field: &Field) -> Option<&Schema> {
    (!field.schema.is_again()).then(|| field.schema.part())
}

/// A value that a hint looks at.
pub(super) struct Wanted<'p, 't> {
    /// The number of its issue.
    pub(super) number: usize,
    pub(super) place: Place<'p>,
    /// The text from the value on, once it is found. Of a key that is given twice the first counts.
    pub(super) value: Option<Json<'t>>,
}

impl Wanted<'_, '_> {
    fn leads_through(&self, depth: usize, step: Part<'_>) -> bool {
        depth < self.place.depth && self.place.trail.part(depth) == Some(step)
    }
}

/// Finds all of these values in one walk, which ends at the last one.
pub(super) fn find_values<'t>(text: &'t str, wanted: &mut [Wanted<'_, 't>]) {
    let mut left = wanted.len();
    walk_to(&mut Json::new(text), 0, wanted, &mut left);
}

/// Passes over the next value, and notes those of the wanted values that it is or has inside of it, until none is
/// left.
fn walk_to<'t>(json: &mut Json<'t>, depth: usize, wanted: &mut [Wanted<'_, 't>], left: &mut usize) {
    for one in wanted.iter_mut() {
        if one.place.depth == depth && one.value.is_none() {
            one.value = Some(*json);
            *left -= 1;
        }
    }
    if *left == 0 {
        return;
    }
    let inside = gather(wanted, |one| one.place.depth > depth);
    match json.form() {
        Form::Object if !inside.is_empty() => {
            let mut entries = json.open_object();
            while *left > 0
                && let Some(key) = json.next_key(&mut entries)
            {
                let behind = gather(inside, |one| one.leads_through(depth, Part::Key(&key)));
                walk_to(json, depth + 1, behind, left);
            }
        }
        Form::List if !inside.is_empty() => {
            let mut items = json.open_list();
            let mut index = 0;
            while *left > 0 && json.next_item(&mut items) {
                let behind = gather(inside, |one| one.leads_through(depth, Part::Index(index)));
                walk_to(json, depth + 1, behind, left);
                index += 1;
            }
        }
        _ => json.skip(),
    }
}

/// Moves those that are asked for to the front.
pub(super) fn gather<T>(all: &mut [T], is_it: impl Fn(&T) -> bool) -> &mut [T] {
    let mut count = 0;
    for number in 0..all.len() {
        if all.get(number).is_some_and(&is_it) {
            all.swap(number, count);
            count += 1;
        }
    }
    all.get_mut(..count).unwrap_or_default()
}

/// Moves to the value of a key; whether an object with it comes next.
pub(super) fn find_key(json: &mut Json<'_>, key: &str) -> bool {
    if json.form() != Form::Object {
        return false;
    }
    let mut entries = json.open_object();
    json.seek(&mut entries, key)
}
