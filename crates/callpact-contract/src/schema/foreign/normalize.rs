//! The normaliser: a walk that rebuilds each node from the meaning of its keywords.

use std::io;

use serde_json::{Map, Value, json};

use super::{
    SchemaFaults,
    keyword::{KeywordForm, holds, pointer, step},
    merge::merge,
    node::ForeignNode,
    union,
};

/// The most bytes, roughly, of a schema as given and with its references written out.
const ROOM: usize = 1 << 20;
/// How deep schemas may be nested, references included.
const DEPTH: usize = 64;

/// How often the walk is repeated; twice is enough for all but contrived schemas.
const ROUNDS: usize = 8;

/// Whether a schema is longer than the limit.
pub(super) fn is_too_long(root: &Value) -> bool {
    // The only possible error is the end of the room.
    serde_json::to_writer(&mut NodeBudget(ROOM), root).is_err()
}

/// Counts the written bytes, and takes no more than the room holds.
struct NodeBudget(usize);

impl io::Write for NodeBudget {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn normalize(root: &Value) -> Result<Value, SchemaFaults> {
    let mut out = round(root)?;
    // After a walk has simplified the schema, the next one may be able to merge more.
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
    node.settle();
    // Arguments are an object, and null means absent arguments.
    let any = !["type", "anyOf", "allOf", "enum", "not"]
        .iter()
        .any(|key| node.schema.contains_key(*key));
    if any {
        node.schema.insert("type".to_owned(), "object".into());
        node.finish();
    }
    normalizer.faults.or(Value::Object(node.schema))
}

pub(super) struct Normalizer<'a> {
    root: &'a Value,
    /// The references that are being written out, the root first.
    open: Vec<String>,
    spent: usize,
    pub(super) stopped: bool,
    pub(super) faults: SchemaFaults,
}

/// A way to read a nested schema, with its path and its depth.
type SchemaVisit<'a, T> = fn(&mut Normalizer<'a>, &Value, &str, usize) -> T;

impl<'a> Normalizer<'a> {
    fn enter(&mut self, path: &str, depth: usize) {
        if depth > DEPTH && !self.stopped {
            self.stopped = true;
            let words = format!("schemas nested deeper than {DEPTH} levels, references counted");
            self.faults.note(path, "", words);
        }
        self.spend(16, path);
    }

    pub(super) fn node(&mut self, raw: &Value, path: &str, depth: usize) -> ForeignNode {
        self.enter(path, depth);
        match raw {
            _ if self.stopped => ForeignNode::default(),
            Value::Object(map) => self.object(map, path, depth),
            Value::Bool(false) => {
                let mut node = ForeignNode::default();
                node.schema
                    .insert("not".to_owned(), Value::Object(Map::new()));
                node
            }
            _ => ForeignNode::default(),
        }
    }

