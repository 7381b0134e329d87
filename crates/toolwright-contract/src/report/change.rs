//! What a hint proposes, done to the text of a call.

use std::borrow::Cow;

use super::path::Part;
use crate::{
    json::{Form, Json, Source},
    schema::{Field, Kind, Schema, is_again},
    text::is_equal,
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
    /// Send what is behind these keys in place of the whole.
    Unwrap(Vec<String>),
}

/// A proposal for the fault at a place.
pub(super) struct Change<'a> {
    pub(super) path: Vec<Part<'a>>,
    pub(super) proposal: &'a Proposal,
}

/// A call with changes in it, without what cannot matter for them.
pub(super) struct Changed<'a> {
    pub(super) text: String,
    /// The objects that lost the keys on no way to a change.
    pub(super) thinned: Vec<&'a [Part<'a>]>,
}

/// More fields than this are kept, since each that is left out is a fault of its own when it is read.
const FEW_FIELDS: usize = 16;

/// Does the changes to a call; `None` where one of them cannot be done. An object that has a fault beside the
/// changes is not built in any case: of it only the keys on the way to a change stay.
pub(super) fn change_call<'a>(
    call: &str,
    schema: &Schema,
    changes: &'a [Change<'a>],
    is_faulty_beside: &dyn Fn(&[Part<'_>]) -> bool,
) -> Option<Changed<'a>> {
    // Every parameter that stands in the wrapper proposes this once.
    if let Some(Proposal::Unwrap(keys)) = changes.first().map(|change| change.proposal) {
        let same = |change: &Change<'_>| *change.proposal == Proposal::Unwrap(keys.clone());
        let mut json = Json::new(call);
        let is_there = keys.iter().all(|key| find_key(&mut json, key));
        return (is_there && changes.iter().all(same)).then_some(Changed {
            text: json.take_written()?.to_owned(),
            thinned: Vec::new(),
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
        },
    };
    let all: Vec<&'a Change<'a>> = changes.iter().collect();
    writer.put(&mut Json::new(call), Some(schema), 0, &all)?;
    (writer.done == changes.len()).then_some(writer.out)
}

struct Writer<'a, 'f> {
    is_faulty_beside: &'f dyn Fn(&[Part<'_>]) -> bool,
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
        changes: &[&'a Change<'a>],
    ) -> Option<()> {
        if changes.is_empty() {
            self.out.text.push_str(json.take_written()?);
            return Some(());
        }
        if let Some(change) = changes.iter().find(|change| change.path.len() == depth) {
            return self.put_value(json, change.proposal);
        }
        match json.form() {
            Form::Object => self.put_object(json, schema, depth, changes),
            Form::List => self.put_list(json, schema, depth, changes),
            _ => None,
        }
    }

    fn put_list(
        &mut self,
        json: &mut Json<'_>,
        schema: Option<&Schema>,
        depth: usize,
        changes: &[&'a Change<'a>],
    ) -> Option<()> {
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
            let inside = through(changes, depth, step);
            let schema = schema.and_then(|schema| part_of(schema, step));
            self.put(json, schema, depth + 1, &inside)?;
        }
        self.goes_on = goes_on;
        self.close(json, open == '[', "[", ']')
    }

    fn put_object(
        &mut self,
        json: &mut Json<'_>,
        schema: Option<&Schema>,
        depth: usize,
        changes: &[&'a Change<'a>],
    ) -> Option<()> {
        let here = changes.first()?.path.get(..depth)?;
        let is_small = |schema: &Schema| match &schema.kind {
            Kind::Object(rules) => rules.fields.len() <= FEW_FIELDS,
            _ => false,
        };
        let thin = schema.is_some_and(is_small) && (self.is_faulty_beside)(here);
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
            let (change, inside) = at_key(changes, depth, &key);
            let key = match change {
                Some(Proposal::LeaveOut) => {
                    self.done += 1;
                    json.skip();
                    continue;
                }
                Some(Proposal::Rename { to, .. }) => {
                    self.done += 1;
                    Cow::Owned(to.clone())
                }
                _ if thin && inside.is_empty() => {
                    json.skip();
                    continue;
                }
                _ => key,
            };
            self.out.text.push(open);
            open = ',';
            put_text(&key, &mut self.out.text);
            self.out.text.push(':');
            let schema = schema.and_then(|schema| part_of(schema, Part::Key(&key)));
            self.put(json, schema, depth + 1, &inside)?;
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

    /// Writes the next value as a proposal has it.
    fn put_value(&mut self, json: &mut Json<'_>, proposal: &Proposal) -> Option<()> {
        self.done += 1;
        let out = &mut self.out.text;
        if *proposal == Proposal::Unquote {
            if json.form() != Form::Text {
                return None;
            }
            out.push_str(&json.take_text()?);
            return Some(());
        }
        let written = json.take_written()?;
        match proposal {
            Proposal::Choose(name) => put_text(name, out),
            Proposal::Quote | Proposal::List => {
                let [start, end] = if *proposal == Proposal::Quote {
                    ['"', '"']
                } else {
                    ['[', ']']
                };
                out.push(start);
                out.push_str(written);
                out.push(end);
            }
            Proposal::Item => {
                let mut list = Json::new(written);
                let mut items = list.open_list();
                list.next_item(&mut items);
                out.push_str(list.take_written()?);
            }
            _ => return None,
        }
        Some(())
    }
}

