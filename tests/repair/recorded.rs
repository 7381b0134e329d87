//! Calls of 256 tools with the faults that recorded calls had, as often as they had them: what the repair policy accepts is
//! what was meant, and it accepts most of it.

use std::{fs, path::Path};

use callpact::{Policy, input::read_foreign, schema::ForeignSchema};
use callpact_tests::{generate::Generator, rng::Rng};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    IntegerAsText,
    BooleanAsText,
    NumberAsText,
    ListAsText,
    ObjectAsText,
    ListForInteger,
    Missing,
    UnknownKey,
    NotJson,
}

/// The faults of 2,448 recorded calls, how often each was seen, and how many of a hundred are accepted at least. A call
/// without a required parameter can never run; an unknown key may be a misspelt parameter, or closed schemas refuse it.
const SHARES: [(Fault, usize, usize); 9] = [
    (Fault::IntegerAsText, 1171, 99),
    (Fault::BooleanAsText, 513, 99),
    (Fault::NumberAsText, 443, 99),
    (Fault::ListAsText, 442, 99),
    (Fault::ObjectAsText, 341, 95),
    (Fault::ListForInteger, 310, 97),
    (Fault::Missing, 294, 0),
    (Fault::UnknownKey, 248, 34),
    (Fault::NotJson, 75, 75),
];

#[derive(Deserialize)]
struct ServerTool {
    schema: Value,
}

/// A tool, and the tree of its schema.
struct RecordedTool {
    json: Value,
    schema: ForeignSchema,
}

fn recorded_tools() -> Vec<RecordedTool> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/server-tools.jsonl");
    let lines = fs::read_to_string(file).expect("the collection");
    let tools = lines.lines().map(|line| {
        let tool: ServerTool = serde_json::from_str(line).expect("a tool");
        let schema = ForeignSchema::from_server(tool.schema.clone()).expect("a schema");
        RecordedTool {
            json: tool.schema,
            schema,
        }
    });
    tools.collect()
}

/// A parameter of a call, at any depth.
struct ParameterPlace {
    parent: String,
    key: String,
    is_required: bool,
}

impl ParameterPlace {
    fn pointer(&self) -> String {
        format!("{}/{}", self.parent, self.key)
    }
}

fn places(schema: &Value, value: &Value, parent: &str, found: &mut Vec<ParameterPlace>) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        // A pointer has other words for these.
        if key.contains(['/', '~']) || value.get(key).is_none() {
            continue;
        }
        let place = ParameterPlace {
            parent: parent.to_owned(),
            key: key.clone(),
            is_required: required.iter().any(|name| name == key),
        };
        places(inner, &value[key], &place.pointer(), found);
        found.push(place);
    }
}

fn fits(fault: Fault, value: &Value, is_required: bool) -> bool {
    match fault {
        Fault::IntegerAsText | Fault::ListForInteger => value.is_i64(),
        Fault::BooleanAsText => value.is_boolean(),
        Fault::NumberAsText => value.is_f64(),
        Fault::ListAsText => value.is_array(),
        Fault::ObjectAsText => value.is_object(),
        Fault::Missing => is_required,
        Fault::UnknownKey | Fault::NotJson => true,
    }
}

/// A value as Python writes it.
fn as_python(value: &Value) -> String {
    let text = value.to_string();
    let text = text.replace('"', "'").replace("true", "True");
    text.replace("false", "False").replace("null", "None")
}

/// The text of a value: JSON, or what Python writes.
fn as_text(value: &Value, rng: &mut Rng) -> Value {
    // The quotes of a text are no others there.
    let is_plain = !value.to_string().contains(['\'', '\\']);
    if is_plain && rng.below(10) < 3 {
        return Value::from(as_python(value));
    }
    Value::from(value.to_string())
}

fn break_text(call: &Value, rng: &mut Rng) -> String {
    let text = call.to_string();
    match rng.below(5) {
        0 => {
            let end = text.len() / 2 + rng.below(text.len() / 2 - 1);
            let end = (0..=end).rev().find(|end| text.is_char_boundary(*end));
            text[..end.unwrap_or_default()].to_owned()
        }
        1 if !text.contains(['\'', '\\']) => as_python(call),
        2 => format!("{},}}", &text[..text.len() - 1]),
        3 => format!("Here is the call:\n```json\n{text}\n```"),
        _ => format!("{text}}}"),
    }
}

