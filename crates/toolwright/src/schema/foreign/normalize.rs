//! The normaliser: a walk that builds each node anew from what its keywords mean.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    SchemaFaults,
    keyword::{Holds, about, holds, is_of, pointer, step, type_of, types},
    merge::merge,
    numbers, union,
};

/// How long a schema may get when its references are written out, roughly in bytes.
const ROOM: usize = 1 << 20;
/// How deep schemas may be nested, references counted.
const DEPTH: usize = 64;
/// How many values an `enum` may list.
const CHOICES: usize = 5_000;

/// How often the walk is repeated; twice is enough for all but contrived schemas.
const ROUNDS: usize = 8;

pub(super) fn normalize(root: &Value) -> Result<Value, SchemaFaults> {
    let mut out = round(root)?;
    // What one walk has simplified can let the next one merge more.
    for _ in 1..ROUNDS {
        let again = round(&out)?;
        if again == out {
            break;
        }
        out = again;
    }
    Ok(out)
}

fn round(root: &Value) -> Result<Value, SchemaFaults> {
    let mut normalizer = Normalizer {
        root,
        open: vec![String::new()],
        spent: 0,
        stopped: false,
        faults: SchemaFaults::default(),
    };
    let mut node = normalizer.node(root, "", 0);
    // Arguments are an object, and absent ones stand for null.
    let any = !["type", "anyOf", "allOf", "enum", "not"]
        .iter()
        .any(|key| node.schema.contains_key(*key));
    if any {
        node.schema.insert("type".to_owned(), "object".into());
        node.finish();
    }
    normalizer.faults.or(Value::Object(node.schema))
}

/// A normalised schema on its way into its place.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) schema: Map<String, Value>,
    /// Null is accepted too; what that becomes depends on the place.
    pub(super) null: bool,
    /// The author said `nullable`, whatever else stands there.
    pub(super) forced: bool,
    /// Properties that are optional because they could be null.
    pub(super) optional: BTreeSet<String>,
    /// What the values of the enum mean.
    pub(super) meanings: String,
}

impl Node {
    pub(super) fn of_type(name: &str) -> Self {
        let mut node = Self::default();
        node.schema.insert("type".to_owned(), name.into());
        node
    }

    /// Whether null is a value, said or not.
    pub(super) fn takes_null(&self) -> bool {
        const TELLING: [&str; 5] = ["type", "enum", "anyOf", "allOf", "not"];
        self.null || !TELLING.iter().any(|key| self.schema.contains_key(*key))
    }

    /// What can only be said when all parts are together.
    pub(super) fn finish(&mut self) {
        let schema = &mut self.schema;
        if !schema.contains_key("type") && !schema.contains_key("anyOf") {
            let implied = if schema.contains_key("properties") {
                Some("object")
            } else if schema.contains_key("items") {
                Some("array")
            } else {
                None
            };
            if let Some(name) = implied {
                schema.insert("type".to_owned(), name.into());
            }
        }
        let name = schema
            .get("type")
            .and_then(Value::as_str)
            .map(str::to_owned);
        if let (Some(name), Some(Value::Array(values))) = (&name, schema.get_mut("enum")) {
            values.retain(|value| is_of(value, name));
        }
        match name.as_deref() {
            Some("object") => {
                schema
                    .entry("properties")
                    .or_insert_with(|| Value::Object(Map::new()));
            }
            Some("integer" | "number") => numbers::mean(schema),
            Some("string") if schema.get("format").is_some_and(|format| format == "char") => {
                schema.remove("format");
            }
            // Null beside null is null.
            Some("null") => self.null = false,
            _ => {}
        }
        if let Some(Value::Array(names)) = schema.get_mut("required") {
            let mut seen = BTreeSet::new();
            names.retain(|name| {
                let text = name.as_str().unwrap_or_default();
                !self.optional.contains(text) && seen.insert(text.to_owned())
            });
            if names.is_empty() {
                schema.remove("required");
            }
        }
        if !self.meanings.is_empty() {
            let meanings = std::mem::take(&mut self.meanings);
            let words = match schema.get("description").and_then(Value::as_str) {
                Some(own) if !own.is_empty() => format!("{own} ({meanings})"),
                _ => meanings,
            };
            schema.insert("description".to_owned(), words.into());
        }
    }

    /// The schema for a place where null cannot become "optional".
    pub(super) fn placed(mut self) -> Value {
        if !self.null || self.takes_anything() {
            return Value::Object(self.schema);
        }
        let mut outer = Map::new();
        for key in ["description", "default", "examples"] {
            if let Some(value) = self.schema.remove(key) {
                outer.insert(key.to_owned(), value);
            }
        }
        let null = Value::Object(Self::of_type("null").schema);
        let members = match self.schema.remove("anyOf") {
            Some(Value::Array(mut members)) if self.schema.is_empty() => {
                members.push(null);
                members
            }
            inner => {
                self.schema
                    .extend(inner.map(|members| ("anyOf".to_owned(), members)));
                vec![Value::Object(self.schema), null]
            }
        };
        outer.insert("anyOf".to_owned(), Value::Array(members));
        Value::Object(outer)
    }