/// The change of a key of the object at a depth, and the changes at its value or inside of it.
fn at_key<'a>(
    changes: &[&'a Change<'a>],
    depth: usize,
    key: &str,
) -> (Option<&'a Proposal>, Vec<&'a Change<'a>>) {
    let mut of_key = None;
    let mut inside = Vec::new();
    for change in changes {
        let is_last = change.path.len() == depth + 1;
        let named = matches!(change.path.get(depth), Some(Part::Key(name)) if *name == key);
        match change.proposal {
            Proposal::Rename { from, .. } if is_last && from == key => {
                of_key = Some(change.proposal);
            }
            Proposal::LeaveOut if is_last && named => of_key = Some(change.proposal),
            Proposal::Rename { .. } | Proposal::LeaveOut if is_last => {}
            _ if named => inside.push(*change),
            _ => {}
        }
    }
    (of_key, inside)
}

fn through<'a>(changes: &[&'a Change<'a>], depth: usize, step: Part<'_>) -> Vec<&'a Change<'a>> {
    let is_there = |change: &&&Change<'_>| change.path.get(depth) == Some(&step);
    changes.iter().filter(is_there).copied().collect()
}

/// The schema one step down, where the step alone says which: not in a union.
pub(super) fn part_of<'s>(schema: &'s Schema, step: Part<'_>) -> Option<&'s Schema> {
    match (&schema.kind, step) {
        (Kind::Object(rules), Part::Key(key)) => {
            let known = |field: &&Field| {
                is_equal(field.name.part().as_bytes(), key.as_bytes()) && !field.flatten
            };
            let field = rules.fields.iter().find(known)?;
            (!is_again(&field.schema)).then(|| field.schema.part())
        }
        (Kind::List(rules), Part::Index(_)) => {
            (!is_again(&rules.items)).then(|| rules.items.part())
        }
        _ => None,
    }
}

/// A value that a hint looks at.
pub(super) struct Wanted<'p, 't> {
    /// The number of its issue.
    pub(super) number: usize,
    pub(super) place: Vec<Part<'p>>,
    /// The text from the value on, once it is found. Of a key that is given twice the first counts.
    pub(super) value: Option<Json<'t>>,
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
        if one.place.len() == depth && one.value.is_none() {
            one.value = Some(*json);
            *left -= 1;
        }
    }
    let inside = gather(wanted, |one| one.place.len() > depth);
    match json.form() {
        Form::Object if !inside.is_empty() => {
            let mut entries = json.open_object();
            while *left > 0
                && let Some(key) = json.next_key(&mut entries)
            {
                let step = Some(&Part::Key(&key));
                let behind = gather(inside, |one| one.place.get(depth) == step);
                walk_to(json, depth + 1, behind, left);
            }
        }
        Form::List if !inside.is_empty() => {
            let mut items = json.open_list();
            let mut index = 0;
            while *left > 0 && json.next_item(&mut items) {
                let step = Some(&Part::Index(index));
                let behind = gather(inside, |one| one.place.get(depth) == step);
                walk_to(json, depth + 1, behind, left);
                index += 1;
            }
        }
        _ => json.skip(),
    }
}

/// Moves those that are asked for to the front.
fn gather<T>(all: &mut [T], is_it: impl Fn(&T) -> bool) -> &mut [T] {
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

/// Writes a text as JSON.
fn put_text(text: &str, out: &mut String) {
    let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}
