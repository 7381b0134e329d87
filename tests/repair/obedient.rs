//! A model that does only what a reply says: it knows the intended call, and repairs the sent call by the words of
//! the reply alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use callpact::{
    Dialect, Policy, Report, ToolInput, input::read_foreign, read_str, schema::ForeignSchema,
};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(ToolInput, Serialize)]
#[serde(rename_all = "lowercase")]
#[tool_input(rename_all = "lowercase")]
enum Mode {
    Quick,
    Thorough,
}

#[derive(ToolInput, Serialize)]
struct Filter {
    field: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<i64>,
}

/// Looks something up
#[derive(ToolInput, Serialize)]
struct Search {
    /// What to look for
    #[tool_param(min_length = 2, max_length = 80)]
    query: String,
    #[tool_param(min = 1, max = 50)]
    limit: u8,
    mode: Mode,
    tags: Vec<String>,
    pages: Vec<u16>,
    filter: Filter,
    exact: bool,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    price_max: Option<f64>,
}

/// The intended calls.
fn intended() -> Vec<Value> {
    let mut calls = Vec::new();
    for (number, query) in ["rust", "it's \"so\"", "line\nbreak", "a\\d", "emoji 🙂"]
        .iter()
        .enumerate()
    {
        for exact in [true, false] {
            let mut call = json!({
                "query": query,
                "limit": 5 + number,
                "mode": if exact { "quick" } else { "thorough" },
                "tags": ["one", "two"],
                "pages": [1, 2, 3 + number],
                "filter": {"field": "name", "minimum": number},
                "exact": exact,
                "score": 0.5,
            });
            if number % 2 == 0 {
                call["price_max"] = json!(9.5);
            }
            calls.push(call);
        }
    }
    calls
}

/// A way to break a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Damage {
    Quotes,
    BareKeys,
    Comma,
    Python,
    Comments,
    Fence,
    Words,
    Controls,
    Escapes,
    Bracket,
    Twice,
    Encoded,
    Callback,
    NoCommas,
    NoColons,
    Parentheses,
    Cut,
    Halves,
}

/// The sent call: a value, and how its text is broken.
#[derive(Clone)]
struct Sent {
    value: Value,
    damages: BTreeSet<Damage>,
}

impl Sent {
    fn text(&self) -> String {
        let has = |damage| self.damages.contains(&damage);
        let mut out = String::new();
        self.write(&self.value, &mut out);
        if has(Damage::Encoded) {
            out = out.replace('"', "\\\"");
        }
        if has(Damage::Comments) {
            out.push_str(" // as asked");
        }
        if has(Damage::Bracket) {
            out.push('}');
        }
        if has(Damage::Twice) {
            out = format!("{out}\n{out}");
        }
        if has(Damage::Callback) {
            out = format!("callback({out})");
        }
        if has(Damage::Words) {
            out = format!("Let me search.\nI will use these:\n{out}\nThat is all.");
        }
        if has(Damage::Fence) {
            out = format!("```json\n{out}\n```");
        }
        if has(Damage::Cut) {
            let end = out.len() - 20;
            let end = (0..=end).rev().find(|end| out.is_char_boundary(*end));
            out.truncate(end.unwrap_or_default());
        }
        out
    }

