//! What the model does about each line of a reply.

use serde_json::{Value, json};

use crate::{
    text::{Sent, mend_text},
    tools::Tool,
};

/// The paths of a line: every index of `[0..2, 5]`, every key of `{a, b}`.
fn paths(shown: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    if shown == "arguments" {
        return all;
    }
    let mut rest = shown;
    while !rest.is_empty() {
        let (steps, behind): (Vec<String>, &str) = if let Some(inside) = rest.strip_prefix('[') {
            let (inside, behind) = inside.split_once(']').expect("a bracket");
            let steps = inside
                .split(", ")
                .flat_map(|range| match range.split_once("..") {
                    Some((from, to)) => {
                        let (from, to): (usize, usize) =
                            (from.parse().unwrap(), to.parse().unwrap());
                        (from..=to).map(|index| index.to_string()).collect()
                    }
                    None => vec![range.trim_matches('"').to_owned()],
                });
            (steps.collect(), behind)
        } else if let Some(inside) = rest.strip_prefix('{') {
            let (inside, behind) = inside.split_once('}').expect("a brace");
            let steps = inside
                .split(", ")
                .map(|key| key.trim_matches('"').to_owned());
            (steps.collect(), behind)
        } else {
            let rest = rest.trim_start_matches('.');
            if rest.starts_with(['[', '{']) {
                (Vec::new(), rest)
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                (vec![rest[..end].to_owned()], &rest[end..])
            }
        };
        if !steps.is_empty() {
            all = all
                .iter()
                .flat_map(|path| {
                    steps.iter().map(move |step| {
                        let mut path = path.clone();
                        path.push(step.clone());
                        path
                    })
                })
                .collect();
        }
        rest = behind;
    }
    all
}

fn pointer(path: &[String]) -> String {
    path.iter().fold(String::new(), |mut all, step| {
        all.push('/');
        all.push_str(step);
        all
    })
}

/// Whether the model knows the form of what it means at a place, from its line and the form at the end of the reply.
fn knows(path: &[String], intended: &Value, line: &str, form: &str, tool: &Tool) -> bool {
    let at = pointer(path);
    let says = |words: &str| line.contains(words) || form.contains(words);
    if tool.choices.contains(&&*at) {
        return says(&intended.to_string());
    }
    if path.is_empty() {
        return false;
    }
    let mut data = tool.data.iter().filter(|(place, _)| *place == at);
    data.all(|(_, datum)| says(datum))
}

/// Puts the intended value at a place, or removes the value if none is intended and the reply says that it may be left
/// out, or that it is no parameter.
fn put_intended(
    sent: &mut Value,
    meant: &Value,
    path: &[String],
    line: &str,
    form: &str,
    tool: &Tool,
) {
    let Some((last, parent)) = path.split_last() else {
        return;
    };
    let intended = meant.pointer(&pointer(path)).cloned();
    let may_remove = line.contains("leave it out") || line.contains("not a parameter");
    if intended
        .as_ref()
        .is_some_and(|value| !knows(path, value, line, form, tool))
    {
        return;
    }
    match sent.pointer_mut(&pointer(parent)) {
        Some(Value::Object(map)) => match intended {
            Some(value) => {
                map.insert(last.clone(), value);
            }
            None if may_remove => {
                map.remove(last);
            }
            None => {}
        },
        Some(Value::Array(items)) => match (last.parse::<usize>(), intended) {
            (Ok(index), Some(value)) if index < items.len() => items[index] = value,
            // A list that was meant has other items.
            (Ok(index), None) if index < items.len() => items[index] = Value::Null,
            _ => {}
        },
        _ => {}
    }
}

/// Puts a value into an object at a path, which is made if it is not there.
fn put_inside(call: &mut Value, path: &[String], name: &str, value: Value) {
    let object = path.iter().fold(call, |object, step| &mut object[step]);
    object[name] = value;
}

/// A list with nulls in place of items that were not meant is the list that was meant.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => items.retain(|item| !item.is_null()),
        Value::Object(map) => map.values_mut().for_each(drop_nulls),
        _ => {}
    }
}

/// The words between two others.
fn between<'l>(line: &'l str, from: &str, to: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(from)?;
    Some(rest.split_once(to)?.0)
}

/// Takes the value at a path of names and indexes, or the JSON in a text there.
fn take_inside(sent: &Value, way: &str) -> Option<Value> {
    // A key may have the name that a report has for the whole.
    let path = if way == "arguments" {
        vec![way.to_owned()]
    } else {
        paths(way).pop()?
    };
    let inner = sent.pointer(&pointer(&path))?;
    match inner {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => Some(other.clone()),
    }
}

