//! Arguments inside another object: all of them, as in `{"arguments": {…}}`, or some of them.

use std::borrow::Cow;

use crate::{
    json::{JsonDocument, JsonForm, JsonScanner, NodeForm, NodeId},
    repair::is_json,
    schema::{FUNCTION, Field, Kind, Object, Schema, Unknown, WRAPPERS, field_by_case, is_wrapper},
    text::{cut, initial},
};

/// Whether a key wraps the arguments: it is a known one, and not the name of a parameter.
fn wraps(key: &str, known: &[&str], schema: &Schema) -> bool {
    let Kind::Object(rules) = &schema.kind else {
        return false;
    };
    // If the object declares no keys, it takes every key.
    let is_free = rules.fields.is_empty() && rules.unknown == Unknown::Keep;
    known.contains(&key)
        && rules.extra.is_none()
        && !is_free
        && field_by_case(rules, key).is_none()
        && !schema.fields().any(|field| field.aliases.contains(&key))
}

/// The other keys of a whole call, beside its arguments.
const NAMES: [&str; 3] = ["name", "type", "id"];

/// The path to the arguments in a whole call, and the arguments.
type WrappedArguments<T> = Option<(String, T)>;

/// The arguments inside a wrapping object, and the path to them: `arguments`, or `function.arguments` as in the call
/// of a response. The text is clean JSON.
pub(super) fn text<'a>(text: &'a str, schema: &Schema) -> WrappedArguments<Cow<'a, str>> {
    let mut inner: WrappedArguments<Cow<'a, str>> = None;
    let mut json = JsonScanner::new(text);
    if json.form() != JsonForm::Object {
        return None;
    }
    let mut entries = json.open_object();
    while let Some(key) = json.next_key(&mut entries) {
        let value = json.take_written()?;
        if wraps(&key, &NAMES, schema) && value.starts_with('"') {
            continue;
        }
        if inner.is_none() && wraps(&key, &WRAPPERS, schema) {
            inner = Some((key.into_owned(), Cow::Borrowed(value)));
        } else if inner.is_none() && wraps(&key, &[FUNCTION], schema) {
            let (way, value) = self::text(value, schema)?;
            inner = Some((format!("{key}.{way}"), value));
        } else {
            return None;
        }
    }
    let (way, value) = inner?;
    if value.starts_with('{') {
        return Some((way, value));
    }
    let value: String = serde_json::from_str(&value).ok()?;
    object_in(&value)
        .is_some()
        .then_some((way, Cow::Owned(value)))
}

/// The arguments inside something of any name.
pub(super) struct InnerArguments {
    /// The first key on the way to them.
    pub(super) key: String,
    pub(super) way: String,
    pub(super) text: String,
}

/// The most values and levels that are searched for the arguments.
const SEARCHED: usize = 128;
const DEEPEST: usize = 4;

/// The arguments inside other objects, whatever their names, in a list of one, or in a string: the value with the most
/// parameters, if the call itself gives none, at least half of the keys of that value are parameters, and it has at
/// least half of the required ones. Where nothing is required, only known names may be around them.
pub(super) fn inner(whole: &str, schema: &Schema) -> Option<InnerArguments> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
    let document = JsonDocument::parse(whole);
    let is_object = !document.is_empty() && document.form(0) == NodeForm::Object;
    if rules.extra.is_some() || !is_object || document.broken_at().is_some() {
        return None;
    }
    let required = rules.all_fields().filter(|field| field.required).count();
    let mut around = 0;
    for key in document.keys(0).take(SEARCHED) {
        let name = document.string(key)?;
        if meant(rules, &name).is_some() {
            return None;
        }
        let is_text = matches!(document.form(key + 1), NodeForm::Text(_));
        let is_name = NAMES.contains(&&*name) && is_text;
        around += usize::from(!is_name);
        // Without a missing parameter, an unknown key may be about something else.
        if required == 0 && !is_name && !is_wrapper(&name) {
            return None;
        }
    }
    if required == 0 && around != 1 {
        return None;
    }
    let mut search = WrapperSearch {
        rules,
        required,
        left: SEARCHED,
        best: None,
    };
    search.look_inside(&document, 0, &WrapperPath::default());
    let (_, best) = search.best?;
    Some(best)
}

/// The way to a value around which there is something.
#[derive(Clone, Default)]
struct WrapperPath {
    key: String,
    words: String,
    is_in_text: bool,
    levels: usize,
}

struct WrapperSearch<'s> {
    rules: &'s Object,
    /// The number of required parameters.
    required: usize,
    left: usize,
    best: Option<(usize, InnerArguments)>,
}