/// The text of a call with a fault, if it has a place for it.
fn damage(tool: &RecordedTool, call: &Value, fault: Fault, rng: &mut Rng) -> Option<String> {
    if fault == Fault::NotJson {
        return Some(break_text(call, rng));
    }
    let mut bad = call.clone();
    if fault == Fault::UnknownKey && rng.one_in(2) {
        bad["reason"] = json!("as the user asked");
        return call.get("reason").is_none().then(|| bad.to_string());
    }
    let mut found = Vec::new();
    places(&tool.json, call, "", &mut found);
    found.retain(|place| {
        let value = call.pointer(&place.pointer());
        value.is_some_and(|value| fits(fault, value, place.is_required))
    });
    if found.is_empty() {
        return None;
    }
    let place = &found[rng.below(found.len())];
    let parent = bad.pointer_mut(&place.parent)?.as_object_mut()?;
    let value = parent.remove(&place.key)?;
    let (key, value) = match fault {
        Fault::Missing => return Some(bad.to_string()),
        Fault::UnknownKey => (other_name(&place.key), value),
        Fault::ListForInteger => (place.key.clone(), json!([value])),
        _ => (place.key.clone(), as_text(&value, rng)),
    };
    if parent.contains_key(&key) {
        return None;
    }
    parent.insert(key, value);
    Some(bad.to_string())
}

/// A name in camel case, or in the plural.
fn other_name(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let camel = words.fold(first, |all, word| {
        let (start, rest) = word.split_at(word.len().min(1));
        all + &start.to_uppercase() + rest
    });
    if camel == name {
        format!("{name}s")
    } else {
        camel
    }
}

/// Whether the call that runs is the one that was meant. A reason that nobody asked for is sent on or dropped.
fn is_meant(value: &Value, meant: &Value) -> bool {
    let mut value = value.clone();
    if meant.get("reason").is_none()
        && let Some(arguments) = value.as_object_mut()
    {
        arguments.remove("reason");
    }
    value == *meant
}

#[test]
fn repair_accepts_recorded_faults_as_meant() {
    let tools = recorded_tools();
    let mut short = Vec::new();
    for (fault, wanted, least) in SHARES {
        let (mut rng, mut generator) = (Rng::new(0x16), Generator::new(0x17));
        let (mut calls, mut accepted) = (0, 0);
        let mut refused = Vec::new();
        for _ in 0..wanted * 400 {
            if calls == wanted {
                break;
            }
            let tool = &tools[rng.below(tools.len())];
            let call = generator.valid(tool.schema.tree());
            let read = |text: &str, policy| read_foreign(text, &tool.schema, &policy);
            let Ok(meant) = read(&call.to_string(), Policy::exact()) else {
                continue;
            };
            let Some(text) = damage(tool, &call, fault, &mut rng) else {
                continue;
            };
            // Where the schema takes what was sent, there is no fault.
            if fault != Fault::UnknownKey && read(&text, Policy::exact()).is_ok() {
                continue;
            }
            calls += 1;
            match read(&text, Policy::repair()) {
                Ok(read) => {
                    accepted += 1;
                    assert!(
                        is_meant(&read.value, &meant.value),
                        "{fault:?}: {call}\n{text}\n{}\n{:?}",
                        read.value,
                        read.fixes
                    );
                }
                Err(report) => refused.push(format!("{text}\n{report}")),
            }
        }
        println!("{fault:?}: {accepted} of {calls} accepted");
        assert_eq!(calls, wanted, "{fault:?}");
        if accepted * 100 < calls * least || fault == Fault::Missing && accepted > 0 {
            let left = refused.iter().step_by(refused.len() / 12 + 1);
            let left: Vec<&str> = left.map(String::as_str).collect();
            short.push(format!("{fault:?}: {accepted}\n{}", left.join("\n")));
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n\n"));
}

#[test]
fn repair_splits_and_joins_no_command() {
    let schema = json!({"type": "object", "required": ["command"], "properties": {
        "command": {"type": "array", "items": {"type": "string"}},
    }});
    let list = ForeignSchema::parse(&schema.to_string()).expect("a schema");
    let schema = json!({"type": "object", "required": ["command"], "properties": {
        "command": {"type": "string"},
    }});
    let text = ForeignSchema::parse(&schema.to_string()).expect("a schema");
    let mut rng = Rng::new(0x18);
    let words = [
        "rm", "-rf", "/srv/x", "git", "commit", "-m", "a b", "*", "$(ls)", "|", "x;y", "'q'",
    ];
    for _ in 0..2_000 {
        let parts: Vec<&str> = (0..2 + rng.below(4))
            .map(|_| words[rng.below(words.len())])
            .collect();
        let joined = parts.join(" ");
        for given in [
            json!(joined),
            json!(parts.join(",")),
            json!(parts.join("\n")),
        ] {
            let call = json!({ "command": given }).to_string();
            assert!(
                read_foreign(&call, &list, &Policy::repair()).is_err(),
                "{call}"
            );
            let read = read_foreign(&call, &text, &Policy::repair()).expect("a text");
            assert_eq!(read.value["command"], given);
        }
        let call = json!({ "command": parts }).to_string();
        let read = read_foreign(&call, &list, &Policy::repair()).expect("a list");
        assert_eq!(read.value["command"], json!(parts));
        assert!(
            read_foreign(&call, &text, &Policy::repair()).is_err(),
            "{call}"
        );
        let one = json!({ "command": [joined] }).to_string();
        assert!(
            read_foreign(&one, &text, &Policy::repair()).is_err(),
            "{one}"
        );
    }
}
