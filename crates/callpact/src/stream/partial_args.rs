//! Arguments that arrive as values with a path, as Vertex sends them.

use serde_json::{Map, Number, Value};

/// The most steps of a path.
const DEPTH: usize = 64;

/// Arguments that grow by path.
#[derive(Debug, Default)]
pub(super) struct PartialArgs {
    root: Value,
    /// The path of the string that is still growing.
    open: Option<String>,
    fault: Option<&'static str>,
}

enum PathStep<'p> {
    Key(&'p str),
    Index(usize),
}

impl PartialArgs {
    /// Takes the next piece: a path and a value.
    pub(super) fn take(&mut self, piece: &Value) {
        let path = piece.get("jsonPath").and_then(Value::as_str);
        let (Some(path), Some(value)) = (path, value_of(piece)) else {
            self.fault = Some("a piece of its arguments has no path or no value");
            return;
        };
        let goes_on = piece.get("willContinue").and_then(Value::as_bool) == Some(true);
        let continues = self.open.as_deref() == Some(path);
        self.open = goes_on.then(|| path.to_owned());
        let Some(place) = steps(path).and_then(|steps| place(&mut self.root, steps)) else {
            self.fault = Some("a path of its arguments cannot be read");
            return;
        };
        match (place, value) {
            (Value::String(text), Value::String(more)) if continues => text.push_str(&more),
            (place @ Value::Null, value) => *place = value,
            _ => self.fault = Some("the provider sent a value of its arguments twice"),
        }
    }

    /// The arguments so far.
    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// The arguments as JSON.
    pub(super) fn into_text(self) -> Result<String, &'static str> {
        match (self.fault, self.root) {
            (Some(fault), _) => Err(fault),
            (None, Value::Null) => Ok(String::new()),
            (None, root) => Ok(root.to_string()),
        }
    }
}

fn value_of(piece: &Value) -> Option<Value> {
    if let Some(text) = piece.get("stringValue") {
        return text.as_str().map(Value::from);
    }
    if let Some(number) = piece.get("numberValue") {
        // A whole number is one, however it is sent.
        return match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
                format!("{float}").parse::<Number>().ok().map(Value::Number)
            }
            _ => number.is_number().then(|| number.clone()),
        };
    }
    if let Some(boolean) = piece.get("boolValue") {
        return boolean.as_bool().map(Value::from);
    }
    piece.get("nullValue").map(|_| Value::Null)
}

/// The steps of a path such as `$.a['b'][0]`.
fn steps(path: &str) -> Option<Vec<PathStep<'_>>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == DEPTH {
            return None;
        }
        if let Some(key) = rest.strip_prefix('.') {
            let end = key.find(['.', '[']).unwrap_or(key.len());
            let (key, behind) = key.split_at_checked(end)?;
            steps.push(PathStep::Key(key));
            rest = behind;
            continue;
        }
        let inside = rest.strip_prefix('[')?;
        if let Some(quote) = inside.chars().next().filter(|it| matches!(it, '\'' | '"')) {
            let (key, behind) = inside.get(1..)?.split_once(quote)?;
            steps.push(PathStep::Key(key));
            rest = behind.strip_prefix(']')?;
        } else {
            let (index, behind) = inside.split_once(']')?;
            steps.push(PathStep::Index(index.parse().ok()?));
            rest = behind;
        }
    }
    Some(steps)
}

/// The value at a path. Objects and lists on the way are made; a list grows by one item.
fn place<'v>(root: &'v mut Value, steps: Vec<PathStep<'_>>) -> Option<&'v mut Value> {
    let mut place = root;
    for step in steps {
        match step {
            PathStep::Key(key) => {
                if place.is_null() {
                    *place = Value::Object(Map::new());
                }
                place = place.as_object_mut()?.entry(key).or_insert(Value::Null);
            }
            PathStep::Index(index) => {
                if place.is_null() {
                    *place = Value::Array(Vec::new());
                }
                let items = place.as_array_mut()?;
                if index == items.len() {
                    items.push(Value::Null);
                }
                place = items.get_mut(index)?;
            }
        }
    }
    Some(place)
}