impl WrapperSearch<'_> {
    fn look_inside(&mut self, document: &JsonDocument<'_>, object: NodeId, way: &WrapperPath) {
        for key in document.keys(object).take(KEYS) {
            let Some(name) = document.string(key) else {
                return;
            };
            if self.required == 0 && !is_wrapper(&name) {
                continue;
            }
            let mut way = way.clone();
            if way.words.is_empty() {
                way.key = name.to_string();
            } else {
                way.words.push('.');
            }
            way.words.push_str(&cut(&name, 64));
            self.look_at(document, key + 1, way);
        }
    }

    fn look_at(&mut self, document: &JsonDocument<'_>, node: NodeId, mut way: WrapperPath) {
        way.levels += 1;
        if self.left == 0 || way.levels > DEEPEST {
            return;
        }
        self.left -= 1;
        match document.form(node) {
            NodeForm::Object => {
                let keys = document.keys(node).take(SEARCHED);
                let names: Vec<Cow<'_, str>> =
                    keys.filter_map(|key| document.string(key)).collect();
                let is_known = |name: &&Cow<'_, str>| meant(self.rules, name).is_some();
                let known = names.iter().filter(is_known).count();
                let is_best = self.best.as_ref().is_none_or(|(most, _)| known > *most);
                let is_required = |name: &&Cow<'_, str>| {
                    let field = meant(self.rules, name).and_then(|name| self.rules.field(name));
                    field.is_some_and(|field| field.required)
                };
                let required = names.iter().filter(is_required).count();
                let holds_them =
                    known > 0 && known * 2 >= names.len() && required * 2 >= self.required;
                if !holds_them {
                    self.look_inside(document, node, &way);
                } else if is_best {
                    let inner = InnerArguments {
                        key: way.key,
                        way: way.words,
                        text: document.written(node).to_owned(),
                    };
                    self.best = Some((known, inner));
                }
            }
            NodeForm::List => {
                if let Some(item) = document.single_item(node).filter(|_| self.required > 0) {
                    way.words.push_str("[0]");
                    self.look_at(document, item, way);
                }
            }
            NodeForm::Text(_) if !way.is_in_text => {
                let text = document.string(node).unwrap_or_default();
                if text.trim_start().starts_with('{') {
                    let inside = JsonDocument::parse(&text);
                    if inside.broken_at().is_none() && !inside.is_empty() {
                        way.is_in_text = true;
                        self.look_at(&inside, 0, way);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The most keys of a call to search for one that contains a parameter, and the most levels below it.
const KEYS: usize = 8;
pub(super) const LEVELS: usize = 3;

/// The rules of an object that drops unknown keys or sends them on.
fn dropping(schema: &Schema) -> Option<&Object> {
    match &schema.kind {
        Kind::Object(rules)
            if matches!(rules.unknown, Unknown::Report | Unknown::Keep)
                && rules.extra.is_none() =>
        {
            Some(rules)
        }
        _ => None,
    }
}

/// The names of the parameters that a call may mean.
struct ParameterNames<'s> {
    rules: &'s Object,
    /// The bits of their first letters. Most keys begin with another letter.
    initials: u32,
}

impl<'s> ParameterNames<'s> {
    /// The names of an object that drops unknown keys or sends them on.
    fn of(schema: &'s Schema) -> Option<Self> {
        let rules = dropping(schema)?;
        let names = |field: &Field| {
            let aliases = field.aliases.iter().map(|name| initial(name));
            aliases.fold(initial(field.name.part()), |all, one| all | one)
        };
        let initials = rules.all_fields().map(names).fold(0, |all, one| all | one);
        Some(Self { rules, initials })
    }

    /// The parameter that a key means.
    fn meant(&self, key: &str) -> Option<&'s str> {
        if self.initials & initial(key) == 0 {
            return None;
        }
        meant(self.rules, key)
    }

    /// Whether one of them is a key inside the next value, at most so many levels down. The value is passed over, at
    /// least as far as the first of them.
    fn are_inside(&self, json: &mut JsonScanner<'_>, levels: usize) -> bool {
        let whole = levels;
        match (json.form(), levels.checked_sub(1)) {
            (JsonForm::Object, Some(levels)) => {
                let mut entries = json.open_object();
                while let Some(key) = json.next_key(&mut entries) {
                    if self.meant(&key).is_some() || self.are_inside(json, levels) {
                        return true;
                    }
                }
            }
            (JsonForm::List, Some(levels)) => {
                let mut items = json.open_list();
                while json.next_item(&mut items) {
                    if self.are_inside(json, levels) {
                        return true;
                    }
                }
            }
            (JsonForm::Text, Some(_)) => {
                // Nearly every text begins with another character, and need not be copied.
                let written = json.take_written().unwrap_or_default();
                let start = written.trim_start_matches('"').trim_start();
                if start.starts_with(['{', '\\']) {
                    let text = JsonScanner::new(written).take_text();
                    let object = text.as_deref().and_then(object_in);
                    return object.is_some_and(|object| {
                        self.are_inside(&mut JsonScanner::new(object), whole)
                    });
                }
            }
            _ => json.skip(),
        }
        false
    }
}

/// A text that holds an object.
pub(super) fn object_in(text: &str) -> Option<&str> {
    (text.trim_start().starts_with('{') && is_json(text)).then_some(text)
}

/// The parameter that a key means.
pub(super) fn meant<'s>(rules: &'s Object, key: &str) -> Option<&'s str> {
    let mut fields = rules.all_fields();
    let named = fields.find(|field| *field.name == *key || field.aliases.contains(&key));
    named
        .map(|field| field.name.part())
        .or_else(|| field_by_case(rules, key))
}

/// Whether a key that would be dropped holds what may be meant as a parameter. The text is clean JSON. Most keys contain
/// no parameter, and are not looked up themselves.
pub(super) fn may_lose(text: &str, schema: &Schema) -> bool {
    let mut json = JsonScanner::new(text);
    let Some(known) = ParameterNames::of(schema).filter(|_| json.form() == JsonForm::Object) else {
        return false;
    };
    let mut entries = json.open_object();
    for _ in 0..KEYS {
        let Some(key) = json.next_key(&mut entries) else {
            return false;
        };
        if known.meant(&key).is_some() {
            json.skip();
        } else if known.are_inside(&mut json, LEVELS) {
            return true;
        }
    }
    false
}
