//! Parameters that were given in a place where no field takes them, although the schema has another place for them.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{state::State, wrapped::meant};
use crate::{
    report::{FixKind, Issue, IssueKind, Path, Step},
    schema::{Field, Kind, Object, Schema, Tagging, Union, Unknown, Variant, is_again},
};

/// The most unknown keys to look at, and the most keys inside each.
const KEYS: usize = 16;
const INSIDE: usize = 8;
/// The most keys of an object to search for one in another case, and the most items of a list. Without these limits,
/// the time for each key would grow with the call.
const GIVEN: usize = 64;
const ITEMS: usize = 16;
/// The most levels of the schema to search below an object.
const LEVELS: usize = 3;

/// The issues of unknown keys that name a missing parameter of another object, or contain one. If such a key were
/// dropped, the call would run without the parameter.
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

/// Whether the arguments may contain another object with parameters.
fn holds_objects(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Object(rules) => compound(rules).next().is_some(),
        _ => !is_simple(schema),
    }
}

/// The fields that may contain objects.
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

/// An object on the path to a key of the call, and the next key on this path.
struct Level<'a> {
    rules: &'a Object,
    given: &'a Map<String, Value>,
    next: &'a str,
}

/// The issue of a key that is misplaced. It quotes only names of the schema: a key of the model may be long or secret.
fn find(path: &Path, schema: &Schema, call: &Value) -> Option<Issue> {
    let (Step::Key(key), parent) = path.steps().split_last()? else {
        return None;
    };
    let levels = walk(schema, call, parent)?;
    let (here, around) = levels.split_last()?;
    // If the object declares no keys, it takes every key.
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

/// The parameter below or around an object that a key means, with the hint for the model.
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
    // A missing required parameter is a fault already.
    let is_optional = level.rules.field(name).is_some_and(|field| !field.required);
    (is_optional && !gives(level.rules, level.given, name)).then_some(name)
}

fn gives(rules: &Object, given: &Map<String, Value>, name: &str) -> bool {
    value_of(rules, given, name).is_some()
}

/// The value that was given for a parameter, perhaps under another spelling of its name.
fn value_of<'a>(rules: &Object, given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    given.get(name).or_else(|| {
        let mut entries = given.iter().take(GIVEN);
        let named = entries.find(|(key, _)| meant(rules, key) == Some(name));
        named.map(|(_, value)| value)
    })
}

/// The objects on a path from the arguments, with the last one.
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

/// The contents of a union whose variants have their keys in the object itself. If the value names a variant, only
/// the content of that one.
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

/// The parameter that a key means in an object below another one, and the place of that object.
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
