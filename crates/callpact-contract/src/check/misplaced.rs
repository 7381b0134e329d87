//! Parameters that were given in a place where no field takes them, although the schema has another place for them.

use std::borrow::Cow;

use super::{
    state::CheckState,
    wrappers::{LEVELS, meant, object_in},
};
use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    report::{FixKind, Issue, IssueKind, Path, Step},
    schema::{Field, Kind, Object, Schema, Tagging, Union, Unknown, Variant},
    text::{only_by_case, ticked},
};

/// The most unknown keys to look at, and the most keys and items to look at inside each object and list of them.
const KEYS: usize = 16;
const INSIDE: usize = 8;
/// The most keys of an object to search for one in another case, and the most items of a list. Without these limits,
/// the time for each key would grow with the call.
const GIVEN: usize = 64;
const ITEMS: usize = 16;

/// The keys of a call that nothing takes and that are not faults: those that are dropped, and those that are sent on.
pub(super) fn unclaimed(state: &CheckState) -> impl Iterator<Item = &Path> {
    let dropped = state.fixes().iter();
    let dropped = dropped.filter(|fix| fix.kind == FixKind::UnknownDropped);
    let kept = state.notes().into_iter().flat_map(|notes| &notes.kept);
    dropped.map(|fix| &fix.path).chain(kept)
}

/// The issues of unknown keys that name a missing parameter of another object, or contain one. If such a key were
/// dropped, the call would run without the parameter.
pub(super) fn misplaced<'p>(
    unclaimed: impl Iterator<Item = &'p Path>,
    schema: &Schema,
    text: &str,
) -> Vec<Issue> {
    let document = JsonDocument::parse(text);
    let Some(call) = GivenValue::whole(&document) else {
        return Vec::new();
    };
    let paths = unclaimed.take(KEYS);
    paths.filter_map(|path| find(path, schema, call)).collect()
}

/// A value of the call.
#[derive(Clone, Copy)]
struct GivenValue<'a> {
    document: &'a JsonDocument<'a>,
    node: NodeId,
}

impl<'a> GivenValue<'a> {
    /// The whole value of a text that is JSON.
    fn whole(document: &'a JsonDocument<'a>) -> Option<Self> {
        document
            .broken_at()
            .is_none()
            .then_some(Self { document, node: 0 })
    }

    fn form(self) -> NodeForm {
        self.document.form(self.node)
    }

    fn string(self) -> Option<Cow<'a, str>> {
        self.document.string(self.node)
    }

    /// The keys and values of an object.
    fn entries(self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        let Self { document, node } = self;
        let object = (self.form() == NodeForm::Object).then_some(node);
        let keys = object.into_iter().flat_map(move |node| document.keys(node));
        keys.filter_map(move |key| {
            let value = Self {
                document,
                node: key + 1,
            };
            Some((document.string(key)?, value))
        })
    }

    /// The items of a list.
    fn items(self) -> impl Iterator<Item = Self> {
        let Self { document, node } = self;
        let list = (self.form() == NodeForm::List).then_some(node);
        let items = list.into_iter().flat_map(move |node| document.items(node));
        items.map(move |node| Self { document, node })
    }

    fn get(self, key: &str) -> Option<Self> {
        let node = self.document.get(self.node, key)?;
        Some(Self { node, ..self })
    }

    /// The value of a key, or of the first one that is it in another way.
    fn get_like(self, key: &str, is_it: impl Fn(&str) -> bool) -> Option<Self> {
        self.get(key).or_else(|| {
            let mut entries = self.entries().take(GIVEN);
            entries.find(|(key, _)| is_it(key)).map(|(_, value)| value)
        })
    }
}

/// Whether the arguments may contain another object with parameters.
pub(super) fn holds_objects(schema: &Schema) -> bool {
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
struct PathLevel<'a> {
    schema: &'a Schema,
    value: GivenValue<'a>,
    next: &'a str,
}

impl<'a> PathLevel<'a> {
    fn new(schema: &'a Schema, value: GivenValue<'a>) -> Self {
        Self {
            schema,
            value,
            next: "",
        }
    }

    /// The parameters of the object. The object around the content of a variant has none.
    fn rules(&self) -> Option<&'a Object> {
        match &self.schema.kind {
            Kind::Object(rules) => Some(rules),
            _ => None,
        }
    }
}

