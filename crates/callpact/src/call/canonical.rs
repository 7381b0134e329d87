//! The arguments of a call as they will run: the text of the model with every fix applied and every
//! default written out.
//!
//! The reader records its changes, with the path and the kind of each. That is enough to change the text
//! in the same way, and it works for every type, since no value has to be turned back into JSON. The
//! result is not trusted: it counts only if the reader accepts it under the exact policy.

use super::json_edit::JsonNode;
use crate::{
    input::{Fix, FixKind, Policy, Step, repair::clean_text},
    schema::{Kind, Literal, Schema, Tagging, Union},
    tool::{ParsedInput, ToolContext, compact},
    toolset::ToolEntry,
};

/// Complete arguments: every fix and default is written out.
pub(super) struct CanonicalArguments {
    pub(super) text: String,
    /// The defaults that were written out.
    pub(super) defaults: Vec<FilledDefault>,
    /// The policy under which the text must be readable without a fix.
    pub(super) policy: Policy,
}

/// A default that was written out.
pub(super) struct FilledDefault {
    /// Its place, as a JSON pointer; `None` if only its variant is known.
    pub(super) place: Option<String>,
    /// In words.
    pub(super) words: String,
}

/// A place in the arguments, in words and as a JSON pointer.
#[derive(Default)]
struct ArgumentPlace {
    words: String,
    pointer: String,
}

impl ArgumentPlace {
    fn key(&self, key: &str) -> Self {
        let dot = if self.words.is_empty() { "" } else { "." };
        Self {
            words: format!("{}{dot}{key}", self.words),
            pointer: format!(
                "{}/{}",
                self.pointer,
                key.replace('~', "~0").replace('/', "~1")
            ),
        }
    }

    fn item(&self, index: usize) -> Self {
        Self {
            words: format!("{}[{index}]", self.words),
            pointer: format!("{}/{index}", self.pointer),
        }
    }
}

/// Writes out fixes and defaults, and reads the result.
///
/// # Errors
/// Nothing needs to be written out, or the result cannot be read without a fix. Then this gives the defaults in
/// words, for a reviewer who sees the text of the model.
pub(super) fn exact_input(
    entry: &ToolEntry,
    arguments: &str,
    prepared: &ParsedInput,
    cx: &ToolContext,
) -> Result<(CanonicalArguments, ParsedInput), Vec<FilledDefault>> {
    let schema = entry.tool.parameters().schema();
    let mut defaults = Vec::new();
    // The reader decides: the tool gets these arguments only if they are exact. Two items of a set
    // may differ only in an unknown key, so unknown keys are kept if necessary.
    let is_unknown = |fix: &Fix| fix.kind == FixKind::UnknownDropped;
    let tries: &[bool] = if prepared.changes.iter().any(is_unknown) {
        &[false, true]
    } else {
        &[false]
    };
    for &keep_unknown in tries {
        let Some(mut canonical) = canonical(schema, arguments, prepared, cx.policy(), keep_unknown)
        else {
            continue;
        };
        // A name that no provider takes may stand there as the model was shown it.
        for policy in [canonical.policy, canonical.policy.lowered()] {
            match entry.tool.prepare(&canonical.text, &policy) {
                Ok(input) if input.changes.iter().all(is_unknown) => {
                    canonical.policy = policy;
                    return Ok((canonical, input));
                }
                _ => {}
            }
        }
        defaults = canonical.defaults;
    }
    Err(defaults)
}

/// Writes out fixes and defaults. Gives `None` when there is nothing to write, and when a fix cannot be
/// applied. With `keep_unknown`, keys that are not parameters stay.
fn canonical(
    schema: Option<&'static Schema>,
    arguments: &str,
    prepared: &ParsedInput,
    policy: &Policy,
    keep_unknown: bool,
) -> Option<CanonicalArguments> {
    if prepared.is_text() {
        // The tool reads the text itself.
        return None;
    }
    // The text is already mended.
    let fixes: Vec<&Fix> = prepared
        .changes
        .iter()
        .filter(|fix| !fix.kind.is_textual())
        .filter(|fix| !keep_unknown || fix.kind != FixKind::UnknownDropped)
        .collect();
    let mut root = JsonNode::new(arguments);
    apply_fixes(&mut root, &fixes, 0, policy)?;
    let mut defaults = Vec::new();
    if let Some(schema) = schema {
        add_defaults(&mut root, schema, &ArgumentPlace::default(), &mut defaults);
    }
    if fixes.is_empty() && defaults.is_empty() {
        return None;
    }
    let text = compact(&root.to_text());
    let policy = Policy::exact().with_max_bytes(policy.max_bytes().max(text.len()));
    Some(CanonicalArguments {
        text,
        defaults,
        policy,
    })
}

