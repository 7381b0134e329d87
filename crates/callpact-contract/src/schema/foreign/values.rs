//! `type`, `enum` and `const`: the possible values, and whether null is one.

use serde_json::{Map, Value};

use super::{
    keyword::{about, is_of, type_of, types},
    node::ForeignNode,
    normalize::{Normalizer, weight},
    union,
};

/// How many values an `enum` may list.
const CHOICES: usize = 5_000;

impl Normalizer<'_> {
    /// `type`, `enum` and `const`, and what they say about null.
    pub(super) fn values(
        &mut self,
        map: &Map<String, Value>,
        path: &str,
        node: &mut ForeignNode,
        parts: &mut Vec<ForeignNode>,
    ) {
        let mut names = types(map);
        let null_named = names.contains(&"null");
        names.sort_unstable();
        names.dedup();
        let several = names.len() > 1;
        let mut values = self.choices(map, path);
        if let Some(values) = &mut values {
            let null_listed = values.iter().any(Value::is_null);
            let null = null_listed && (names.is_empty() || null_named);
            if values.iter().all(Value::is_null) && null {
                node.schema = std::mem::take(&mut ForeignNode::of_type("null").schema);
                self.describe(map, node);
                return;
            }
            node.null = null;
            values.retain(|value| !value.is_null());
            if names.is_empty() {
                names = values.iter().map(type_of).collect();
            }
            names.retain(|name| values.iter().any(|value| is_of(value, name)));
            if names.is_empty() {
                self.faults.note(path, "enum", "no value is of the type");
                return;
            }
        } else {
            node.null = null_named && several;
        }
        if several || values.is_some() {
            names.retain(|name| *name != "null");
        }
        names.sort_unstable();
        names.dedup();
        if names.contains(&"number") {
            names.retain(|name| *name != "integer");
        }
        match (names.as_slice(), values) {
            ([], _) => {}
            ([name], values) => {
                node.schema.insert("type".to_owned(), (*name).into());
                if let Some(mut values) = values {
                    values.retain(|value| is_of(value, name));
                    node.schema.insert("enum".to_owned(), values.into());
                }
            }
            (names, values) => parts.push(split(node, names, values.as_deref())),
        }
    }

    fn describe(&mut self, map: &Map<String, Value>, node: &mut ForeignNode) {
        if let Some(words) = map.get("description") {
            self.spend(weight(words), "");
            node.schema.insert("description".to_owned(), words.clone());
        }
    }

    /// The values that `const` and `enum` allow.
    fn choices(&mut self, map: &Map<String, Value>, path: &str) -> Option<Vec<Value>> {
        let listed = map.get("enum").and_then(Value::as_array);
        let constant = map.get("const");
        if listed.is_some_and(|values| values.len() > CHOICES) {
            let words = format!("more than {CHOICES} values");
            self.faults.note(path, "enum", words);
            return None;
        }
        let mut values: Vec<Value> = Vec::new();
        for value in listed.into_iter().flatten().chain(constant) {
            self.spend(weight(value), path);
            let wanted = constant.is_none_or(|constant| constant == value);
            if wanted && !self.stopped && !values.contains(value) {
                values.push(value.clone());
            }
        }
        if let (Some(listed), Some(constant)) = (listed, constant)
            && !listed.contains(constant)
        {
            self.faults
                .note(path, "const", "it is not one of the values of `enum`");
        }
        (listed.is_some() || constant.is_some()).then_some(values)
    }
}

/// One member for each type, with the keywords that apply to it.
fn split(node: &mut ForeignNode, names: &[&str], values: Option<&[Value]>) -> ForeignNode {
    let mut members = Vec::new();
    for name in names {
        let mut member = ForeignNode::of_type(name);
        for (key, value) in &node.schema {
            if about(key).contains(name) {
                member.schema.insert(key.clone(), value.clone());
            }
        }
        if let Some(values) = values {
            let own: Vec<Value> = values
                .iter()
                .filter(|value| is_of(value, name))
                .cloned()
                .collect();
            member.schema.insert("enum".to_owned(), own.into());
        }
        member.optional.clone_from(&node.optional);
        member.finish();
        members.push(member);
    }
    node.schema.retain(|key, _| about(key).is_empty());
    let mut out = union::union(members);
    // The list of types decides whether null fits, not one of its types.
    out.null = node.null;
    out
}
