//! `{"variant": content}`, or only the name for a variant without content.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    super::{
        at::At,
        here::Way,
        input::{Entries, Input},
        keys::{null_of_another, unknown_key},
        meant::{holds, take_out},
        take::{Take, take},
    },
    tag::strict_nulls,
    variants::{Named, Variants, find_noted, report_no_such},
};
use crate::{
    json::{Form, Inside, Json, Source},
    report::{IssueKind, Step},
    schema::{Schema, Union as Rules, expected},
    text::{is_equal, quoted},
};

pub(super) fn read_external(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    // Two functions, so that neither saves registers for the other.
    if input.as_object().is_some() {
        read_in_memory(input, rules, variants, at)
    } else {
        read_in_text(input, rules, variants, at)
    }
}

/// Like `read_external`, for an object in memory. It nearly always has one key, the name of a variant with content.
#[inline(never)]
fn read_in_memory(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    mut at: At<'_>,
) -> bool {
    if let Some(map) = input.as_object()
        && map.len() == 1
        && !at.too_deep()
        && let Some((key, value)) = map.iter().next()
        && let Some((index, name, content)) = plain_content(key.as_bytes(), rules)
        && !(value.is_null() && strict_nulls(&at))
    {
        input.move_to(value);
        input.count_steps(1);
        return at.below(Way::Key(name), content, |at| {
            variants.read(index, input, at)
        });
    }
    read_rare(input, rules, variants, at)
}

/// Reads any value that is not just the name of a variant with its content.
#[cold]
#[inline(never)]
fn read_rare(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    take(input, External { rules, variants }, at).is_some()
}

/// Like `read_external`, for an object in a text, and for any other form.
#[inline(never)]
fn read_in_text(
    input: &mut Input<'_>,
    rules: &Rules,
    variants: &mut dyn Variants,
    mut at: At<'_>,
) -> bool {
    if !at.too_deep()
        && let Some(json) = input.as_text()
        && json.is_object()
        && let Some(named) = take_plain_content(json, rules, strict_nulls(&at))
    {
        let is_there = read_content(input, named, variants, &mut at);
        if input.closes() {
            return is_there;
        }
        return read_further(input, rules, (named.0, is_there), variants, at);
    }
    read_rare(input, rules, variants, at)
}

/// The variant with exactly this name, if it has content: its number, its name and its schema.
#[inline(always)]
#[allow(clippy::inline_always)] // a call would pass all of it through memory
fn plain_content<'s>(key: &[u8], rules: &'s Rules) -> Option<(usize, &'s str, &'s Schema)> {
    let mut variants = rules.variants.iter().enumerate();
    let (index, variant) = variants.find(|(_, variant)| {
        let name = variant.name.part().as_bytes();
        // Most other names differ in one of these.
        name.len() == key.len() && name.first() == key.first() && is_equal(name, key)
    })?;
    Some((index, variant.name.part(), variant.content.as_deref()?))
}

/// Like `plain_content`, for the first key of the object that comes next in a text. Takes the key, unless null follows
/// it and may have no meaning.
#[inline]
fn take_plain_content<'s>(
    json: &mut Json<'_>,
    rules: &'s Rules,
    strict_nulls: bool,
) -> Option<(usize, &'s str, &'s Schema)> {
    let before = *json;
    let mut variants = rules.variants.iter().enumerate();
    let (index, variant) = variants.find(|(_, variant)| json.key_is(b'{', variant.name.part()))?;
    match variant.content.as_deref() {
        Some(content) if !(strict_nulls && json.is_null()) => {
            Some((index, variant.name.part(), content))
        }
        _ => {
            *json = before;
            None
        }
    }
}

/// Reads the keys behind the first one, whose content was read.
#[inline(never)]
fn read_further(
    input: &mut Input<'_>,
    rules: &Rules,
    read: (usize, bool),
    variants: &mut dyn Variants,
    at: At<'_>,
) -> bool {
    let mut entries = Entries::Text(Inside::BEHIND_FIRST);
    let second = input.next_key(&mut entries);
    let keys = Keys {
        count: 1,
        read: Some(read),
        ..Keys::default()
    };
    let union = External { rules, variants };
    let is_there = union.read_keys(input, &mut entries, second, keys, at);
    is_there.is_some()
}

/// The most keys that are reported for not being the name of a variant.
const TOLD: usize = 16;

struct External<'a> {
    rules: &'a Rules,
    variants: &'a mut dyn Variants,
}

/// A variant whose content is null: its number, the schema of its content, its name.
type Nulled<'s> = (usize, &'s Schema, &'s str);

/// The variants that the keys of an object name.
#[derive(Default)]
struct Keys<'s> {
    /// The number of keys, except those with a null that has no meaning.
    count: usize,
    /// The reported keys that are not the name of a variant.
    wrong: Vec<String>,
    /// The number of variants with a null.
    nulls: usize,
    /// The first variant with a null that takes it, and the first that does not.
    null: Option<Nulled<'s>>,
    other_null: Option<Nulled<'s>>,
    /// The first variant without content.
    unit: Option<&'s str>,
    /// The variant whose content was read, and whether there is a value.
    read: Option<(usize, bool)>,
}