/// Applies the fixes at and below one node. `depth` is the length of its path.
fn apply_fixes(node: &mut JsonNode, fixes: &[&Fix], depth: usize, policy: &Policy) -> Option<()> {
    let at_node = || fixes.iter().filter(|fix| fix.path.steps().len() == depth);
    for fix in at_node() {
        match fix.kind {
            FixKind::Wrapped => unwrap_arguments(node, fix, policy)?,
            FixKind::DoubleEncoded | FixKind::StructureFromText => open_text(node, policy)?,
            FixKind::SingleFromList => *node = std::mem::take(node.list()?.first_mut()?),
            _ => {}
        }
    }
    for fix in at_node() {
        match fix.kind {
            FixKind::ListFromSingle => *node = JsonNode::List(vec![std::mem::take(node)]),
            FixKind::NumberFromText | FixKind::IntegerFromNumber | FixKind::BooleanFromText => {
                // A fix does not show the value of a secret parameter.
                *node = JsonNode::json(&fix.to).or_else(|| convert(node))?;
            }
            FixKind::ChoiceCase | FixKind::Alias => rename_choice(node, fix),
            FixKind::TextFromNumber => *node = JsonNode::text(&node.to_text()),
            _ => {}
        }
    }
    let mut below: Vec<&Fix> = fixes
        .iter()
        .copied()
        .filter(|fix| fix.path.steps().len() > depth)
        .collect();
    while let Some(step) = below.first().and_then(|fix| fix.path.steps().get(depth)) {
        let of_child = |fix: &&Fix| fix.path.steps().get(depth) == Some(step);
        let (mut inside, others): (Vec<&Fix>, Vec<&Fix>) =
            below.iter().partition(|fix| of_child(fix));
        match step {
            Step::Index(index) => {
                apply_fixes(node.list()?.get_mut(*index)?, &inside, depth + 1, policy)?;
            }
            Step::Key(key) => {
                let fields = node.object()?;
                rename_key(fields, key, &mut inside, depth + 1)?;
                let absent = inside.iter().any(|fix| {
                    fix.path.steps().len() == depth + 1
                        && matches!(
                            fix.kind,
                            FixKind::NullAsAbsent
                                | FixKind::EmptyAsAbsent
                                | FixKind::UnknownDropped
                        )
                });
                if absent {
                    fields.retain(|(name, _)| name != key);
                } else {
                    let (_, child) = fields.iter_mut().find(|(name, _)| name == key)?;
                    apply_fixes(child, &inside, depth + 1, policy)?;
                }
            }
        }
        below = others;
    }
    if at_node().any(|fix| fix.kind.is_map_from_list()) {
        pairs_to_map(node)?;
    }
    Some(())
}

/// Gives a choice its declared name: a string, the key before the content of a variant, or a key of a map. A choice that
/// is not shown is left, and the exact reader refuses it.
fn rename_choice(node: &mut JsonNode, fix: &Fix) {
    let Some(name) = JsonNode::json(&fix.to) else {
        return;
    };
    let Some(fields) = node.object() else {
        *node = name;
        return;
    };
    let text = |json: &str| serde_json::from_str::<String>(json).ok();
    if let (Some(sent), Some(declared)) = (text(&fix.from), text(&fix.to))
        && let Some((key, _)) = fields.iter_mut().find(|(key, _)| *key == sent)
    {
        *key = declared;
    }
}

/// Gives a key its declared name, where it was sent under another one. Such a fix has the path of the
/// declared name.
fn rename_key(
    fields: &mut [(String, JsonNode)],
    key: &str,
    fixes: &mut Vec<&Fix>,
    depth: usize,
) -> Option<()> {
    if fields.iter().any(|(name, _)| name == key) {
        return Some(());
    }
    let renames = |fix: &&Fix| {
        fix.path.steps().len() == depth && matches!(fix.kind, FixKind::Alias | FixKind::KeyCase)
    };
    let Some(at) = fixes.iter().position(renames) else {
        // The model was shown another name if no provider takes the declared one.
        let mut shown = fields
            .iter_mut()
            .filter(|(name, _)| plain_key(name) == plain_key(key));
        if let (Some((name, _)), None) = (shown.next(), shown.next()) {
            key.clone_into(name);
        }
        return Some(());
    };
    let sent: Option<String> = serde_json::from_str(&fixes.remove(at).from).ok();
    let is_sent = |name: &str| match &sent {
        Some(sent) => name == sent,
        None => plain_key(name) == plain_key(key),
    };
    let (name, _) = fields.iter_mut().find(|(name, _)| is_sent(name))?;
    key.clone_into(name);
    Some(())
}

