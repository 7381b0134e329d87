//! Arguments inside another object: all of them, as in `{"arguments": {…}}`, or some of them.

use std::borrow::Cow;

use crate::{
    json::{JsonDocument, NodeForm, NodeId},
    repair::is_json,
    schema::{FUNCTION, Kind, Object, Schema, Unknown, WRAPPERS, field_by_case, is_wrapper},
    text::cut,
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

/// The arguments inside a wrapping object, and the path to them: `arguments`, or `function.arguments` as in the call
/// of a response. The text is clean JSON.
pub(super) fn text<'a>(text: &'a str, schema: &Schema) -> Option<(String, Cow<'a, str>)> {
    let document = JsonDocument::parse(text);
    let (way, value) = wrapped(&document, 0, schema)?;
    if document.form(value) == NodeForm::Object {
        return Some((way, Cow::Borrowed(document.written(value))));
    }
    let value = document.string(value)?.into_owned();
    (is_object_text(&value) && is_json(&value)).then_some((way, Cow::Owned(value)))
}

/// The value of the only key of an object that wraps arguments, beside the other keys of a whole call.
fn wrapped(
    document: &JsonDocument<'_>,
    object: NodeId,
    schema: &Schema,
) -> Option<(String, NodeId)> {
    let mut inner = None;
    for (key, name) in document.entries(object) {
        let is_text = matches!(document.form(key + 1), NodeForm::Text(_));
        if is_text && wraps(&name, &NAMES, schema) {
            continue;
        }
        let found = if wraps(&name, &WRAPPERS, schema) {
            (name.into_owned(), key + 1)
        } else if wraps(&name, &[FUNCTION], schema) {
            let (way, value) = wrapped(document, key + 1, schema)?;
            (format!("{name}.{way}"), value)
        } else {
            return None;
        };
        if inner.replace(found).is_some() {
            return None;
        }
    }
    inner
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
pub(super) fn inner(document: &JsonDocument<'_>, schema: &Schema) -> Option<InnerArguments> {
    let Kind::Object(rules) = &schema.kind else {
        return None;
    };
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
    search.look_inside(document, 0, &WrapperPath::default());
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
                if is_object_text(&text) {
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

/// The most keys of an object around the arguments that are searched.
const KEYS: usize = 8;

/// Whether a text begins like an object.
pub(super) fn is_object_text(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// The parameter that a key means.
pub(super) fn meant<'s>(rules: &'s Object, key: &str) -> Option<&'s str> {
    let mut fields = rules.all_fields();
    let named = fields.find(|field| *field.name == *key || field.aliases.contains(&key));
    named
        .map(|field| field.name.part())
        .or_else(|| field_by_case(rules, key))
}