    fn object(&mut self, map: &Map<String, Value>, path: &str, depth: usize) -> ForeignNode {
        let mut parts = Vec::new();
        let mut node = self.own_keywords(map, path, depth, &mut parts);
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
                    self.faults.note(path, keyword, "nothing fits this");
                }
                parts.push(union::union(nodes));
            }
        }
        if let Some(Value::String(reference)) = map.get("$ref") {
            let target = self.reference(reference, path, depth, Self::node);
            parts.push(target.unwrap_or_default());
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

    /// The schema's own keywords; a split by type becomes a part.
    fn own_keywords(
        &mut self,
        map: &Map<String, Value>,
        path: &str,
        depth: usize,
        parts: &mut Vec<ForeignNode>,
    ) -> ForeignNode {
        let mut node = ForeignNode {
            forced: map.get("nullable") == Some(&Value::Bool(true)),
            ..ForeignNode::default()
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
                        let mut child = self.node(schema, &step(&inner, name), depth + 1);
                        child.settle();
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

    /// `items`, and schemas by position, which become `items` if the end is known.
    fn items(
        &mut self,
        map: &Map<String, Value>,
        path: &str,
        depth: usize,
        node: &mut ForeignNode,
    ) {
        let (keyword, firsts, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(firsts)), rest) => ("prefixItems", firsts, rest),
            // Older drafts write it like this.
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
        let most = map.get("maxItems").and_then(super::shape::count);
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
                let nodes: Vec<Value> = nodes.into_iter().map(ForeignNode::placed).collect();
                node.schema.insert("prefixItems".to_owned(), nodes.into());
                return;
            }
        }
        let mut items = union::union(nodes);
        items.finish();
        node.schema.insert("items".to_owned(), items.placed());
    }

    /// A schema that decides which other rules hold. If it took more or fewer values, the whole
    /// would take other values, so it stays unchanged; only its references are written out.
    fn condition(&mut self, raw: &Value, path: &str, depth: usize) -> Value {
        self.enter(path, depth);
        let Value::Object(map) = raw else {
            return raw.clone();
        };
        let mut out = Map::new();
        for (keyword, value) in map {
            if self.stopped {
                break;
            }
            if !matches!(keyword.as_str(), "$ref" | "$defs" | "definitions") {
                let value = self.walk(keyword, value, path, depth, Self::condition);
                out.insert(keyword.clone(), value);
            }
        }
        if let Some(Value::String(reference)) = map.get("$ref") {
            let target = self.reference(reference, path, depth, Self::condition);
            let all = out.entry("allOf").or_insert_with(|| json!([]));
            if let (Some(target), Value::Array(all)) = (target, all) {
                all.push(target);
            }
        }
        Value::Object(out)
    }

    /// A keyword without its own rule: its schemas are normalised, its data is copied.
    fn keyword(&mut self, keyword: &str, value: &Value, path: &str, depth: usize) -> Value {
        let schema: SchemaVisit<'a, Value> = match keyword {
            "not" | "if" | "contains" => Self::condition,
            _ => |this, raw, path, depth| this.node(raw, path, depth).placed(),
        };
        self.walk(keyword, value, path, depth, schema)
    }

    /// The value of a keyword, with `schema` applied to the schemas in it.
    fn walk(
        &mut self,
        keyword: &str,
        value: &Value,
        path: &str,
        depth: usize,
        schema: SchemaVisit<'a, Value>,
    ) -> Value {
        let inner = step(path, keyword);
        match (holds(keyword), value) {
            (KeywordForm::Schema, Value::Bool(false))
                if keyword.starts_with("additional")
                    || keyword.starts_with("unevaluated")
                    || keyword == "items" =>
            {
                Value::Bool(false)
            }
            (KeywordForm::Schema | KeywordForm::List, Value::Array(items)) => {
                let mut out = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    out.push(schema(self, item, &format!("{inner}/{index}"), depth + 1));
                }
                Value::Array(out)
            }
            (KeywordForm::Schema, _) => schema(self, value, &inner, depth + 1),
            (KeywordForm::Named, Value::Object(schemas)) => {
                let mut out = Map::new();
                for (name, raw) in schemas {
                    let named = match raw {
                        Value::Array(_) => raw.clone(),
                        _ => schema(self, raw, &step(&inner, name), depth + 1),
                    };
                    out.insert(name.clone(), named);
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

    /// Applies `schema` to the target of a reference; `None` if there is no target, or it is already open.
    fn reference<T>(
        &mut self,
        reference: &str,
        path: &str,
        depth: usize,
        schema: SchemaVisit<'a, T>,
    ) -> Option<T> {
        let target = pointer(reference);
        let found = target.and_then(|pointer| {
            let found = self.root.pointer(&pointer)?;
            Some((pointer, found))
        });
        let Some((pointer, found)) = found else {
            self.faults.note(path, "$ref", "it leads nowhere");
            return None;
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
            self.faults.note(path, "$ref", words);
            return None;
        }
        self.open.push(pointer.clone());
        let read = schema(self, found, &pointer, depth + 1);
        self.open.pop();
        Some(read)
    }

    pub(super) fn spend(&mut self, bytes: usize, path: &str) {
        self.spent = self.spent.saturating_add(bytes);
        if self.spent > ROOM && !self.stopped {
            self.stopped = true;
            let words = format!(
                "the schema is longer than {ROOM} bytes when its references are written out"
            );
            self.faults.note(path, "", words);
        }
    }
}

/// The approximate length of a value as text. The walk is bounded, because documents are.
pub(super) fn weight(value: &Value) -> usize {
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