    fn write(&self, value: &Value, out: &mut String) {
        let has = |damage| self.damages.contains(&damage);
        match value {
            Value::Object(map) => {
                out.push('{');
                for (number, (key, value)) in map.iter().enumerate() {
                    if number > 0 {
                        out.push_str(if has(Damage::NoCommas) { "\n " } else { ", " });
                    }
                    if has(Damage::BareKeys) {
                        out.push_str(key);
                    } else {
                        self.string(key, out);
                    }
                    out.push_str(if has(Damage::NoColons) { " " } else { ": " });
                    self.write(value, out);
                }
                out.push_str(if has(Damage::Comma) { ",}" } else { "}" });
            }
            Value::Array(items) => {
                let python = has(Damage::Parentheses);
                out.push(if python { '(' } else { '[' });
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        out.push_str(", ");
                    }
                    self.write(item, out);
                }
                out.push(if python { ')' } else { ']' });
            }
            Value::String(text) => self.string(text, out),
            Value::Bool(value) if has(Damage::Python) => {
                out.push_str(if *value { "True" } else { "False" });
            }
            other => out.push_str(&other.to_string()),
        }
    }

    fn string(&self, text: &str, out: &mut String) {
        let has = |damage| self.damages.contains(&damage);
        let mut literal = Value::from(text).to_string();
        if has(Damage::Quotes) {
            let inside = literal[1..literal.len() - 1].replace("\\\"", "\"");
            literal = format!("'{}'", inside.replace('\'', "\\'"));
        }
        if has(Damage::Controls) {
            literal = literal.replace("\\n", "\n");
        }
        if has(Damage::Escapes) {
            literal = literal.replace("\\\\", "\\");
        }
        if has(Damage::Halves) {
            literal = literal.replace('🙂', "\\ud83d");
        }
        out.push_str(&literal);
    }
}

/// The bad calls for an intended one, by class.
#[allow(clippy::too_many_lines)] // a table
fn bad_calls(call: &Value) -> Vec<(&'static str, Sent)> {
    let mut all = Vec::new();
    let mut text = |class, damages: &[Damage]| {
        let sent = Sent {
            value: call.clone(),
            damages: damages.iter().copied().collect(),
        };
        if serde_json::from_str::<Value>(&sent.text()).ok().as_ref() != Some(call) {
            all.push((class, sent));
        }
    };
    text("single quotes", &[Damage::Quotes]);
    text("keys without quotes", &[Damage::BareKeys]);
    text("trailing comma", &[Damage::Comma]);
    text("python literals", &[Damage::Python]);
    text("comments", &[Damage::Comments]);
    text("fence", &[Damage::Fence]);
    text("words around", &[Damage::Words]);
    text("control characters", &[Damage::Controls]);
    text("backslashes", &[Damage::Escapes]);
    text("extra bracket", &[Damage::Bracket]);
    text("sent twice", &[Damage::Twice]);
    text("escaped whole", &[Damage::Encoded]);
    text("callback", &[Damage::Callback]);
    text("no commas", &[Damage::NoCommas]);
    text("no colons", &[Damage::NoColons]);
    text("parentheses", &[Damage::Parentheses]);
    text("cut off", &[Damage::Cut]);
    text("half a character", &[Damage::Halves]);
    text(
        "several damages",
        &[Damage::Quotes, Damage::Python, Damage::Comma, Damage::Fence],
    );
    let mut value = |class, change: &dyn Fn(&mut Value)| {
        let mut value = call.clone();
        change(&mut value);
        let damages = BTreeSet::new();
        all.push((class, Sent { value, damages }));
    };
    let as_text =
        |key: &'static str| move |call: &mut Value| call[key] = Value::from(call[key].to_string());
    let rename = |from: &'static str, to: &'static str| {
        move |call: &mut Value| {
            if let Some(map) = call.as_object_mut()
                && let Some(value) = map.remove(from)
            {
                map.insert(to.to_owned(), value);
            }
        }
    };
    value("integer as text", &as_text("limit"));
    value("boolean as text", &as_text("exact"));
    value("number as text", &as_text("score"));
    value("list as text", &as_text("tags"));
    value("list as text", &as_text("pages"));
    value("object as text", &as_text("filter"));
    value("list for an integer", &|call| {
        call["limit"] = json!([call["limit"]]);
    });
    value("one value for a list", &|call| call["tags"] = json!("one"));
    value("number for a text", &|call| call["query"] = json!(17));
    value("missing", &|call| {
        let _ = call.as_object_mut().and_then(|map| map.remove("query"));
    });
    value("missing inside", &|call| {
        let inner = call["filter"].as_object_mut();
        let _ = inner.and_then(|map| map.remove("field"));
    });
    value("misspelt key", &rename("query", "qeury"));
    value("misspelt key", &rename("filter", "fliter"));
    value("other case of a key", &rename("limit", "Limit"));
    value("out of range", &|call| call["limit"] = json!(500));
    value("out of range", &|call| {
        call["pages"] = json!([1, -1, 70_000]);
    });
    value("too short", &|call| call["query"] = json!("r"));
    value("other case of a choice", &|call| {
        let name = call["mode"].as_str().unwrap_or_default();
        call["mode"] = json!(if name == "quick" { "Quick" } else { "THOROUGH" });
    });
    value("misspelt choice", &|call| {
        let name = call["mode"].as_str().unwrap_or_default();
        call["mode"] = if name == "quick" {
            json!("quikc")
        } else {
            json!("thorugh")
        };
    });
    value("another choice", &|call| call["mode"] = json!("slow"));
    value("null as text", &|call| call["price_max"] = json!("null"));
    value("wrapper", &|call| {
        *call = json!({"arguments": call.clone()});
    });
    value("whole call", &|call| {
        *call = json!({"function": {"name": "search", "arguments": call.clone()}});
    });
    value("whole call, arguments as text", &|call| {
        *call = json!({"function": {"name": "search", "arguments": call.to_string()}});
    });
    value("wrong types", &|call| {
        call["limit"] = json!("many");
        call["exact"] = json!("yes");
        call["filter"] = json!("name");
    });
    value("seven faults", &|call| {
        let price = call.get("price_max").cloned();
        *call =
            json!({"qeury": call["query"], "limit": 0, "mode": "slow", "tags": 5, "score": "high"});
        if let Some(price) = price {
            call["price_max"] = price;
        }
    });
    all
}

