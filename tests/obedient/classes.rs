//! Classes of bad calls. Each damages a call that was meant.

use serde_json::{Map, Value, json};

use crate::{
    text::Damage,
    tools::{EDIT, ORDER, Random, SEARCH},
};

/// How a call is damaged.
pub(crate) enum Means {
    /// Its text.
    Text(&'static [Damage]),
    /// Its value. Returns whether the call is another one then.
    Value(fn(&mut Value, &mut Random) -> bool),
}

pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) tool: usize,
    pub(crate) means: Means,
}

fn text(name: &'static str, damages: &'static [Damage]) -> Class {
    let (tool, means) = (SEARCH, Means::Text(damages));
    Class { name, tool, means }
}

fn value(name: &'static str, tool: usize, change: fn(&mut Value, &mut Random) -> bool) -> Class {
    let means = Means::Value(change);
    Class { name, tool, means }
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("an object")
}

fn rename(value: &mut Value, from: &str, to: &str) -> bool {
    let found = object(value).remove(from);
    let is_there = found.is_some();
    if let Some(found) = found {
        object(value).insert(to.to_owned(), found);
    }
    is_there
}

fn as_text(call: &mut Value, key: &str) -> bool {
    call[key] = Value::from(call[key].to_string());
    true
}

const NOTHING: [&str; 9] = [
    "null",
    "none",
    "None",
    "N/A",
    "TBD",
    "default",
    "unknown",
    "",
    "undefined",
];

fn set(call: &mut Value, key: &str, value: Value) -> bool {
    call[key] = value;
    true
}

/// An optional parameter that was not meant, with a value that means nothing.
fn unmeant(call: &mut Value, key: &str, value: Value) -> bool {
    let is_new = call.get(key).is_none();
    call[key] = value;
    is_new
}

