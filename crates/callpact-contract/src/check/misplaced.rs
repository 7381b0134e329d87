//! Parameters that were given in a place where no field takes them, although the schema has another place for them.

use std::fmt::{self, Display, Formatter};

use memchr::memchr3;

use super::{
    state::CheckState,
    wrappers::{is_object_text, meant},
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
/// The most levels below an object that are searched.
const LEVELS: usize = 3;
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
    document: &JsonDocument<'_>,
) -> Vec<Issue> {
    if document.broken_at().is_some() {
        return Vec::new();
    }
    let search = HomeSearch { document };
    let paths = unclaimed.take(KEYS);
    paths.filter_map(|path| search.find(path, schema)).collect()
}

/// Whether there is any other place for a key: another object of the schema, or a value inside the arguments. In a string
/// it may be written with escapes.
pub(super) fn may_be_elsewhere(text: &str, schema: &Schema) -> bool {
    let holds_objects = match &schema.kind {
        Kind::Object(rules) => compound(rules).next().is_some(),
        _ => !is_simple(schema),
    };
    let inside = text.as_bytes().get(1..).unwrap_or_default();
    holds_objects || memchr3(b'{', b'[', b'\\', inside).is_some()
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
    value: NodeId,
    next: &'a str,
}

impl<'a> PathLevel<'a> {
    fn new(schema: &'a Schema, value: NodeId) -> Self {
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

/// Where a parameter belongs.
#[derive(PartialEq)]
enum HomePlace<'a> {
    /// In the object that has this key.
    Beside(&'a str),
    In(Path),
    /// In each item of a list.
    InEach(Path),
}

impl Display for HomePlace<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beside(key) => write!(f, "beside {}", ticked(key)),
            Self::In(way) => write!(f, "in `{way}`"),
            Self::InEach(way) => write!(f, "in each item of `{way}`"),
        }
    }
}

/// Where parameters belong that were given together: by place, those of the object around the key without one.
#[derive(Default)]
struct ParameterHomes<'a>(Vec<(Option<HomePlace<'a>>, Vec<&'a str>)>);

impl<'a> ParameterHomes<'a> {
    /// Adds a parameter, unless it is there.
    fn add(&mut self, name: &'a str, place: Option<HomePlace<'a>>) {
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

/// The content of a variant that an object may be, and the key of the object that the content stands under, if not all
/// keys of the object are its fields.
struct NamedContent<'a> {
    key: Option<&'a str>,
    schema: &'a Schema,
}

/// Looks in a call for the places where its unknown keys belong.
#[derive(Clone, Copy)]
struct HomeSearch<'d> {
    document: &'d JsonDocument<'d>,
}

