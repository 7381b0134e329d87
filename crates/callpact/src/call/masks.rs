//! Hides the values of secret parameters from everybody who looks at a call, and puts them back into an edit.

use std::{borrow::Cow, collections::HashMap};

use super::json_edit::{JsonNode, pointer_part};
use crate::{
    schema::{Kind, Schema},
    secret::{Redactor, placeholders},
};

/// Stands for a secret value, alone or with a number.
const MASK: &str = "(secret";

/// The mask of one of several secret values.
fn mask_text(at: usize, count: usize) -> String {
    if count == 1 {
        format!("{MASK})")
    } else {
        format!("{MASK} {})", at + 1)
    }
}

/// Arguments without the values of secret parameters.
pub(super) struct MaskedText {
    pub(super) text: String,
    /// The hidden places, as JSON pointers.
    pub(super) places: Vec<String>,
}

/// Hides the values of secret parameters; `None` if there is no such value. A text that is not JSON is hidden whole
/// if it may hold one.
pub(super) fn mask(schema: &Schema, arguments: &str) -> Option<MaskedText> {
    if !schema.holds_secret() {
        return None;
    }
    let Some(mut root) = JsonNode::json(arguments) else {
        let text = mask_text(0, 1);
        let places = vec![String::new()];
        return Some(MaskedText { text, places });
    };
    let mut places = Vec::new();
    visit(&mut root, schema, "", &mut |_, place| {
        places.push(place.to_owned());
    });
    if places.is_empty() {
        return None;
    }
    let (count, mut at) = (places.len(), 0);
    visit(&mut root, schema, "", &mut |node, _| {
        *node = JsonNode::text(&mask_text(at, count));
        at += 1;
    });
    Some(MaskedText {
        text: root.to_text(),
        places,
    })
}

/// The arguments as a person or a log sees them.
pub(super) fn masked<'a>(schema: &Schema, arguments: &'a str) -> Cow<'a, str> {
    match mask(schema, arguments) {
        Some(masked) => Cow::Owned(masked.text),
        None => Cow::Borrowed(arguments),
    }
}

/// Puts the values of `original` back where an edit kept their masks, in secret parameters only.
pub(super) fn restore<'a>(schema: &Schema, edited: &'a str, original: &str) -> Cow<'a, str> {
    if !edited.contains(MASK) || !schema.holds_secret() {
        return Cow::Borrowed(edited);
    }
    let (Some(mut root), Some(mut before)) = (JsonNode::json(edited), JsonNode::json(original))
    else {
        return Cow::Borrowed(edited);
    };
    let mut values = Vec::new();
    visit(&mut before, schema, "", &mut |node, _| {
        values.push(node.to_text());
    });
    let mask = |at| JsonNode::text(&mask_text(at, values.len())).to_text();
    let masks: HashMap<String, &String> = values
        .iter()
        .enumerate()
        .map(|(at, value)| (mask(at), value))
        .collect();
    visit(&mut root, schema, "", &mut |node, _| {
        if let Some(value) = masks.get(&node.to_text()) {
            *node = JsonNode::new(value);
        }
    });
    Cow::Owned(root.to_text())
}

/// Removes the secret values of these arguments from other texts, such as a preview.
pub(super) fn redactor(schema: &Schema, arguments: &str) -> Redactor {
    if !schema.holds_secret() {
        return Redactor::none();
    }
    let Some(mut root) = JsonNode::json(arguments) else {
        return Redactor::none();
    };
    let mut values = Vec::new();
    visit(&mut root, schema, "", &mut |node, _| {
        let text = node.to_text();
        values.push(serde_json::from_str::<String>(&text).unwrap_or(text));
    });
    Redactor::of_parameters(values.iter().map(String::as_str))
}

/// Calls `found` with each value that a person must not see, and with its place. A value that does not fit its schema
/// counts if it may hold a secret.
fn visit(
    node: &mut JsonNode,
    schema: &Schema,
    place: &str,
    found: &mut dyn FnMut(&mut JsonNode, &str),
) {
    if !schema.holds_secret() || node.is_null() {
        return;
    }
    if schema.secret {
        let text = node.to_text();
        // The name of a secret is not secret.
        let is_name = serde_json::from_str::<String>(&text).is_ok_and(|text| {
            let mut found = placeholders(&text);
            found
                .next()
                .is_some_and(|one| one.secret.is_some() && one.range == (0..text.len()))
        });
        if !is_name {
            found(node, place);
        }
        return;
    }
    let child = |key: &str| place.to_owned() + &pointer_part(key);
    match &schema.kind {
        Kind::List(rules) => {
            if let Some(items) = node.list() {
                for (at, item) in items.iter_mut().enumerate() {
                    visit(item, &rules.items, &child(&at.to_string()), found);
                }
                return;
            }
        }
        Kind::Map(rules) => {
            if let Some(fields) = node.object() {
                for (key, value) in fields {
                    visit(value, &rules.values, &child(key), found);
                }
                return;
            }
        }
        Kind::Object(rules) => {
            if let Some(fields) = node.object() {
                for (key, value) in fields {
                    let field = rules.all_fields().find(|field| {
                        field.name.part() == key || field.aliases.contains(&key.as_str())
                    });
                    match (field, &rules.extra) {
                        (Some(field), _) => visit(value, &field.schema, &child(key), found),
                        (None, Some(extra)) => visit(value, extra, &child(key), found),
                        // This may be a secret under a misspelt name.
                        (None, None) => found(value, &child(key)),
                    }
                }
                return;
            }
        }
        _ => {}
    }
    found(node, place);
}

#[cfg(test)]
mod tests {
    use super::{mask, masked, redactor, restore};
    use crate::ToolInput;

    /// Who comes in
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Login {
        user: String,
        #[tool_param(secret)]
        password: String,
        #[tool_param(secret)]
        codes: Option<Vec<u32>>,
    }

    #[test]
    fn mask_hides_value_and_edit_restores_value() {
        let schema = Login::SCHEMA;
        let one = r#"{"user": "ada", "password": "pass word"}"#;
        let shown = mask(schema, one).expect("it has a secret");
        assert_eq!(shown.text, r#"{"user":"ada","password":"(secret)"}"#);
        assert_eq!(shown.places, ["/password"]);
        let edit = r#"{"user": "(secret)", "password": "(secret)"}"#;
        assert_eq!(
            restore(schema, edit, one),
            r#"{"user":"(secret)","password":"pass word"}"#
        );
        let two = r#"{"password": "p", "user": "u", "codes": [1, 2]}"#;
        assert_eq!(
            masked(schema, two),
            r#"{"password":"(secret 1)","user":"u","codes":"(secret 2)"}"#
        );
        // A mask is the value that it hid, wherever it moves to.
        let swapped = r#"{"codes": "(secret 2)", "password": "new", "user": "u"}"#;
        assert_eq!(
            restore(schema, swapped, two),
            r#"{"codes":[1, 2],"password":"new","user":"u"}"#
        );
        assert_eq!(masked(schema, r#"{"user":"a"}"#), r#"{"user":"a"}"#);
        assert_eq!(
            masked(schema, r#"{"passwort": "p"}"#),
            r#"{"passwort":"(secret)"}"#
        );
        assert_eq!(masked(schema, "pass"), "(secret)");
        let named = r#"{"password":"<secret_ref:github>"}"#;
        assert_eq!(masked(schema, named), named);
        let text = redactor(schema, one)
            .redact("logs in with pass word")
            .into_owned();
        assert_eq!(text, "logs in with (secret)");
    }
}