#[allow(clippy::too_many_lines)] // a table
pub(crate) fn classes() -> Vec<Class> {
    vec![
        text("single quotes", &[Damage::Quotes]),
        text("keys without quotes", &[Damage::BareKeys]),
        text("trailing comma", &[Damage::Comma]),
        text("python literals", &[Damage::Python]),
        text("comments", &[Damage::Comments]),
        text("fence", &[Damage::Fence]),
        text("words around", &[Damage::Words]),
        text("control characters", &[Damage::Controls]),
        text("backslashes", &[Damage::Escapes]),
        text("extra bracket", &[Damage::Bracket]),
        text("sent twice", &[Damage::Twice]),
        text("escaped whole", &[Damage::Encoded]),
        text("callback", &[Damage::Callback]),
        text("no commas", &[Damage::NoCommas]),
        text("no colons", &[Damage::NoColons]),
        text("parentheses", &[Damage::Parentheses]),
        text("cut off", &[Damage::Cut]),
        text(
            "several damages",
            &[Damage::Quotes, Damage::Python, Damage::Comma, Damage::Fence],
        ),
        value("integer as text", SEARCH, |call, _| as_text(call, "limit")),
        value("boolean as text", SEARCH, |call, _| as_text(call, "exact")),
        value("list as text", SEARCH, |call, random| {
            as_text(call, random.pick(&["tags", "pages"]))
        }),
        value("object as text", SEARCH, |call, _| as_text(call, "filter")),
        value("list for an integer", SEARCH, |call, _| {
            call["limit"] = json!([call["limit"]]);
            true
        }),
        value("one word for a list", SEARCH, |call, _| {
            let one = call["tags"].as_array().is_some_and(|tags| tags.len() == 1);
            call["tags"] = call["tags"][0].clone();
            one
        }),
        value("command for a list", SEARCH, |call, random| {
            let text = random.pick(&["rm -rf /srv/x", "*", "one, two", "List.of(\"a\")", "a b"]);
            set(call, "tags", json!(text))
        }),
        value("number for a text", SEARCH, |call, _| {
            let is_number = call["query"] == "17";
            call["query"] = json!(17);
            is_number
        }),
        value("missing", SEARCH, |call, random| {
            let key = random.pick(&["query", "limit", "mode", "filter", "tags"]);
            object(call).remove(key).is_some()
        }),
        value("missing inside", SEARCH, |call, _| {
            object(&mut call["filter"]).remove("field").is_some()
        }),
        value("misspelt key", SEARCH, |call, random| {
            let (from, to) =
                random.pick(&[("query", "qeury"), ("filter", "fliter"), ("limit", "limti")]);
            rename(call, from, to)
        }),
        value("other case of a key", ORDER, |call, random| {
            let (from, to) = random.pick(&[("from_account", "fromAccount"), ("code", "Code")]);
            rename(call, from, to)
        }),
        value("out of range", SEARCH, |call, random| {
            let number = random.pick(&[0, 51, 500, -3]);
            if random.is() {
                call["pages"][1] = json!(70_000);
            }
            set(call, "limit", json!(number))
        }),
        value("too short", SEARCH, |call, _| {
            set(call, "query", json!("r"))
        }),
        value("other case of a choice", SEARCH, |call, _| {
            let name = call["mode"].as_str().unwrap_or_default().to_uppercase();
            set(call, "mode", json!(name))
        }),
        value("misspelt choice", SEARCH, |call, _| {
            let name = call["mode"].as_str().unwrap_or_default();
            let wrong = match name {
                "quick" => "quikc",
                "thorough" => "thorugh",
                _ => "exhasutive",
            };
            set(call, "mode", json!(wrong))
        }),
        value("another choice", SEARCH, |call, random| {
            set(call, "mode", json!(random.pick(&["slow", "deep", "auto"])))
        }),
        value("a word for nothing: a number", SEARCH, |call, random| {
            unmeant(call, "price_max", json!(random.pick(&NOTHING)))
        }),
        value("a word for nothing: a form", ORDER, |call, random| {
            unmeant(call, "wait", json!(random.pick(&NOTHING)))
        }),
        value("a word for nothing: an object", ORDER, |call, random| {
            let key = random.pick(&["crop", "budget"]);
            unmeant(call, key, json!(random.pick(&NOTHING)))
        }),
        value(
            "an empty list or object for nothing",
            ORDER,
            |call, random| {
                let key = random.pick(&["crop", "budget"]);
                let value = if random.is() { json!([]) } else { json!({}) };
                unmeant(call, key, value)
            },
        ),
        value("known wrapper", SEARCH, |call, random| {
            *call = json!({ random.pick(&["arguments", "params", "input"]): call.clone() });
            true
        }),
        value("unknown wrapper", ORDER, |call, random| {
            let name = random.pick(&["kwargs", "tool_input", "order", "payload", "data"]);
            *call = json!({ name: call.clone() });
            true
        }),
        value("unknown wrapper with a list", ORDER, |call, random| {
            let name = random.pick(&["calls", "items", "requests"]);
            *call = json!({ name: [call.clone()] });
            true
        }),
        value("unknown wrapper beside a name", EDIT, |call, random| {
            let name = random.pick(&["kwargs", "issue", "tool_input"]);
            *call = json!({ "name": "edit", name: call.clone() });
            true
        }),
        value("whole call", SEARCH, |call, _| {
            *call = json!({"function": {"name": "search", "arguments": call.clone()}});
            true
        }),
        value("whole call, arguments as text", ORDER, |call, random| {
            let key = random.pick(&["function", "function_call"]);
            *call = json!({ key: {"name": "order", "arguments": call.to_string()} });
            true
        }),
        value("wrong types", SEARCH, |call, _| {
            call["limit"] = json!("many");
            call["exact"] = json!("yes");
            call["filter"] = json!("name");
            true
        }),
        value("seven faults", SEARCH, |call, _| {
            rename(call, "query", "qeury");
            object(call).remove("exact");
            object(call).remove("filter");
            call["limit"] = json!(0);
            call["mode"] = json!("slow");
            call["tags"] = json!(5);
            call["score"] = json!("high");
            true
        }),
        value("nine faults", ORDER, |call, _| {
            let wrong = json!({"code": "abc", "env": ["A=1"], "ports": [], "retries": -1,
                "crop": {"width": "wide"}, "from_account": "me", "to_account": "you",
                "budget": {"amount": "much", "currency": "pesos"}});
            for (key, value) in object(call).iter_mut() {
                if let Some(wrong) = wrong.get(key) {
                    *value = wrong.clone();
                }
            }
            true
        }),
        value("a list of pairs in text for a map", ORDER, |call, _| {
            let env = object(&mut call["env"]);
            let items: Vec<String> = env
                .iter()
                .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
                .collect();
            set(call, "env", json!(items))
        }),
        value("equal faults in a map", ORDER, |call, _| {
            for (_, value) in object(&mut call["env"]).iter_mut() {
                *value = json!({"value": value.clone()});
            }
            true
        }),
        value("equal faults in a list", SEARCH, |call, _| {
            call["tags"] = json!([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}]);
            true
        }),
        value("pattern", ORDER, |call, random| {
            set(
                call,
                "code",
                json!(random.pick(&["abc-1234", "ABC1234", "1234"])),
            )
        }),
        value("text form", ORDER, |call, random| {
            set(
                call,
                "host",
                json!(random.pick(&["localhost", "::1", "db.internal", "10.0.0"])),
            )
        }),
        value("too few or too many items", ORDER, |call, random| {
            let ports = if random.is() {
                json!([])
            } else {
                json!([1, 2, 3, 4, 5, 6])
            };
            set(call, "ports", ports)
        }),
        value("missing tag", EDIT, |call, _| {
            object(&mut call["change"]).remove("kind").is_some()
        }),
        value("external form for an internal tag", EDIT, |call, _| {
            let kind = object(&mut call["change"]).remove("kind");
            let kind = kind.and_then(|kind| kind.as_str().map(str::to_owned));
            call["change"] = json!({ kind.unwrap_or_default(): call["change"].clone() });
            true
        }),
        value("adjacent form for an internal tag", EDIT, |call, random| {
            let kind = object(&mut call["change"]).remove("kind");
            let content = random.pick(&["content", "data", "value", "params"]);
            call["change"] = json!({ "kind": kind, content: call["change"].clone() });
            true
        }),
        value("wrong tag key", EDIT, |call, random| {
            rename(
                &mut call["change"],
                "kind",
                random.pick(&["type", "action", "op"]),
            )
        }),
        value("wrong tag value", EDIT, |call, random| {
            let kind = random.pick(&["delete", "new", "tag", "finish"]);
            set(&mut call["change"], "kind", json!(kind))
        }),
        value("missing tag and a missing field", EDIT, |call, _| {
            object(&mut call["change"]).remove("kind");
            let change = object(&mut call["change"]);
            ["title", "number"]
                .iter()
                .any(|key| change.remove(*key).is_some())
        }),
        value("internal form for an external tag", EDIT, |call, _| {
            let Some((name, content)) = call["place"].as_object().and_then(|map| map.iter().next())
            else {
                return false;
            };
            let (name, mut content) = (name.clone(), content.clone());
            content["type"] = json!(name);
            set(call, "place", content)
        }),
        value("bare content for an external tag", EDIT, |call, _| {
            let Some(content) = call["place"]
                .as_object()
                .and_then(|map| map.values().next())
            else {
                return false;
            };
            let content = content.clone();
            set(call, "place", content)
        }),
        value("near miss of an optional key", ORDER, |call, random| {
            rename(
                call,
                "retries",
                random.pick(&["retry", "retires", "Retries_"]),
            )
        }),
        value("parameter in another object", ORDER, |call, _| {
            let Some(retries) = object(call).remove("retries") else {
                return false;
            };
            if call.get("crop").is_none() {
                return false;
            }
            call["crop"]["retries"] = retries;
            true
        }),
        value("null for a required parameter", SEARCH, |call, random| {
            let key = random.pick(&["query", "limit", "mode", "filter", "tags"]);
            set(call, key, Value::Null)
        }),
        value("null for an optional parameter", ORDER, |call, random| {
            let key = random.pick(&["wait", "retries", "crop", "budget"]);
            unmeant(call, key, Value::Null)
        }),
        value("arguments in a list", ORDER, |call, _| {
            *call = json!([call.clone()]);
            true
        }),
        value("arguments as a text", SEARCH, |call, _| {
            *call = json!(call.to_string());
            true
        }),
        value("list for an object", SEARCH, |call, _| {
            set(call, "filter", json!([call["filter"]]))
        }),
        value("list for a choice", SEARCH, |call, _| {
            set(call, "mode", json!([call["mode"]]))
        }),
        value("number in words", SEARCH, |call, random| {
            let words = random.pick(&["five", "10 results", "~20", "1,000"]);
            set(call, "limit", json!(words))
        }),
        value("a word for a boolean", SEARCH, |call, random| {
            let word = random.pick(&["yes", "no", "on", "1", "Y"]);
            set(call, "exact", json!(word))
        }),
        value("number for a boolean", SEARCH, |call, random| {
            set(call, "exact", json!(random.below(2)))
        }),
        value("duration in words", ORDER, |call, random| {
            let words = random.pick(&["2 minutes", "soon", "1:30", "ninety"]);
            call.get("wait").is_some() && set(call, "wait", json!(words))
        }),
        value("amount with a sign", ORDER, |call, random| {
            let amount = random.pick(&["$12.50", "12.50 EUR", "12,50"]);
            call.get("budget").is_some() && set(&mut call["budget"], "amount", json!(amount))
        }),
        value("dotted keys", SEARCH, |call, _| {
            let filter = object(call).remove("filter").unwrap_or_default();
            for (key, value) in filter.as_object().into_iter().flatten() {
                call[format!("filter.{key}")] = value.clone();
            }
            true
        }),
        value(
            "dotted keys of an optional object",
            ORDER,
            |call, random| {
                let key = random.pick(&["crop", "budget"]);
                let Some(inner) = object(call).remove(key) else {
                    return false;
                };
                for (name, value) in inner.as_object().into_iter().flatten() {
                    call[format!("{key}.{name}")] = value.clone();
                }
                true
            },
        ),
        value("a value in an object", SEARCH, |call, random| {
            let key = random.pick(&["limit", "query", "exact", "mode"]);
            set(call, key, json!({ "value": call[key] }))
        }),
        value("the schema of a value", SEARCH, |call, random| {
            let (key, kind) = random.pick(&[("limit", "integer"), ("query", "string")]);
            set(call, key, json!({ "type": kind, "value": call[key] }))
        }),
        value("two misspelt keys", ORDER, |call, _| {
            rename(call, "from_account", "from_acount") && rename(call, "to_account", "to_acount")
        }),
        value("spaces around a choice", SEARCH, |call, _| {
            let name = format!(" {} ", call["mode"].as_str().unwrap_or_default());
            set(call, "mode", json!(name))
        }),
        value("pairs in one text for a map", ORDER, |call, _| {
            set(call, "env", json!("LANG=C;PATH=/bin"))
        }),
        value("name alone for a variant", EDIT, |call, _| {
            let kind = call["change"]["kind"].clone();
            set(call, "change", kind)
        }),
        value("field of another variant", EDIT, |call, _| {
            let is_close = call["change"]["kind"] == "close";
            is_close && rename(&mut call["change"], "reason", "title")
        }),
        value(
            "object for a variant without fields",
            EDIT,
            |call, random| {
                let is_anywhere = call["place"] == "anywhere";
                let form = random.is();
                let place = if form {
                    json!({"anywhere": {}})
                } else {
                    json!({"type": "anywhere"})
                };
                is_anywhere && set(call, "place", place)
            },
        ),
        value("two variants at once", EDIT, |call, _| {
            let is_city = call["place"].get("city").is_some();
            is_city
                && set(
                    &mut call["place"],
                    "point",
                    json!({"lat": 59.5, "lon": 10.5}),
                )
        }),
        value("optional key in words", ORDER, |call, random| {
            let (from, to) =
                random.pick(&[("retries", "number_of_retries"), ("wait", "wait_time")]);
            rename(call, from, to)
        }),
        value("markup at the end", SEARCH, |call, random| {
            let mark = random.pick(&["</parameter>", "</invoke>", "</arg_value>", "</function>\n"]);
            let text = format!("{}{mark}", call["query"].as_str().unwrap_or_default());
            set(call, "query", json!(text))
        }),
    ]
}