impl Take for External<'_> {
    type Out = ();

    fn text(self, value: Cow<'_, str>, mut at: At<'_>) -> Option<()> {
        let Self { rules, variants } = self;
        if let Some(Named { index, variant, .. }) = find_noted(&value, rules, &mut at) {
            if variant.content.is_none() {
                return variants.unit(index).then_some(());
            }
            let words = format!(
                "an object whose single key is {}",
                quoted(variant.name.part())
            );
            at.issue(IssueKind::WrongType, words, quoted(&value));
            return None;
        }
        if !holds(&value, &mut at) {
            report_no_such(&value, expected(at.schema()), &mut at);
            return None;
        }
        let mut is_there = false;
        take_out(&value, at, &mut |input, at| {
            is_there = read_external(input, rules, variants, at);
        });
        is_there.then_some(())
    }

    fn object(self, input: &mut Input<'_>, at: At<'_>) -> Option<()> {
        let mut entries = input.open_object();
        let first = input.next_key(&mut entries);
        self.read_keys(input, &mut entries, first, Keys::default(), at)
    }
}

impl<'s> External<'s> {
    /// Reads the keys from this one on, if there is more than the name of a variant with its content.
    #[inline(never)]
    fn read_keys<'de>(
        self,
        input: &mut Input<'de>,
        entries: &mut Entries<'de>,
        first: Option<Cow<'de, str>>,
        mut keys: Keys<'s>,
        mut at: At<'_>,
    ) -> Option<()> {
        let Self { rules, variants } = self;
        let mut next = first;
        while let Some(key) = next {
            keys.count += 1;
            if let Some(named) = find_noted(&key, rules, &mut at) {
                read_variant(input, &named, &mut keys, variants, &mut at);
            } else {
                input.skip();
                if keys.wrong.len() < TOLD {
                    keys.wrong.push(key.into_owned());
                }
            }
            next = input.next_key(entries);
        }
        if input.is_broken() {
            return None;
        }
        if keys.count == 1
            && keys.nulls == 0
            && let Some((_, is_there)) = keys.read
        {
            return is_there.then_some(());
        }
        choose(keys, rules, variants, at).then_some(())
    }
}

/// Reads the content of a variant, given by its number, its name and its schema. Returns whether there is a value.
fn read_content(
    input: &mut Input<'_>,
    (index, name, content): (usize, &str, &Schema),
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) -> bool {
    at.below(Way::Key(name), content, |mut at| {
        let is_there = variants.read(index, input, at.reborrow());
        if input.is_broken() {
            at.note_broken();
        }
        is_there
    })
}

/// Reads the value at the name of a variant. Only the first content is read, since more than one is an error. Null may
/// have no meaning.
fn read_variant<'s>(
    input: &mut Input<'_>,
    named: &Named<'s>,
    keys: &mut Keys<'s>,
    variants: &mut dyn Variants,
    at: &mut At<'_>,
) {
    let name = named.variant.name.part();
    let Some(content) = named.variant.content.as_deref() else {
        input.skip();
        keys.unit.get_or_insert(name);
        return;
    };
    if strict_nulls(at) && input.form() == Form::Null {
        input.skip();
        keys.count -= 1;
        keys.nulls += 1;
        let nulled = Some((named.index, content, name));
        if content.nullable && keys.null.is_none() {
            keys.null = nulled;
        } else {
            keys.other_null = keys.other_null.or(nulled);
            null_of_another(name, at);
        }
        return;
    }
    if let Some((read, _)) = keys.read {
        input.skip();
        if read == named.index {
            // The same variant, given twice.
            keys.count -= 1;
            at.below(Way::Key(name), content, |mut at| {
                at.issue(IssueKind::DuplicateKey, "once", "more than once");
            });
        }
        return;
    }
    let is_there = read_content(input, (named.index, name, content), variants, at);
    keys.read = Some((named.index, is_there));
}

/// Decides by all keys whether there is a value, if they are not just the name of one variant.
#[cold]
#[inline(never)]
fn choose(mut keys: Keys<'_>, rules: &Rules, variants: &mut dyn Variants, mut at: At<'_>) -> bool {
    if let Some(name) = keys.unit
        && (keys.count == 1 || !keys.wrong.is_empty())
    {
        at.issue(IssueKind::WrongType, quoted(name), "an object");
    }
    if !keys.wrong.is_empty() {
        let carrying = rules.variants.iter().filter(|v| v.content.is_some());
        let names: Vec<&str> = carrying.map(|v| v.name.part()).collect();
        for key in keys.wrong {
            let path = at.path().join(Step::Key(key));
            at.state().push(unknown_key(path, &names));
        }
        return false;
    }
    if keys.nulls == 1 && keys.count == 0 {
        // The only key. Its variant is meant, even if the content is wrong.
        keys.null = keys.null.or(keys.other_null);
    }
    match keys.null {
        Some((index, content, name)) if keys.count == 0 => {
            return at.below(Way::Key(name), content, |at| {
                variants.read(index, &mut Input::value(&Value::Null), at)
            });
        }
        Some((_, _, name)) => null_of_another(name, &mut at),
        None => {}
    }
    if keys.count != 1 {
        let words = expected(at.schema());
        let found = format!("an object of {} keys", keys.count);
        at.issue(IssueKind::NoVariant, words, found);
        return false;
    }
    keys.read.is_some_and(|(_, is_there)| is_there)
}
