//! Parameters that were given at another place than the schema has for them, where nothing takes them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{state::State, wrapped::meant};
use crate::{
    report::{FixKind, Issue, IssueKind, Path, Step},
    schema::{Field, Kind, Object, Schema, Tagging, Union, Unknown, Variant, is_again},
};

/// How many keys that nothing takes are looked at, and how many keys inside of each.
const KEYS: usize = 16;
const INSIDE: usize = 8;
/// How many keys of an object are looked at for one in another case, and how many items of a list: a long call must
/// not take longer for each key in it.
const GIVEN: usize = 64;
const ITEMS: usize = 16;
/// How many levels of the schema are searched below an object.
const LEVELS: usize = 3;

/// The issues of keys that nothing takes and that name a parameter of another object which was not given, or hold one.
/// To drop them would run the call without it.
pub(super) fn misplaced<'a>(
    state: &State,
    schema: &Schema,
    call: impl FnOnce() -> Option<Cow<'a, Value>>,
) -> Vec<Issue> {
    if !state.strangers || !state.policy.guards_names() || !holds_objects(schema) {
        return Vec::new();
    }
    let dropped = state.fixes().iter();
    let dropped = dropped.filter(|fix| fix.kind == FixKind::UnknownDropped);
    let kept = state.notes().into_iter().flat_map(|notes| &notes.kept);
    let mut strangers = dropped.map(|fix| &fix.path).chain(kept).peekable();
    let call = strangers.peek().and_then(|_| call());
    let Some(call) = call else {
        return Vec::new();
    };
    let issues = strangers.take(KEYS);
    issues
        .filter_map(|path| find(path, schema, &call))
        .collect()
}

/// Whether there is an object inside of the arguments, whose parameters stand at another place.
fn holds_objects(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Object(rules) => compound(rules).next().is_some(),
        _ => !is_simple(schema),
    }
}

/// The fields in which there may be objects.
fn compound(rules: &Object) -> impl Iterator<Item = &Field> {
    let fields = rules.all_fields();
    fields.filter(|field| match &field.schema.kind {
        Kind::List(list) => !is_simple(&list.items),
        _ => !is_simple(&field.schema),
    })
}

fn is_simple(schema: &Schema) -> bool {
    matches!(
        schema.kind,
        Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
    )
}

/// An object of the call on the way to a key, and the key of it that is next on the way.
struct Level<'a> {
    rules: &'a Object,
    given: &'a Map<String, Value>,
    next: &'a str,
}

/// The words quote what the schema declares and no key of the model, which may be long, or secret.
fn find(path: &Path, schema: &Schema, call: &Value) -> Option<Issue> {
    let (Step::Key(key), parent) = path.steps().split_last()? else {
        return None;
    };
    let levels = walk(schema, call, parent)?;
    let (here, around) = levels.split_last()?;
    // Where nothing is declared, every key is meant.
    let is_free = here.rules.fields.is_empty() && here.rules.unknown == Unknown::Keep;
    let value = here.given.get(key).filter(|value| !value.is_null())?;
    if is_free {
        return None;
    }
    let (name, hint) = elsewhere(here, around, key, "").or_else(|| {
        let inside = value.as_object().into_iter().flatten();
        let mut inside = inside.filter(|(_, value)| !value.is_null()).take(INSIDE);
        inside.find_map(|(inside, _)| match free(here, inside) {
            Some(name) => Some((name, format!("take `{name}` out of it"))),
            None => elsewhere(here, around, inside, " in it"),
        })
    })?;
    let issue = Issue::new(path.clone(), IssueKind::UnknownKey, format!("`{name}`"), "");
    Some(issue.with_hint(hint))
}

/// The parameter below an object or around it that a key means, and what to do with it.
fn elsewhere<'a>(
    here: &Level<'a>,
    around: &[Level<'a>],
    key: &str,
    in_it: &str,
) -> Option<(&'a str, String)> {
    let beside = |level: &Level<'a>| Some((free(level, key)?, format!("beside `{}`", level.next)));
    let (name, place) = below(here, key).or_else(|| around.iter().rev().find_map(beside))?;
    let hint = format!("`{name}`{in_it} belongs {place}: move it there, or leave it out");
    Some((name, hint))
}

/// The optional parameter of an object that a key means, unless it was given.
fn free<'a>(level: &Level<'a>, key: &str) -> Option<&'a str> {
    let name = meant(level.rules, key)?;
    // What is required and missing is a fault already.
    let is_optional = level.rules.field(name).is_some_and(|field| !field.required);
    (is_optional && !gives(level.rules, level.given, name)).then_some(name)
}

fn gives(rules: &Object, given: &Map<String, Value>, name: &str) -> bool {
    value_of(rules, given, name).is_some()
}

/// The value that was given for a parameter, whose key may be written in another way.
fn value_of<'a>(rules: &Object, given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    given.get(name).or_else(|| {
        let mut entries = given.iter().take(GIVEN);
        let named = entries.find(|(key, _)| meant(rules, key) == Some(name));
        named.map(|(_, value)| value)
    })
}