impl HomeSearch<'_> {
    /// The issue of a key that is misplaced. It quotes only names of the schema: a key of the model may be long or
    /// secret.
    fn find<'a>(self, path: &'a Path, schema: &'a Schema) -> Option<Issue> {
        let (Step::Key(key), parent) = path.steps().split_last()? else {
            return None;
        };
        let levels = self.walk(schema, parent)?;
        let (here, around) = levels.split_last()?;
        // If the object declares no keys, it takes every key.
        let takes_all = |rules: &Object| rules.fields.is_empty() && rules.unknown == Unknown::Keep;
        if here.rules().is_some_and(takes_all) {
            return None;
        }
        let value = self.document.get(here.value, key)?;
        if self.document.form(value) == NodeForm::Null {
            return None;
        }
        let mut homes = ParameterHomes::default();
        let place = self.elsewhere(here, around, key);
        if let Some((name, place)) = place.or_else(|| self.behind_dot(here, key)) {
            homes.add(name, Some(place));
            return homes.issue(path, "");
        }
        let mut inside = Vec::new();
        self.keys_inside(value, LEVELS, &mut inside);
        for key in &inside {
            if let Some(name) = self.free(here, key) {
                homes.add(name, None);
            } else if let Some((name, place)) = self.elsewhere(here, around, key) {
                homes.add(name, Some(place));
            }
        }
        homes.issue(path, " in it")
    }

    /// The keys inside a value, or inside an object that it holds as a text, whose own value is not null.
    fn keys_inside(self, value: NodeId, levels: usize, keys: &mut Vec<String>) {
        let document = self.document;
        let Some(below) = levels.checked_sub(1) else {
            return;
        };
        match document.form(value) {
            NodeForm::Object => {
                let given = document.entries(value);
                let given = given.filter(|(key, _)| document.form(key + 1) != NodeForm::Null);
                let given: Vec<_> = given.take(INSIDE).collect();
                keys.extend(given.iter().map(|(_, name)| name.to_string()));
                for (key, _) in given {
                    self.keys_inside(key + 1, below, keys);
                }
            }
            NodeForm::List => {
                let items = document.items(value).take(INSIDE);
                items.for_each(|item| self.keys_inside(item, below, keys));
            }
            NodeForm::Text(_) => {
                let text = document.string(value).unwrap_or_default();
                if is_object_text(&text) {
                    let document = &JsonDocument::parse(&text);
                    HomeSearch { document }.keys_inside(0, levels, keys);
                }
            }
            _ => {}
        }
    }

    /// The parameter below or around an object that a key means, and where that is.
    fn elsewhere<'a>(
        self,
        here: &PathLevel<'a>,
        around: &[PathLevel<'a>],
        key: &str,
    ) -> Option<(&'a str, HomePlace<'a>)> {
        let beside = |level: &PathLevel<'a>| {
            let name = self.free(level, key)?;
            Some((name, HomePlace::Beside(level.next)))
        };
        self.in_parts(here.schema, Some(here.value), key, &Path::default(), LEVELS)
            .or_else(|| around.iter().rev().find_map(beside))
    }

    /// The parameter of an inner object that a key names with both names, as `filter.field`, and where that is.
    fn behind_dot<'a>(self, level: &PathLevel<'a>, key: &str) -> Option<(&'a str, HomePlace<'a>)> {
        let (outer, key) = key.split_once('.')?;
        let rules = level.rules()?;
        let outer = meant(rules, outer)?;
        let schema = rules.field(outer)?.schema.part();
        let value = self.value_of(rules, level.value, outer);
        self.in_value(schema, value, key, &inside(&Path::default(), outer), LEVELS)
    }

    /// The optional parameter of an object that a key means, unless it was given.
    fn free<'a>(self, level: &PathLevel<'a>, key: &str) -> Option<&'a str> {
        let rules = level.rules()?;
        let name = meant(rules, key)?;
        // A missing required parameter is a fault already.
        let is_optional = rules.field(name).is_some_and(|field| !field.required);
        (is_optional && !self.gives(rules, level.value, name)).then_some(name)
    }

    fn gives(self, rules: &Object, value: NodeId, name: &str) -> bool {
        self.value_of(rules, value, name).is_some()
    }

    /// The value that was given for a parameter, perhaps under another spelling of its name.
    fn value_of(self, rules: &Object, value: NodeId, name: &str) -> Option<NodeId> {
        self.get_like(value, name, |key| meant(rules, key) == Some(name))
    }

    /// The value at a key that is no parameter: the name of a variant, or the key of its content.
    fn value_at(self, value: NodeId, key: &str) -> Option<NodeId> {
        self.get_like(value, key, |other| is_but_for_case(other, key))
    }

    /// The value of a key, or of the first one that is it in another way.
    fn get_like(self, value: NodeId, key: &str, is_it: impl Fn(&str) -> bool) -> Option<NodeId> {
        self.document.get(value, key).or_else(|| {
            let mut entries = self.document.entries(value).take(GIVEN);
            entries
                .find(|(_, name)| is_it(name))
                .map(|(key, _)| key + 1)
        })
    }

    /// The objects on a path from the arguments, with the last one.
    fn walk<'a>(self, schema: &'a Schema, steps: &'a [Step]) -> Option<Vec<PathLevel<'a>>> {
        let document = self.document;
        let mut levels = Vec::new();
        let (mut schema, mut value) = (schema, 0);
        let mut steps = steps.iter();
        loop {
            if schema.is_again() {
                return None;
            }
            match (&schema.kind, document.form(value)) {
                (Kind::Union(rules), NodeForm::Object) => {
                    let (forms, is_named) = self.forms(rules, Some(value));
                    let next = match steps.as_slice().first() {
                        Some(Step::Key(next)) => Some(next.as_str()),
                        _ => None,
                    };
                    let declares = |form: &NamedContent<'_>, next: &str| {
                        form.schema.fields().any(|f| f.name == *next)
                    };
                    let number = match (&rules.tagging, next) {
                        (Tagging::External | Tagging::Adjacent { .. }, Some(_)) if is_named => {
                            forms.iter().position(|form| form.key == next)
                        }
                        (Tagging::Internal { .. }, _) if is_named => Some(0),
                        (Tagging::None, _) if forms.len() == 1 => Some(0),
                        (Tagging::None, Some(next)) => {
                            forms.iter().position(|form| declares(form, next))
                        }
                        (Tagging::Adjacent { .. }, None) if is_named => {
                            levels.push(PathLevel::new(schema, value));
                            return Some(levels);
                        }
                        (Tagging::None, None) => {
                            levels.push(PathLevel::new(schema, value));
                            return Some(levels);
                        }
                        _ => None,
                    };
                    let form = forms.into_iter().nth(number?)?;
                    schema = form.schema;
                    if let Some(key) = form.key {
                        steps.next();
                        value = self.value_at(value, key)?;
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
                    value = self.value_of(rules, value, key)?;
                }
                (Kind::Map(rules), NodeForm::Object) => {
                    let Step::Key(key) = steps.next()? else {
                        return None;
                    };
                    schema = rules.values.part();
                    value = document.get(value, key)?;
                }
                (Kind::List(rules), NodeForm::List) => {
                    let Step::Index(index) = steps.next()? else {
                        return None;
                    };
                    schema = rules.items.part();
                    value = document.items(value).nth(*index)?;
                }
                _ => return None,
            }
        }
    }

    /// The contents of the variants that an object may be: those that it names, or all of them if it names none. Also
    /// returns whether it names one.
    fn forms<'a>(self, rules: &'a Union, value: Option<NodeId>) -> (Vec<NamedContent<'a>>, bool) {
        let is_named = |variant: &&Variant| match (&rules.tagging, value) {
            (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, Some(value)) => {
                let name = self.value_at(value, tag);
                let name = name.and_then(|name| self.document.string(name));
                name.is_some_and(|name| is_name_of(variant, &name))
            }
            (Tagging::External, Some(value)) => {
                let mut entries = self.document.entries(value).take(GIVEN);
                entries.any(|(_, key)| is_name_of(variant, &key))
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

    /// The parameter that a key means in a value that may be an object, and where that is.
    fn in_value<'a>(
        self,
        schema: &'a Schema,
        value: Option<NodeId>,
        key: &str,
        way: &Path,
        levels: usize,
    ) -> Option<(&'a str, HomePlace<'a>)> {
        if levels == 0 || schema.is_again() {
            return None;
        }
        match &schema.kind {
            Kind::Object(rules) => {
                if let Some(name) = meant(rules, key)
                    && !value.is_some_and(|value| self.gives(rules, value, name))
                {
                    return Some((name, HomePlace::In(way.clone())));
                }
                self.in_parts(schema, value, key, way, levels - 1)
            }
            Kind::List(rules) => {
                let list = value.filter(|value| self.document.form(*value) == NodeForm::List);
                let items = list.into_iter().flat_map(|list| self.document.items(list));
                let items = items.take(ITEMS).map(Some);
                // An empty list has no item to move the parameter to.
                let mut items = items.chain(value.is_none().then_some(None));
                let in_item = |item| self.in_value(rules.items.part(), item, key, way, levels - 1);
                let (name, place) = items.find_map(in_item)?;
                Some(match place {
                    HomePlace::In(inside) if inside == *way => (name, HomePlace::InEach(inside)),
                    place => (name, place),
                })
            }
            Kind::Union(_) => self.in_parts(schema, value, key, way, levels - 1),
            _ => None,
        }
    }

    /// The parameter that a key means in the fields of an object, or in the content of its variant, and where that is.
    fn in_parts<'a>(
        self,
        schema: &'a Schema,
        value: Option<NodeId>,
        key: &str,
        way: &Path,
        levels: usize,
    ) -> Option<(&'a str, HomePlace<'a>)> {
        match &schema.kind {
            Kind::Object(rules) => compound(rules).find_map(|field| {
                let name = field.name.part();
                let value = value.and_then(|value| self.value_of(rules, value, name));
                self.in_value(field.schema.part(), value, key, &inside(way, name), levels)
            }),
            Kind::Union(rules) => {
                let (forms, _) = self.forms(rules, value);
                let gives = |rules: &Object| {
                    let given = meant(rules, key).zip(value);
                    given.is_some_and(|(name, value)| self.gives(rules, value, name))
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
                        let value = value.and_then(|value| self.value_at(value, name));
                        self.in_value(form.schema, value, key, &inside(way, name), levels)
                    }
                    None => self.in_value(form.schema, value, key, way, levels),
                })
            }
            _ => None,
        }
    }
}

fn is_but_for_case(given: &str, name: &str) -> bool {
    only_by_case(given, [name].into_iter()).is_some()
}

fn is_name_of(variant: &Variant, name: &str) -> bool {
    variant.name == *name || variant.aliases.contains(&name) || is_but_for_case(name, &variant.name)
}

fn inside(way: &Path, name: &str) -> Path {
    way.clone().join(Step::Key(name.to_owned()))
}