/// The issue of a key that is misplaced. It quotes only names of the schema: a key of the model may be long or secret.
fn find<'a>(path: &'a Path, schema: &'a Schema, call: GivenValue<'a>) -> Option<Issue> {
    let (Step::Key(key), parent) = path.steps().split_last()? else {
        return None;
    };
    let levels = walk(schema, call, parent)?;
    let (here, around) = levels.split_last()?;
    // If the object declares no keys, it takes every key.
    let takes_all = |rules: &Object| rules.fields.is_empty() && rules.unknown == Unknown::Keep;
    if here.rules().is_some_and(takes_all) {
        return None;
    }
    let value = here.value.get(key)?;
    if value.form() == NodeForm::Null {
        return None;
    }
    let mut homes = ParameterHomes::default();
    let place = elsewhere(here, around, key).or_else(|| behind_dot(here, key));
    if let Some((name, place)) = place {
        homes.add(name, Some(place));
        return homes.issue(path, "");
    }
    let mut inside = Vec::new();
    keys_inside(value, LEVELS, &mut inside);
    for key in &inside {
        if let Some(name) = free(here, key) {
            homes.add(name, None);
        } else if let Some((name, place)) = elsewhere(here, around, key) {
            homes.add(name, Some(place));
        }
    }
    homes.issue(path, " in it")
}

/// Where parameters belong that were given together: by place, those of the object around the key without one.
#[derive(Default)]
struct ParameterHomes<'a>(Vec<(Option<String>, Vec<&'a str>)>);

impl<'a> ParameterHomes<'a> {
    /// Adds a parameter, unless it is there.
    fn add(&mut self, name: &'a str, place: Option<String>) {
        if self.0.iter().any(|(_, names)| names.contains(&name)) {
            return;
        }
        match self.0.iter_mut().find(|(other, _)| *other == place) {
            Some((_, names)) => names.push(name),
            None => self.0.push((place, vec![name])),
        }
    }

    /// The issue of the key under which they were given.
    fn issue(&self, path: &Path, in_it: &str) -> Option<Issue> {
        let names = self.0.iter().flat_map(|(_, names)| names);
        let names: Vec<String> = names.map(|name| ticked(name)).collect();
        if names.is_empty() {
            return None;
        }
        let hints: Vec<String> = self
            .0
            .iter()
            .map(|(place, names)| {
                let shown: Vec<String> = names.iter().map(|name| ticked(name)).collect();
                let shown = and(&shown);
                match place {
                    None => format!("take {shown} out of it"),
                    Some(place) if names.len() == 1 => {
                        format!("{shown}{in_it} belongs {place}: move it there, or leave it out")
                    }
                    Some(place) => {
                        format!("{shown}{in_it} belong {place}: move them there, or leave them out")
                    }
                }
            })
            .collect();
        let issue = Issue::new(path.clone(), IssueKind::UnknownKey, names.join(", "), "");
        Some(issue.with_hint(hints.join("; ")))
    }
}

/// The names of a list, as a sentence has them.
fn and(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// The keys inside a value, or inside an object that it holds as a text, whose own value is not null.
fn keys_inside(value: GivenValue<'_>, levels: usize, keys: &mut Vec<String>) {
    let whole = levels;
    let Some(levels) = levels.checked_sub(1) else {
        return;
    };
    match value.form() {
        NodeForm::Object => {
            let given = value.entries();
            let given = given.filter(|(_, value)| value.form() != NodeForm::Null);
            let (names, values): (Vec<_>, Vec<_>) = given.take(INSIDE).unzip();
            keys.extend(names.into_iter().map(Cow::into_owned));
            for value in values {
                keys_inside(value, levels, keys);
            }
        }
        NodeForm::List => {
            let items = value.items().take(INSIDE);
            items.for_each(|item| keys_inside(item, levels, keys));
        }
        NodeForm::Text(_) => {
            let text = value.string().unwrap_or_default();
            let document = object_in(&text).map(JsonDocument::parse);
            if let Some(object) = document.as_ref().and_then(GivenValue::whole) {
                keys_inside(object, whole, keys);
            }
        }
        _ => {}
    }
}

/// The parameter below or around an object that a key means, and where that is.
fn elsewhere<'a>(
    here: &PathLevel<'a>,
    around: &[PathLevel<'a>],
    key: &str,
) -> Option<(&'a str, String)> {
    let beside = |level: &PathLevel<'a>| {
        let name = free(level, key)?;
        Some((name, format!("beside {}", ticked(level.next))))
    };
    below(here, key).or_else(|| around.iter().rev().find_map(beside))
}