    fn takes_anything(&self) -> bool {
        self.schema
            .keys()
            .all(|key| matches!(key.as_str(), "description" | "default" | "examples"))
    }
}

pub(super) struct Normalizer<'a> {
    root: &'a Value,
    /// The references that are being written out, the root first.
    open: Vec<String>,
    spent: usize,
    stopped: bool,
    pub(super) faults: SchemaFaults,
}

impl Normalizer<'_> {
    pub(super) fn node(&mut self, raw: &Value, path: &str, depth: usize) -> Node {
        if depth > DEPTH && !self.stopped {
            self.stopped = true;
            let words = format!("schemas nested deeper than {DEPTH} levels, references counted");
            self.faults.put(path, "", words);
        }
        self.spend(16, path);
        match raw {
            _ if self.stopped => Node::default(),
            Value::Object(map) => self.object(map, path, depth),
            Value::Bool(false) => {
                let mut node = Node::default();
                node.schema
                    .insert("not".to_owned(), Value::Object(Map::new()));
                node
            }
            _ => Node::default(),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, path: &str, depth: usize) -> Node {
        let mut parts = Vec::new();
        let mut node = self.own(map, path, depth, &mut parts);
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(members)) = map.get(keyword) {
                let inner = step(path, keyword);
                let mut nodes = Vec::new();
                for (index, member) in members.iter().enumerate() {
                    if member == &Value::Bool(false) {
                        continue;
                    }
                    nodes.push(self.node(member, &format!("{inner}/{index}"), depth + 1));
                }
                if nodes.is_empty() {
                    self.faults.put(path, keyword, "nothing fits this");
                }
                parts.push(union::union(nodes));
            }
        }
        if let Some(Value::String(reference)) = map.get("$ref") {
            parts.push(self.reference(reference, path, depth));
        }
        if let Some(Value::Array(members)) = map.get("allOf") {
            let inner = step(path, "allOf");
            for (index, member) in members.iter().enumerate() {
                parts.push(self.node(member, &format!("{inner}/{index}"), depth + 1));
            }
        }
        for part in parts {
            merge(&mut node, part);
        }
        node.null |= node.forced;
        node.finish();
        node
    }

    /// The keywords that stand in the schema itself; a split by type becomes a part.
    fn own(
        &mut self,
        map: &Map<String, Value>,
        path: &str,
        depth: usize,
        parts: &mut Vec<Node>,
    ) -> Node {
        let mut node = Node {
            forced: map.get("nullable") == Some(&Value::Bool(true)),
            ..Node::default()
        };
        for (keyword, value) in map {
            match (keyword.as_str(), value) {
                (
                    "$schema" | "$id" | "$comment" | "$anchor" | "title" | "$ref" | "$defs"
                    | "definitions" | "anyOf" | "oneOf" | "allOf" | "nullable" | "type" | "enum"
                    | "const" | "items" | "prefixItems" | "additionalItems",
                    _,
                )
                | (
                    "additionalProperties" | "unevaluatedItems" | "unevaluatedProperties",
                    Value::Bool(true),
                ) => {}
                ("properties", Value::Object(properties)) => {
                    let inner = step(path, keyword);
                    let mut out = Map::new();
                    for (name, schema) in properties {
                        let child = self.node(schema, &step(&inner, name), depth + 1);
                        if child.null {
                            node.optional.insert(name.clone());
                        }
                        out.insert(name.clone(), Value::Object(child.schema));
                    }
                    node.schema.insert(keyword.clone(), Value::Object(out));
                }
                _ => {
                    let value = self.keyword(keyword, value, path, depth);
                    node.schema.insert(keyword.clone(), value);
                }
            }
        }
        self.items(map, path, depth, &mut node);
        self.values(map, path, &mut node, parts);
        node
    }

    /// `items`, and schemas by position, which become `items` where the end is known.
    fn items(&mut self, map: &Map<String, Value>, path: &str, depth: usize, node: &mut Node) {
        let (keyword, firsts, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(firsts)), rest) => ("prefixItems", firsts, rest),
            // So older drafts say it.
            (_, Some(Value::Array(firsts))) => ("items", firsts, map.get("additionalItems")),
            (_, None | Some(Value::Bool(true))) => return,
            (_, Some(items)) => {
                let items = self.keyword("items", items, path, depth);
                node.schema.insert("items".to_owned(), items);
                return;
            }
        };
        let inner = step(path, keyword);
        let mut nodes = Vec::new();
        for (index, first) in firsts.iter().enumerate() {
            nodes.push(self.node(first, &format!("{inner}/{index}"), depth + 1));
        }
        let length = firsts.len() as u64;
        let most = map.get("maxItems").and_then(super::count);
        let closed = rest == Some(&Value::Bool(false)) || most.is_some_and(|most| most <= length);
        match rest {
            _ if closed => {
                let most = most.map_or(length, |most| most.min(length));
                node.schema.insert("maxItems".to_owned(), most.into());
            }
            Some(rest @ Value::Object(_)) => {
                nodes.push(self.node(rest, &step(path, "items"), depth + 1));
            }
            _ => {
                let nodes: Vec<Value> = nodes.into_iter().map(Node::placed).collect();
                node.schema.insert("prefixItems".to_owned(), nodes.into());
                return;
            }
        }
        let mut items = union::union(nodes);
        items.finish();
        node.schema.insert("items".to_owned(), items.placed());
    }

    /// A keyword without a rule of its own: its schemas are normalised, its data copied.
    fn keyword(&mut self, keyword: &str, value: &Value, path: &str, depth: usize) -> Value {
        let inner = step(path, keyword);
        match (holds(keyword), value) {
            (Holds::Schema, Value::Bool(false))
                if keyword.starts_with("additional")
                    || keyword.starts_with("unevaluated")
                    || keyword == "items" =>
            {
                Value::Bool(false)
            }
            (Holds::Schema | Holds::List, Value::Array(items)) => {
                let mut out = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    let item = self.node(item, &format!("{inner}/{index}"), depth + 1);
                    out.push(item.placed());
                }
                Value::Array(out)
            }
            (Holds::Schema, _) => self.node(value, &inner, depth + 1).placed(),
            (Holds::Named, Value::Object(schemas)) => {
                let mut out = Map::new();
                for (name, schema) in schemas {
                    let schema = self.node(schema, &step(&inner, name), depth + 1);
                    out.insert(name.clone(), schema.placed());
                }
                Value::Object(out)
            }
            _ => {
                self.spend(weight(value), path);
                if self.stopped {
                    Value::Null
                } else {
                    value.clone()
                }
            }
        }
    }

    /// `type`, `enum` and `const`, and what they say about null.
    fn values(
        &mut self,
        map: &Map<String, Value>,
        path: &str,
        node: &mut Node,
        parts: &mut Vec<Node>,
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
                node.schema = std::mem::take(&mut Node::of_type("null").schema);
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
                self.faults.put(path, "enum", "no value is of the type");
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

    fn describe(&mut self, map: &Map<String, Value>, node: &mut Node) {
        if let Some(words) = map.get("description") {
            self.spend(weight(words), "");
            node.schema.insert("description".to_owned(), words.clone());
        }
    }

    /// The values that `const` and `enum` leave.
    fn choices(&mut self, map: &Map<String, Value>, path: &str) -> Option<Vec<Value>> {
        let listed = map.get("enum").and_then(Value::as_array);
        let constant = map.get("const");
        if listed.is_some_and(|values| values.len() > CHOICES) {
            let words = format!("more than {CHOICES} values");
            self.faults.put(path, "enum", words);
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
                .put(path, "const", "it is not one of the values of `enum`");
        }
        (listed.is_some() || constant.is_some()).then_some(values)
    }

    fn reference(&mut self, reference: &str, path: &str, depth: usize) -> Node {
        let target = pointer(reference);
        let found = target.and_then(|pointer| {
            let schema = self.root.pointer(&pointer)?;
            Some((pointer, schema))
        });
        let Some((pointer, schema)) = found else {
            self.faults.put(path, "$ref", "it leads nowhere");
            return Node::default();
        };
        if let Some(start) = self.open.iter().position(|open| *open == pointer) {
            let mut way: Vec<String> = self
                .open
                .iter()
                .skip(start)
                .map(|open| format!("#{open}"))
                .collect();
            way.push(format!("#{pointer}"));
            let words = format!(
                "the schema contains itself: {}; write the form out as deep as it is needed",
                way.join(" -> ")
            );
            self.faults.put(path, "$ref", words);
            return Node::default();
        }
        self.open.push(pointer.clone());
        let node = self.node(schema, &pointer, depth + 1);
        self.open.pop();
        node
    }

    fn spend(&mut self, bytes: usize, path: &str) {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > ROOM && !self.stopped {
            self.stopped = true;
            let words = format!(
                "the schema is longer than {ROOM} bytes when its references are written out"
            );
            self.faults.put(path, "", words);
        }
    }
}

/// One member for each type, with the keywords that are about it.
fn split(node: &mut Node, names: &[&str], values: Option<&[Value]>) -> Node {
    let mut members = Vec::new();
    for name in names {
        let mut member = Node::of_type(name);
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
    // Whether null fits is said by the list of types, not by one of them.
    out.null = node.null;
    out
}

/// About how long a value is as text; bounded, because documents are.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.iter().map(|item| weight(item) + 1).sum::<usize>() + 2,
        Value::Object(map) => {
            map.iter()
                .map(|(key, value)| key.len() + weight(value) + 4)
                .sum::<usize>()
                + 2
        }
        _ => 8,
    }
}