/// The letters and digits of a key, in lower case.
fn plain_key(key: &str) -> String {
    let plain = key.chars().filter(|c| c.is_alphanumeric());
    plain.flat_map(char::to_lowercase).collect()
}

/// The number or boolean in a string, or a whole number without its fraction.
fn convert(node: &JsonNode) -> Option<JsonNode> {
    let json = node.to_text();
    let text = serde_json::from_str(&json).unwrap_or(json);
    let text = text.trim().to_ascii_lowercase();
    let whole = text
        .split_once('.')
        .filter(|(_, rest)| !rest.is_empty() && rest.bytes().all(|digit| digit == b'0'));
    JsonNode::json(whole.map_or(&text, |(whole, _)| whole))
}

/// Takes the arguments out of the object around them.
fn unwrap_arguments(node: &mut JsonNode, fix: &Fix, policy: &Policy) -> Option<()> {
    for wrapper in fix.from.split('`').nth(1)?.split('.') {
        let fields = node.object()?;
        let at = fields.iter().position(|(name, _)| name == wrapper)?;
        *node = fields.swap_remove(at).1;
    }
    if node.is_text() {
        open_text(node, policy)?;
    }
    Some(())
}

/// Replaces a string by the JSON in it.
fn open_text(node: &mut JsonNode, policy: &Policy) -> Option<()> {
    let text: String = serde_json::from_str(&node.to_text()).ok()?;
    *node = match JsonNode::json(&text) {
        Some(node) => node,
        None => JsonNode::json(&clean_text(&text, policy)?)?,
    };
    Some(())
}

fn pairs_to_map(node: &mut JsonNode) -> Option<()> {
    let mut fields = Vec::new();
    for pair in node.list()? {
        let (key, value) = if let Some(pair) = pair.list() {
            let [key, value] = pair.as_mut_slice() else {
                return None;
            };
            (key, std::mem::take(value))
        } else {
            let [(_, first), (name, second)] = pair.object()?.as_mut_slice() else {
                return None;
            };
            if name == "key" {
                (second, std::mem::take(first))
            } else {
                (first, std::mem::take(second))
            }
        };
        let key = key.to_text();
        // A numeric key is sent as a number.
        fields.push((serde_json::from_str(&key).unwrap_or(key), value));
    }
    *node = JsonNode::Object(fields);
    Some(())
}

/// Adds the defaults of absent fields, in every object that is there.
fn add_defaults(
    node: &mut JsonNode,
    schema: &Schema,
    path: &ArgumentPlace,
    defaults: &mut Vec<FilledDefault>,
) {
    if !has_defaults(schema) {
        return;
    }
    match &schema.kind {
        Kind::Object(_) => {
            let Some(fields) = node.object() else { return };
            add_fields(fields, schema, path, defaults);
        }
        Kind::List(rules) => {
            for (index, item) in node.list().into_iter().flatten().enumerate() {
                add_defaults(item, &rules.items, &path.item(index), defaults);
            }
        }
        Kind::Tuple(items) => {
            let values = node.list().into_iter().flatten();
            for (index, (value, schema)) in values.zip(items.iter()).enumerate() {
                add_defaults(value, schema, &path.item(index), defaults);
            }
        }
        Kind::Map(rules) => {
            for (key, value) in node.object().into_iter().flatten() {
                add_defaults(value, &rules.values, &path.key(key), defaults);
            }
        }
        Kind::Union(rules) => add_to_variant(node, rules, path, defaults),
        _ => {}
    }
}

fn add_fields(
    fields: &mut Vec<(String, JsonNode)>,
    schema: &Schema,
    path: &ArgumentPlace,
    defaults: &mut Vec<FilledDefault>,
) {
    for field in schema.fields() {
        let path = path.key(&field.name);
        match (
            fields.iter_mut().find(|(name, _)| **name == *field.name),
            &field.schema.default,
        ) {
            (Some((_, value)), _) => add_defaults(value, &field.schema, &path, defaults),
            (None, Some(default)) if !field.required => {
                let json = literal_json(default);
                let what = if field.schema.secret {
                    "the default".to_owned()
                } else {
                    format!("{json} by default")
                };
                defaults.push(FilledDefault {
                    words: format!("{}: {what}", path.words),
                    place: Some(path.pointer),
                });
                fields.push((field.name.to_string(), JsonNode::Raw(json)));
            }
            (None, _) => {}
        }
    }
}