/// The steps of a path as shown, with every index of a group.
fn paths(shown: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    if shown == "arguments" {
        return all;
    }
    for part in shown.split('.').flat_map(|part| part.split('[')) {
        let steps: Vec<String> = match part.strip_suffix(']') {
            None => vec![part.to_owned()],
            Some(indexes) => indexes
                .split(", ")
                .flat_map(|range| match range.split_once("..") {
                    Some((from, to)) => {
                        let (from, to): (usize, usize) =
                            (from.parse().unwrap(), to.parse().unwrap());
                        (from..=to).map(|index| index.to_string()).collect()
                    }
                    None => vec![range.to_owned()],
                })
                .collect(),
        };
        if part.is_empty() {
            continue;
        }
        all = all
            .into_iter()
            .flat_map(|path| {
                steps.iter().map(move |step| {
                    let mut path = path.clone();
                    path.push(step.clone());
                    path
                })
            })
            .collect();
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

/// Puts the intended value at a place, or removes the value if none is intended.
fn put_intended(sent: &mut Value, meant: &Value, path: &[String]) {
    let Some((last, parent)) = path.split_last() else {
        *sent = meant.clone();
        return;
    };
    let intended = meant.pointer(&pointer(path)).cloned();
    match sent.pointer_mut(&pointer(parent)) {
        Some(Value::Object(map)) => match intended {
            Some(value) => {
                map.insert(last.clone(), value);
            }
            None => {
                map.remove(last);
            }
        },
        Some(Value::Array(items)) => match (last.parse::<usize>(), intended) {
            (Ok(index), Some(value)) if index < items.len() => items[index] = value,
            (Ok(index), None) if index < items.len() => {
                items.remove(index);
            }
            _ => {}
        },
        _ => {}
    }
}

/// Repairs the text as the reply says.
fn mend_text(hint: &str, sent: &mut Sent) {
    for (words, damages) in [
        (
            "put keys and strings in double quotes",
            &[Damage::Quotes, Damage::BareKeys][..],
        ),
        ("write `'` without a backslash", &[Damage::Quotes]),
        ("take out the extra comma", &[Damage::Comma]),
        ("write `true`, `false` and `null`", &[Damage::Python]),
        ("take out comments", &[Damage::Comments]),
        ("leave out the fence", &[Damage::Fence]),
        (
            "send the object alone, without words around it",
            &[Damage::Words],
        ),
        (
            "send the arguments as a JSON object, and nothing else",
            &[Damage::Words, Damage::Fence, Damage::Callback],
        ),
        ("send nothing after it", &[Damage::Words]),
        (
            "inside a string write a line break as `\\n`",
            &[Damage::Controls],
        ),
        (
            "write a backslash inside a string as `\\\\`",
            &[Damage::Escapes],
        ),
        ("take out the extra closing bracket", &[Damage::Bracket]),
        ("send the object once", &[Damage::Twice]),
        ("send the object without backslashes", &[Damage::Encoded]),
        ("without a call around it", &[Damage::Callback]),
        ("put a comma between two values", &[Damage::NoCommas]),
        (
            "put a colon between a key and its value",
            &[Damage::NoColons],
        ),
        ("put a list in `[` and `]`", &[Damage::Parentheses]),
        ("write both halves of the character", &[Damage::Halves]),
        ("send the whole call again", &[Damage::Cut]),
    ] {
        if hint.contains(words) {
            sent.damages.retain(|damage| !damages.contains(damage));
        }
    }
}

/// Does what one line of a reply says.
fn obey(line: &str, meant: &Value, sent: &mut Sent) {
    let (shown, words) = line.split_once(": ").unwrap_or((line, ""));
    let hint = words.rsplit_once("; ").map_or("", |(_, hint)| hint);
    if words.contains("expected JSON")
        || words.contains("complete JSON")
        || words.contains("one JSON value")
    {
        return mend_text(hint, sent);
    }
    for path in paths(shown) {
        let (last, parent) = path
            .split_last()
            .map_or((None, &[][..]), |(l, p)| (Some(l), p));
        if let Some((from, to)) = hint
            .strip_prefix('`')
            .and_then(|hint| hint.split_once("` was given: rename it to `"))
        {
            if let Some(Value::Object(map)) = sent.value.pointer_mut(&pointer(parent))
                && let Some(value) = map.remove(from)
            {
                map.insert(to.trim_end_matches('`').to_owned(), value);
            }
        } else if let Some(name) = hint.strip_prefix("did you mean \"") {
            if let Some(value) = sent.value.pointer_mut(&pointer(&path)) {
                *value = Value::from(name.trim_end_matches("\"?"));
            }
        } else if let Some(name) = hint.strip_prefix("did you mean `") {
            if let Some(Value::Object(map)) = sent.value.pointer_mut(&pointer(parent))
                && let Some(value) = last.and_then(|last| map.remove(last))
            {
                map.insert(name.trim_end_matches("`?").to_owned(), value);
            }
        } else if let Some(wrapper) = hint.strip_prefix("found in the text of `") {
            let wrapper = wrapper.split('`').next().unwrap_or_default();
            let way = format!("/{}", wrapper.replace('.', "/"));
            let text = sent.value.pointer(&way).and_then(Value::as_str);
            if let Some(text) = text {
                sent.value = serde_json::from_str(text).unwrap();
            }
        } else if let Some(wrapper) = hint.strip_prefix("found inside `") {
            let wrapper = wrapper.split('`').next().unwrap_or_default();
            let way = format!("/{}", wrapper.replace('.', "/"));
            if let Some(inner) = sent.value.pointer(&way) {
                sent.value = inner.clone();
            }
        } else if hint == "put it in quotes" {
            if let Some(value) = sent.value.pointer_mut(&pointer(&path)) {
                *value = Value::from(value.to_string());
            }
        } else if hint == "send it without the quotes around it" {
            if let Some(value) = sent.value.pointer_mut(&pointer(&path)) {
                *value = serde_json::from_str(value.as_str().unwrap()).unwrap();
            }
        } else if hint == "send it alone, without a list" {
            if let Some(value) = sent.value.pointer_mut(&pointer(&path)) {
                *value = value[0].take();
            }
        } else if hint == "send it as the only item of a list" {
            if let Some(value) = sent.value.pointer_mut(&pointer(&path)) {
                *value = json!([value.clone()]);
            }
        } else {
            put_intended(&mut sent.value, meant, &path);
        }
    }
}

type Read<'a> = &'a dyn Fn(&str, &Policy) -> Result<Value, Report>;

#[derive(Default)]
struct Row {
    calls: usize,
    right: usize,
    left: Vec<String>,
}

fn run(name: &str, read: Read<'_>) {
    for policy in [Policy::exact(), Policy::lax(), Policy::repair()] {
        let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
        for meant in intended() {
            for (class, mut sent) in bad_calls(&meant) {
                let row = rows.entry(class).or_default();
                row.calls += 1;
                let first = sent.text();
                let mut replies = Vec::new();
                let value = loop {
                    match read(&sent.text(), &policy) {
                        Ok(value) => break Some(value),
                        Err(report) if replies.is_empty() => {
                            let reply = report.to_string();
                            for line in reply.lines().skip(1) {
                                obey(line.trim_start_matches("- "), &meant, &mut sent);
                            }
                            replies.push(reply);
                        }
                        Err(report) => {
                            replies.push(report.to_string());
                            break None;
                        }
                    }
                };
                for reply in &replies {
                    // At most 400 characters for seven faults.
                    let length = reply.chars().count();
                    let few = !reply.starts_with("Invalid arguments, 8 problems");
                    let most = if few { 400 } else { 460 };
                    assert!(length <= most, "{length} characters: {reply}");
                }
                match value {
                    Some(value) if value == meant => row.right += 1,
                    // Half a character is lost when the text is repaired, and a call says so.
                    Some(value) => {
                        assert!(
                            allowed(class, &value, &meant, &sent),
                            "{name} {class}: {first}\n{replies:?}\n{value}"
                        );
                        row.right += 1;
                    }
                    None => row.left.push(format!("{first}\n{}", replies.join("\n"))),
                }
            }
        }
        let calls: usize = rows.values().map(|row| row.calls).sum();
        let right: usize = rows.values().map(|row| row.right).sum();
        assert!(
            calls >= 300 && rows.len() >= 27,
            "{calls} calls in {} classes",
            rows.len()
        );
        let classes = rows.len();
        println!("{name} {policy:?}: {right} right of {calls} in {classes} classes");
        let mut faults = String::new();
        for (class, row) in &rows {
            if row.right * 100 < row.calls * 95 {
                let _ = writeln!(
                    faults,
                    "{class}: {} of {}\n{}",
                    row.right, row.calls, row.left[0]
                );
            }
        }
        assert!(
            faults.is_empty() && right * 100 >= calls * 98,
            "{name} {policy:?}: {right} of {calls}\n{faults}"
        );
    }
}

/// Whether a value that was not intended is exactly what the model sent.
fn allowed(class: &str, value: &Value, meant: &Value, sent: &Sent) -> bool {
    let one = json!(["one"]);
    match class {
        // The model sent a single value or another text, which a reader cannot recognise as a fault.
        "one value for a list" => value["tags"] == one,
        "number for a text" => value["query"] == json!("17"),
        "half a character" => sent.damages.contains(&Damage::Halves),
        _ => {
            let _ = meant;
            false
        }
    }
}

#[test]
fn a_reply_is_enough_to_mend_a_call_of_a_typed_tool() {
    run("typed", &|text, policy| {
        let read = read_str::<Search>(text, policy)?;
        Ok(serde_json::to_value(&read.value).expect("a value"))
    });
}

/// The same tool, whose schema is known at run time only.
#[test]
fn a_reply_is_enough_to_mend_a_call_of_a_run_time_tool() {
    let schema = Search::SCHEMA.to_json(Dialect::Portable);
    let schema = ForeignSchema::parse(&schema).expect("a schema");
    run("run-time", &|text, policy| {
        read_foreign(text, &schema, policy).map(|read| read.value)
    });
}