/// The parameter of an inner object that a key names with both names, as `filter.field`, and where that is.
fn behind_dot<'a>(level: &PathLevel<'a>, key: &str) -> Option<(&'a str, String)> {
    let (outer, key) = key.split_once('.')?;
    let rules = level.rules()?;
    let outer = meant(rules, outer)?;
    let schema = rules.field(outer)?.schema.part();
    let value = value_of(rules, level.value, outer);
    in_value(schema, value, key, &inside(&Path::default(), outer), LEVELS)
}

/// The optional parameter of an object that a key means, unless it was given.
fn free<'a>(level: &PathLevel<'a>, key: &str) -> Option<&'a str> {
    let rules = level.rules()?;
    let name = meant(rules, key)?;
    // A missing required parameter is a fault already.
    let is_optional = rules.field(name).is_some_and(|field| !field.required);
    (is_optional && !gives(rules, level.value, name)).then_some(name)
}

fn gives(rules: &Object, value: GivenValue<'_>, name: &str) -> bool {
    value_of(rules, value, name).is_some()
}

/// The value that was given for a parameter, perhaps under another spelling of its name.
fn value_of<'a>(rules: &Object, value: GivenValue<'a>, name: &str) -> Option<GivenValue<'a>> {
    value.get_like(name, |key| meant(rules, key) == Some(name))
}

/// The value at a key that is no parameter: the name of a variant, or the key of its content.
fn value_at<'a>(value: GivenValue<'a>, key: &str) -> Option<GivenValue<'a>> {
    value.get_like(key, |other| is_but_for_case(other, key))
}

fn is_but_for_case(given: &str, name: &str) -> bool {
    only_by_case(given, [name].into_iter()).is_some()
}

/// The objects on a path from the arguments, with the last one.
fn walk<'a>(
    schema: &'a Schema,
    call: GivenValue<'a>,
    steps: &'a [Step],
) -> Option<Vec<PathLevel<'a>>> {
    let mut levels = Vec::new();
    let (mut schema, mut value) = (schema, call);
    let mut steps = steps.iter();
    loop {
        if schema.is_again() {
            return None;
        }
        match (&schema.kind, value.form()) {
            (Kind::Union(rules), NodeForm::Object) => {
                let (forms, is_named) = forms(rules, Some(value));
                let next = match steps.as_slice().first() {
                    Some(Step::Key(next)) => Some(next.as_str()),
                    _ => None,
                };
                let declares = |form: &NamedContent<'_>, next: &str| {
                    form.schema.fields().any(|f| f.name == *next)
                };
                let number = match (&rules.tagging, next) {
                    (Tagging::Adjacent { .. }, None) if is_named => {
                        levels.push(PathLevel::new(schema, value));
                        return Some(levels);
                    }
                    (Tagging::External | Tagging::Adjacent { .. }, Some(_)) if is_named => {
                        forms.iter().position(|form| form.key == next)
                    }
                    (Tagging::Internal { .. }, _) if is_named => Some(0),
                    (Tagging::None, _) if forms.len() == 1 => Some(0),
                    (Tagging::None, None) => {
                        levels.push(PathLevel::new(schema, value));
                        return Some(levels);
                    }
                    (Tagging::None, Some(next)) => {
                        forms.iter().position(|form| declares(form, next))
                    }
                    _ => None,
                };
                let form = forms.into_iter().nth(number?)?;
                schema = form.schema;
                if let Some(key) = form.key {
                    steps.next();
                    value = value_at(value, key)?;
                }
            }
            (Kind::Object(rules), NodeForm::Object) => {
                let mut level = PathLevel::new(schema, value);
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
                value = value_of(rules, value, key)?;
            }
            (Kind::Map(rules), NodeForm::Object) => {
                let Step::Key(key) = steps.next()? else {
                    return None;
                };
                schema = rules.values.part();
                value = value.get(key)?;
            }
            (Kind::List(rules), NodeForm::List) => {
                let Step::Index(index) = steps.next()? else {
                    return None;
                };
                schema = rules.items.part();
                value = value.items().nth(*index)?;
            }
            _ => return None,
        }
    }
}

/// The content of a variant that an object may be, and the key of the object that the content stands under, if not all
/// keys of the object are its fields.
struct NamedContent<'a> {
    key: Option<&'a str>,
    schema: &'a Schema,
}