/// Adds defaults to the content of the variant that was read.
fn add_to_variant(
    node: &mut JsonNode,
    union: &Union,
    path: &ArgumentPlace,
    defaults: &mut Vec<FilledDefault>,
) {
    let Some(fields) = node.object() else { return };
    if matches!(union.tagging, Tagging::None) {
        return add_to_untagged(fields, union, path, defaults);
    }
    let name = match &union.tagging {
        Tagging::External => fields.first().map(|(name, _)| name.clone()),
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => fields
            .iter()
            .find(|(name, _)| **name == **tag)
            .and_then(|(_, value)| serde_json::from_str(&value.to_text()).ok()),
        Tagging::None => None,
    };
    let variant = union
        .variants
        .iter()
        .find(|variant| name.as_deref() == Some(&*variant.name));
    let Some(content) = variant.and_then(|variant| variant.content.as_deref()) else {
        return;
    };
    match &union.tagging {
        Tagging::Internal { .. } if matches!(content.kind, Kind::Object(_)) => {
            add_fields(fields, content, path, defaults);
        }
        Tagging::External => {
            if let Some((name, value)) = fields.first_mut() {
                add_defaults(value, content, &path.key(name), defaults);
            }
        }
        Tagging::Adjacent { content: key, .. } => {
            if let Some((_, value)) = fields.iter_mut().find(|(name, _)| **name == **key) {
                add_defaults(value, content, &path.key(key), defaults);
            }
        }
        Tagging::Internal { .. } | Tagging::None => {}
    }
}

/// Adds the defaults of the only variant that these fields fit. If several fit, words say that the variant
/// that is read may have defaults.
fn add_to_untagged(
    fields: &mut Vec<(String, JsonNode)>,
    union: &Union,
    path: &ArgumentPlace,
    defaults: &mut Vec<FilledDefault>,
) {
    let contents = union.variants.iter().filter_map(|it| it.content.as_deref());
    let fitting: Vec<&Schema> = contents.filter(|it| may_be(fields, it)).collect();
    match fitting[..] {
        [content] => add_fields(fields, content, path, defaults),
        _ if fitting.iter().any(|it| has_defaults(it)) => {
            let of = if path.words.is_empty() {
                "the input"
            } else {
                &path.words
            };
            defaults.push(FilledDefault {
                place: None,
                words: format!("{of}: what its variant has by default"),
            });
        }
        _ => {}
    }
}

/// Whether an object has every required field, no unknown field, and values of the right kinds.
fn may_be(fields: &[(String, JsonNode)], schema: &Schema) -> bool {
    let Kind::Object(_) = &schema.kind else {
        return false;
    };
    let is_there = |name: &str| fields.iter().any(|(sent, _)| sent == name);
    let mut declared = schema.fields();
    let complete = declared.all(|field| !field.required || is_there(&field.name));
    complete
        && fields.iter().all(|(sent, value)| {
            let field = schema.fields().find(|field| *field.name == **sent);
            field.is_some_and(|field| may_have_kind(&value.to_text(), &field.schema))
        })
}

fn may_have_kind(json: &str, schema: &Schema) -> bool {
    let first = json.trim_start().chars().next();
    match &schema.kind {
        Kind::Boolean => matches!(first, Some('t' | 'f')),
        Kind::Integer(_) | Kind::Number(_) => matches!(first, Some('-' | '0'..='9')),
        Kind::Text(_) => first == Some('"'),
        Kind::List(_) | Kind::Tuple(_) => first == Some('['),
        Kind::Map(_) | Kind::Object(_) => first == Some('{'),
        // Any value fits, or it is a union.
        _ => true,
    }
}

/// Whether a default stands anywhere in a schema.
fn has_defaults(schema: &Schema) -> bool {
    schema.has_part(|part| part.default.is_some() || has_defaults(part))
}

fn literal_json(literal: &Literal) -> String {
    match literal {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
        Literal::Number(value) => serde_json::Value::from(value.value).to_string(),
        Literal::Text(text) => serde_json::Value::from(&**text).to_string(),
        Literal::List(items) => {
            let items: Vec<String> = items.iter().map(literal_json).collect();
            format!("[{}]", items.join(","))
        }
    }
}