/// Does what a reply says.
pub(crate) fn obey(reply: &str, meant: &Value, tool: &Tool, sent: &mut Sent) {
    let (lines, form) = reply.split_once("\nExpected: ").unwrap_or((reply, ""));
    let lines: Vec<&str> = lines.split("\n- ").skip(1).collect();
    for line in &lines {
        let unwrapped =
            between(line, "send what is in `", "`").and_then(|way| take_inside(&sent.value, way));
        if let Some(inner) = unwrapped {
            sent.value = inner;
        }
    }
    for line in lines {
        if line.contains("nothing around it") {
            continue;
        }
        obey_line(line, form, meant, tool, sent);
    }
    drop_nulls(&mut sent.value);
}

fn obey_line(line: &str, form: &str, meant: &Value, tool: &Tool, sent: &mut Sent) {
    let (shown, words) = line.split_once(": ").unwrap_or((line, ""));
    if words.contains("expected JSON")
        || words.contains("complete JSON")
        || words.contains("one JSON value")
    {
        let hint = words.rsplit_once("; ").map_or("", |(_, hint)| hint);
        return mend_text(hint, sent);
    }
    for path in paths(shown) {
        let (last, parent) = path
            .split_last()
            .map_or((None, &[][..]), |(last, parent)| (Some(last), parent));
        let at = pointer(&path);
        if let Some(parent) = between(line, "leave out `", "`") {
            let path = paths(parent).pop().unwrap_or_default();
            if meant.pointer(&pointer(&path)).is_none() {
                put_intended(&mut sent.value, meant, &path, "leave it out", form, tool);
                continue;
            }
        }
        if let Some(way) = between(line, "found inside `", "`") {
            let parent = sent.value.pointer_mut(&pointer(parent));
            if let Some(Value::Object(map)) = parent
                && let Some(Value::Object(inner)) = map.remove(way)
            {
                map.extend(inner);
            }
            continue;
        }
        let renamed = between(line, "rename it to `", "`")
            .and_then(|to| Some((between(line, "; `", "` was given")?.to_owned(), to)))
            .or_else(|| {
                let key = last?.clone();
                let is_key = words.starts_with("not a parameter");
                let to = between(line, "did you mean `", "`")
                    .or_else(|| between(line, "it resembles `", "`"));
                is_key.then_some((key, to?))
            });
        if let Some((from, to)) = renamed {
            if let Some(Value::Object(map)) = sent.value.pointer_mut(&pointer(parent))
                && let Some(value) = map.remove(&from)
            {
                map.insert(to.to_owned(), value);
            }
        } else if let Some(name) = between(line, "did you mean \"", "\"") {
            if let Some(value) = sent.value.pointer_mut(&at) {
                *value = Value::from(name);
            }
        } else if line.contains("put it in quotes") {
            if let Some(value) = sent.value.pointer_mut(&at) {
                *value = Value::from(value.to_string());
            }
        } else if line.contains("send it without the quotes around it") {
            if let Some(value) = sent.value.pointer_mut(&at)
                && let Some(inner) = value
                    .as_str()
                    .and_then(|text| serde_json::from_str(text).ok())
            {
                *value = inner;
            }
        } else if line.contains("send it alone, without a list") {
            if let Some(value) = sent.value.pointer_mut(&at) {
                *value = value[0].take();
            }
        } else if line.contains("send it as the only item of a list") {
            if let Some(value) = sent.value.pointer_mut(&at) {
                *value = json!([value.clone()]);
            }
        } else if let Some(name) = between(line, "belongs beside `", "`") {
            let _ = name;
            if let Some(Value::Object(map)) = sent.value.pointer_mut(&pointer(parent))
                && let Some(key) = last
                && let Some(value) = map.remove(key)
            {
                sent.value[key.as_str()] = value;
            }
        } else if let Some(place) = between(line, "` belongs in `", "`") {
            let name = between(line, "; `", "` belongs in").unwrap_or_default();
            let place = [parent, &paths(place).pop().unwrap_or_default()].concat();
            if let Some(Value::Object(map)) = sent.value.pointer_mut(&pointer(parent))
                && let Some(key) = last
                && let Some(value) = map.remove(key)
            {
                put_inside(&mut sent.value, &place, name, value);
            }
        } else if line.contains("send the whole call again without it") {
            if let (Some(value), Some(intended)) = (sent.value.pointer_mut(&at), meant.pointer(&at))
            {
                *value = intended.clone();
            }
        } else {
            put_intended(&mut sent.value, meant, &path, line, form, tool);
        }
    }
}