/// The contents of the variants that an object may be: those that it names, or all of them if it names none. Also
/// returns whether it names one.
fn forms<'a>(rules: &'a Union, value: Option<GivenValue<'_>>) -> (Vec<NamedContent<'a>>, bool) {
    let is_named = |variant: &&Variant| match (&rules.tagging, value) {
        (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, Some(value)) => {
            let name = value_at(value, tag).and_then(GivenValue::string);
            name.is_some_and(|name| is_name_of(variant, &name))
        }
        (Tagging::External, Some(value)) => {
            let mut entries = value.entries().take(GIVEN);
            entries.any(|(key, _)| is_name_of(variant, &key))
        }
        (Tagging::None, _) | (_, None) => false,
    };
    let has_name = rules.variants.iter().any(|variant| is_named(&variant));
    let variants = rules.variants.iter();
    let variants = variants.filter(|variant| !has_name || is_named(variant));
    let form = |variant: &'a Variant| {
        let key = match &rules.tagging {
            Tagging::External => Some(variant.name.part()),
            Tagging::Adjacent { content, .. } => Some(content.part()),
            Tagging::Internal { .. } | Tagging::None => None,
        };
        let schema = variant.content.as_deref()?;
        Some(NamedContent { key, schema })
    };
    (variants.filter_map(form).collect(), has_name)
}

fn is_name_of(variant: &Variant, name: &str) -> bool {
    variant.name == *name || variant.aliases.contains(&name) || is_but_for_case(name, &variant.name)
}

/// The parameter that a key means in an object below another one, and where that is.
fn below<'a>(level: &PathLevel<'a>, key: &str) -> Option<(&'a str, String)> {
    in_parts(
        level.schema,
        Some(level.value),
        key,
        &Path::default(),
        LEVELS,
    )
}

fn inside(way: &Path, name: &str) -> Path {
    let steps = way.steps().iter().cloned();
    steps.chain([Step::Key(name.to_owned())]).collect()
}

/// The parameter that a key means in a value that may be an object, and where that is.
fn in_value<'a>(
    schema: &'a Schema,
    value: Option<GivenValue<'_>>,
    key: &str,
    way: &Path,
    levels: usize,
) -> Option<(&'a str, String)> {
    if levels == 0 || schema.is_again() {
        return None;
    }
    match &schema.kind {
        Kind::Object(rules) => {
            let name = meant(rules, key);
            if let Some(name) = name
                && !value.is_some_and(|value| gives(rules, value, name))
            {
                return Some((name, format!("in `{way}`")));
            }
            in_parts(schema, value, key, way, levels - 1)
        }
        Kind::List(rules) => {
            let items = value.into_iter().flat_map(GivenValue::items);
            let items = items.take(ITEMS).map(Some);
            // An empty list has no item to move the parameter to.
            let mut items = items.chain(value.is_none().then_some(None));
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
        Kind::Union(_) => in_parts(schema, value, key, way, levels - 1),
        _ => None,
    }
}

/// The parameter that a key means in the fields of an object, or in the content of its variant, and where that is.
fn in_parts<'a>(
    schema: &'a Schema,
    value: Option<GivenValue<'_>>,
    key: &str,
    way: &Path,
    levels: usize,
) -> Option<(&'a str, String)> {
    match &schema.kind {
        Kind::Object(rules) => compound(rules).find_map(|field| {
            let name = field.name.part();
            let value = value.and_then(|value| value_of(rules, value, name));
            in_value(field.schema.part(), value, key, &inside(way, name), levels)
        }),
        Kind::Union(rules) => {
            let (forms, _) = forms(rules, value);
            let gives = |rules: &Object| {
                let given = meant(rules, key).zip(value);
                given.is_some_and(|(name, value)| gives(rules, value, name))
            };
            let is_given = |form: &NamedContent<'_>| match &form.schema.kind {
                Kind::Object(rules) => form.key.is_none() && gives(rules),
                _ => false,
            };
            if forms.iter().any(is_given) {
                return None;
            }
            forms.iter().find_map(|form| match form.key {
                Some(name) => {
                    let value = value.and_then(|value| value_at(value, name));
                    in_value(form.schema, value, key, &inside(way, name), levels)
                }
                None => in_value(form.schema, value, key, way, levels),
            })
        }
        _ => None,
    }
}
