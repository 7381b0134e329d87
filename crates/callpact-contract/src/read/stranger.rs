//! Keys of an object that are not the name of a field: other spellings, collected keys, unknown ones, repeated ones.

use super::{
    any::ANY,
    at::At,
    fields::{Facts, Fields, by_alias, by_case, by_safe_name},
    found::Found,
    here::Way,
    input::Input,
    keys::Keys,
};
use crate::{
    json::{Form, Source},
    report::{Fix, FixKind, IssueKind},
    schema::{Field, Kind, Schema, Union, Unknown, Variant},
    text::{cut, only_by_case, quoted},
};

/// The meaning of a key that is not the name of a field.
enum Stranger<'s> {
    /// It means a field, whose value must be read.
    Field(usize, &'s Field),
    /// A map takes it; with the schema of its value.
    Other(&'s Schema),
    /// Nothing takes its value.
    Nothing,
}

/// Handles a key that is not the name of a field. Returns the field if the key means one, and the caller reads its
/// value. The value of any other key is read or skipped here.
#[cold]
#[inline(never)]
pub(super) fn read_stranger<'s>(
    key: &str,
    keys: &mut Keys<'_>,
    facts: &Facts<'s>,
    fields: &mut dyn Fields,
    input: &mut Input<'_>,
    at: &mut At<'_>,
) -> Option<(usize, &'s Field)> {
    if at.is_tag(key) {
        keys.tags += 1;
        input.skip();
        return None;
    }
    if input.form() == Form::Null
        && let Some((union, own)) = at.others()
        && belongs_to_another(key, union, own)
    {
        if input.take_word() {
            let rare = keys.rare.get_or_insert_default();
            rare.nulls.push(key.to_owned());
        }
        return None;
    }
    match stranger(key, facts, keys, at) {
        Stranger::Field(number, field) => return Some((number, field)),
        Stranger::Other(schema) => at.below(Way::Key(key), schema, |mut at| {
            fields.read_other(key, input, at.reborrow());
            if input.is_broken() {
                at.note_broken();
            }
        }),
        Stranger::Nothing => input.skip(),
    }
    None
}

/// The meaning of a key, without reading its value.
fn stranger<'s>(
    key: &str,
    facts: &Facts<'s>,
    keys: &mut Keys<'_>,
    at: &mut At<'_>,
) -> Stranger<'s> {
    let rules = facts.rules;
    if let Some((number, field)) = by_safe_name(facts, key, at) {
        if keys.has(number) {
            at.field(field, |at| given_twice(key, field, at));
            return Stranger::Nothing;
        }
        return Stranger::Field(number, field);
    }
    if let Some((number, field)) = by_alias(facts, key, at) {
        if keys.has(number) {
            at.field(field, |at| given_twice(key, field, at));
            return Stranger::Nothing;
        }
        at.field(field, |mut at| {
            at.fixed(FixKind::Alias, &Found::Text(key), quoted(field.name.part()));
        });
        return Stranger::Field(number, field);
    }
    if let Some(schema) = &rules.extra {
        let schema = schema.part();
        if keys.collect(key) {
            return Stranger::Other(schema);
        }
        at.below(Way::Key(key), schema, duplicate);
        return Stranger::Nothing;
    }
    let Some((number, field)) = by_case(facts, key, at) else {
        if let Some(tagged) = keys.tagged
            && is_by_case(key, tagged.tag, rules.unknown, at)
        {
            key_twice(key, tagged.tag, at);
            return Stranger::Nothing;
        }
        keys.pass_stranger(key, facts, at);
        if rules.unknown != Unknown::Keep {
            return Stranger::Nothing;
        }
        if keys.collect(key) {
            return Stranger::Other(ANY);
        }
        at.below(Way::Key(key), ANY, duplicate);
        return Stranger::Nothing;
    };
    if keys.has(number) {
        at.field(field, |at| given_twice(key, field, at));
        return Stranger::Nothing;
    }
    at.field(field, |mut at| {
        at.fixed(
            FixKind::KeyCase,
            &Found::Text(key),
            quoted(field.name.part()),
        );
    });
    Stranger::Field(number, field)
}

/// Whether a key belongs to another variant and not to this one.
pub(crate) fn belongs_to_another(key: &str, rules: &Union, own: &Variant) -> bool {
    let has = |variant: &Variant| {
        variant.content.as_ref().is_some_and(|content| {
            let collects = matches!(&content.kind, Kind::Object(rules) if rules.extra.is_some());
            collects
                || content
                    .fields()
                    .any(|field| field.name == *key || field.aliases.contains(&key))
                || matches!(&content.kind, Kind::Object(rules)
                    if rules.walk().any(|field| rules.is_safe_name_of(field, key)))
        })
    };
    !has(own) && rules.variants.iter().any(has)
}

#[cold]
fn duplicate(mut at: At<'_>) {
    at.issue(IssueKind::DuplicateKey, "once", "more than once");
}

/// Whether a key that is not a field differs from this name only in case, and is read as the name.
pub(super) fn is_by_case(key: &str, name: &str, unknown: Unknown, at: &At<'_>) -> bool {
    at.converts()
        && unknown != Unknown::Ignore
        && only_by_case(key, std::iter::once(name)).is_some()
}

/// Reports a key below that was already given, perhaps in another case.
#[cold]
pub(super) fn key_twice(key: &str, name: &str, at: &mut At<'_>) {
    at.below(Way::Key(name), ANY, |at| named_twice(key, name, at));
}

/// Reports a field that was already given, perhaps under another name.
#[cold]
pub(super) fn given_twice(key: &str, field: &Field, at: At<'_>) {
    named_twice(key, field.name.part(), at);
}

fn named_twice(key: &str, name: &str, mut at: At<'_>) {
    let path = at.path();
    let named = |fix: &&Fix| {
        matches!(fix.kind, FixKind::Alias | FixKind::KeyCase)
            && fix.path == path
            && fix.to == quoted(name)
    };
    let before = at
        .state()
        .fixes()
        .iter()
        .rfind(named)
        .map(|fix| fix.from.clone());
    let before = before.unwrap_or_else(|| quoted(name).into());
    if at.secret() || before == quoted(key) {
        return duplicate(at);
    }
    let both = format!("`{}` and `{}`", before.trim_matches('"'), cut(key, 64));
    at.issue(IssueKind::DuplicateKey, "once", both);
}