/// The objects on a way from the arguments, with the one that it ends at.
fn walk<'a>(schema: &'a Schema, call: &'a Value, steps: &'a [Step]) -> Option<Vec<Level<'a>>> {
    let mut levels = Vec::new();
    let (mut schema, mut value) = (schema, call);
    let mut steps = steps.iter();
    loop {
        if is_again(schema) {
            return None;
        }
        match (&schema.kind, value) {
            (Kind::Union(rules), _) => {
                let mut contents = contents(rules, Some(value));
                let content = contents.next().filter(|_| contents.next().is_none());
                schema = content?;
            }
            (Kind::Object(rules), Value::Object(given)) => {
                let mut level = Level {
                    rules,
                    given,
                    next: "",
                };
                let Some(step) = steps.next() else {
                    levels.push(level);
                    return Some(levels);
                };
                let Step::Key(key) = step else {
                    return None;
                };
                level.next = key;
                levels.push(level);
                schema = rules.field(key)?.schema.part();
                value = value_of(rules, given, key)?;
            }
            (Kind::Map(rules), Value::Object(given)) => {
                let Step::Key(key) = steps.next()? else {
                    return None;
                };
                schema = rules.values.part();
                value = given.get(key)?;
            }
            (Kind::List(rules), Value::Array(items)) => {
                let Step::Index(index) = steps.next()? else {
                    return None;
                };
                schema = rules.items.part();
                value = items.get(*index)?;
            }
            _ => return None,
        }
    }
}

/// The forms of a union in which all keys stand beside each other, or those of the variant that a value names.
fn contents<'a>(rules: &'a Union, value: Option<&Value>) -> impl Iterator<Item = &'a Schema> {
    let tag = match &rules.tagging {
        Tagging::Internal { tag } => value.and_then(|value| value.get(tag.part())?.as_str()),
        _ => None,
    };
    let is_meant = |variant: &&Variant| tag.is_none_or(|tag| variant.name == *tag);
    let variants: Vec<_> = match rules.tagging {
        Tagging::Internal { .. } | Tagging::None => {
            rules.variants.iter().filter(is_meant).collect()
        }
        Tagging::External | Tagging::Adjacent { .. } => Vec::new(),
    };
    let contents = variants.into_iter();
    contents.filter_map(|variant| variant.content.as_deref())
}

/// The parameter that a key means in an object below another one, and where that is.
fn below<'a>(level: &Level<'a>, key: &str) -> Option<(&'a str, String)> {
    compound(level.rules).find_map(|field| {
        let name = field.name.part();
        let value = value_of(level.rules, level.given, name);
        let way = inside(&Path::default(), name);
        in_value(field.schema.part(), value, key, &way, LEVELS)
    })
}

fn inside(way: &Path, name: &str) -> Path {
    let steps = way.steps().iter().cloned();
    steps.chain([Step::Key(name.to_owned())]).collect()
}

fn in_value<'a>(
    schema: &'a Schema,
    value: Option<&Value>,
    key: &str,
    way: &Path,
    levels: usize,
) -> Option<(&'a str, String)> {
    if levels == 0 || is_again(schema) {
        return None;
    }
    match &schema.kind {
        Kind::Object(rules) => {
            let given = value.and_then(Value::as_object);
            let name = meant(rules, key);
            if let Some(name) = name
                && !given.is_some_and(|given| gives(rules, given, name))
            {
                return Some((name, format!("in `{way}`")));
            }
            compound(rules).find_map(|field| {
                let name = field.name.part();
                let value = given.and_then(|given| value_of(rules, given, name));
                in_value(
                    field.schema.part(),
                    value,
                    key,
                    &inside(way, name),
                    levels - 1,
                )
            })
        }
        Kind::List(rules) => {
            let items = value.and_then(Value::as_array).map(Vec::as_slice);
            let items = items.unwrap_or_default().iter().take(ITEMS).map(Some);
            let none = items.len() == 0;
            let mut items = items.chain(none.then_some(None));
            let (name, place) =
                items.find_map(|item| in_value(rules.items.part(), item, key, way, levels - 1))?;
            let is_own = place == format!("in `{way}`");
            Some((
                name,
                if is_own {
                    format!("in each item of `{way}`")
                } else {
                    place
                },
            ))
        }
        Kind::Union(rules) => {
            let mut forms = contents(rules, value);
            let is_given = |schema: &Schema| {
                let Kind::Object(rules) = &schema.kind else {
                    return false;
                };
                let given = value.and_then(Value::as_object);
                meant(rules, key)
                    .zip(given)
                    .is_some_and(|(name, given)| gives(rules, given, name))
            };
            if contents(rules, value).any(is_given) {
                return None;
            }
            forms.find_map(|form| in_value(form, value, key, way, levels - 1))
        }
        _ => None,
    }
}
