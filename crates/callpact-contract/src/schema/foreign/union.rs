//! `anyOf` and `oneOf`, simplified as far as possible.

use serde_json::{Map, Value};

use super::{keyword::type_of, node::ForeignNode};

/// Above this number of forms, equal ones are no longer merged.
const MANY: usize = 256;

/// One node for several forms.
pub(super) fn union(nodes: Vec<ForeignNode>) -> ForeignNode {
    let mut out = ForeignNode::default();
    let mut members: Vec<Map<String, Value>> = Vec::new();
    let mut only_null = None;
    let is_null = |node: &ForeignNode| node.schema.get("type").is_some_and(|name| name == "null");
    let single = nodes.iter().filter(|node| !is_null(node)).count() == 1;
    for mut node in nodes {
        out.null |= node.null;
        if is_null(&node) {
            out.null = true;
            only_null = Some(node.schema);
            continue;
        }
        if single {
            out.meanings = std::mem::take(&mut node.meanings);
        }
        node.settle();
        // A list inside the list.
        if node.schema.len() == 1
            && let Some(Value::Array(inner)) = node.schema.get_mut("anyOf")
        {
            let inner = inner.drain(..).filter_map(|member| match member {
                Value::Object(member) => Some(member),
                _ => None,
            });
            for member in inner {
                add_member(&mut members, member, &mut out);
            }
            continue;
        }
        out.optional.append(&mut node.optional);
        add_member(&mut members, node.schema, &mut out);
    }
    if let Some((values, meanings)) = constants(&members) {
        let name = values.first().map_or("string", |value| {
            if values.iter().any(|value| type_of(value) == "number") {
                "number"
            } else {
                type_of(value)
            }
        });
        let null = out.null;
        out = ForeignNode::of_type(name);
        out.null = null;
        out.schema.insert("enum".to_owned(), values.into());
        out.meanings = meanings;
        return out;
    }
    match (members.len(), only_null) {
        (0, Some(schema)) => ForeignNode {
            schema,
            ..ForeignNode::default()
        },
        (0, None) => out,
        (1, _) => {
            out.schema = members.pop().unwrap_or_default();
            out
        }
        _ => {
            // Which properties a member requires is settled inside it.
            out.optional.clear();
            let members = members.into_iter().map(Value::Object).collect();
            out.schema.insert("anyOf".to_owned(), Value::Array(members));
            out
        }
    }
}

fn add_member(
    members: &mut Vec<Map<String, Value>>,
    member: Map<String, Value>,
    out: &mut ForeignNode,
) {
    if member.get("type").is_some_and(|name| name == "null") {
        out.null = true;
    } else if members.len() > MANY || !members.contains(&member) {
        members.push(member);
    }
}

/// The values of members that are all constants of one type, and their meanings.
fn constants(members: &[Map<String, Value>]) -> Option<(Vec<Value>, String)> {
    let name = members.first()?.get("type")?;
    let mut values: Vec<Value> = Vec::new();
    let mut meanings: Vec<String> = Vec::new();
    for member in members {
        let plain = member
            .keys()
            .all(|key| matches!(key.as_str(), "type" | "enum" | "description"));
        let own = member.get("enum").and_then(Value::as_array)?;
        if !plain || member.get("type") != Some(name) {
            return None;
        }
        if let Some(Value::String(words)) = member.get("description")
            && !words.is_empty()
        {
            let names: Vec<String> = own.iter().map(plain_text).collect();
            meanings.push(format!("{}: {words}", names.join(", ")));
        }
        for value in own {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    // A single constant keeps its own description.
    if members.len() < 2 {
        return None;
    }
    Some((values, meanings.join("; ")))
}

fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
