//! The schema tree as data for the page, and what the page must not show of a value.

use serde_json::{Map, Value, json};
use toolwright::schema::{Bound, Choice, Field, Kind, Literal, Schema, Tagging, Unknown, Variant};

/// The deepest part of a schema that the page makes fields for; deeper parts are written as JSON.
const DEEPEST: usize = 24;

/// The tree of a tool's parameters, with marks at the paths where references to secrets are resolved.
pub(crate) fn describe(schema: &Schema, secret_params: &[&str]) -> Value {
    Describer { secret_params }.node(schema, "", 0)
}

struct Describer<'a> {
    secret_params: &'a [&'a str],
}

impl Describer<'_> {
    fn node(&self, schema: &Schema, path: &str, depth: usize) -> Value {
        let mut out = Map::new();
        let mut set = |name: &str, value: Value| {
            // What is not there says nothing.
            if !matches!(&value, Value::Null | Value::Bool(false)) && value != "" {
                out.insert(name.to_owned(), value);
            }
        };
        set("description", schema.description.part().into());
        set("nullable", schema.nullable.into());
        set("secret", schema.secret.into());
        set("secret_ref", self.takes_reference(path).into());
        set(
            "default",
            schema.default.as_ref().map_or(Value::Null, literal),
        );
        set(
            "example",
            schema.example.as_ref().map_or(Value::Null, literal),
        );
        let (kind, rules) = if depth < DEEPEST {
            self.rules(&schema.kind, path, depth + 1)
        } else {
            ("any", Value::Null)
        };
        set("kind", kind.into());
        if let Value::Object(rules) = rules {
            for (name, value) in rules {
                set(&name, value);
            }
        }
        Value::Object(out)
    }

    fn rules(&self, kind: &Kind, path: &str, depth: usize) -> (&'static str, Value) {
        match kind {
            Kind::Boolean => ("boolean", Value::Null),
            Kind::Integer(rules) => {
                let text = |number: &i128| number.to_string();
                let choices: Vec<_> = rules.choices.iter().map(text).collect();
                let rules = json!({
                    "min": rules.min.as_ref().map(text),
                    "max": rules.max.as_ref().map(text),
                    "multiple_of": rules.multiple_of.as_ref().map(text),
                    "choices": Some(choices).filter(|choices| !choices.is_empty()),
                });
                ("integer", rules)
            }
            Kind::Number(rules) => {
                let multiple_of = rules.multiple_of.as_ref();
                let rules = json!({
                    "min": rules.min.as_ref().map(|bound| bound_text(bound, "more than ")),
                    "max": rules.max.as_ref().map(|bound| bound_text(bound, "less than ")),
                    "multiple_of": multiple_of.map(|number| number.text.part()),
                });
                ("number", rules)
            }
            Kind::Text(rules) => {
                let choices: Vec<_> = rules.choices.iter().map(choice).collect();
                let rules = json!({
                    "min_length": rules.min_length,
                    "max_length": rules.max_length,
                    "pattern": rules.pattern.as_ref().map(|pattern| pattern.text.part()),
                    "choices": Some(choices).filter(|choices| !choices.is_empty()),
                    "form": rules.form,
                });
                ("text", rules)
            }
            Kind::List(rules) => {
                let rules = json!({
                    "items": self.node(&rules.items, &format!("{path}[]"), depth),
                    "min_items": rules.min_items,
                    "max_items": rules.max_items,
                    "unique": rules.unique,
                });
                ("list", rules)
            }
            Kind::Tuple(items) => {
                let items = items.iter().map(|item| self.node(item, path, depth));
                ("tuple", json!({ "items": items.collect::<Vec<_>>() }))
            }
            Kind::Map(rules) => {
                let keys: Vec<_> = rules.keys.iter().map(choice).collect();
                let rules = json!({
                    "values": self.node(&rules.values, path, depth),
                    "keys": Some(keys).filter(|keys| !keys.is_empty()),
                });
                ("map", rules)
            }
            Kind::Object(rules) => {
                let fields = rules
                    .all_fields()
                    .map(|field| self.field(field, path, depth));
                let extra = rules.extra.as_ref();
                let rules = json!({
                    "fields": fields.collect::<Vec<_>>(),
                    "closed": rules.unknown == Unknown::Deny,
                    "extra": extra.map(|values| self.node(values, path, depth)),
                });
                ("object", rules)
            }
            Kind::Union(rules) => {
                let variants = rules.variants.iter();
                let variants =
                    variants.map(|variant| self.variant(variant, &rules.tagging, path, depth));
                let rules = json!({
                    "tagging": tagging(&rules.tagging),
                    "variants": variants.collect::<Vec<_>>(),
                });
                ("union", rules)
            }
            // A new kind is written as JSON.
            _ => ("any", Value::Null),
        }
    }

    fn field(&self, field: &Field, path: &str, depth: usize) -> Value {
        json!({
            "name": field.name.part(),
            "required": field.required,
            "schema": self.node(&field.schema, &below(path, &field.name), depth),
        })
    }

    fn variant(&self, variant: &Variant, tagging: &Tagging, path: &str, depth: usize) -> Value {
        let path = match tagging {
            Tagging::External => below(path, &variant.name),
            Tagging::Adjacent { content, .. } => below(path, content),
            _ => path.to_owned(),
        };
        let content = variant.content.as_ref();
        json!({
            "name": variant.name.part(),
            "description": variant.description.part(),
            "content": content.map(|content| self.node(content, &path, depth)),
        })
    }

    /// Whether references to secrets are resolved at a path, or all around it.
    fn takes_reference(&self, path: &str) -> bool {
        self.secret_params.iter().any(|secret| {
            path.strip_prefix(secret)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

fn choice(choice: &Choice) -> Value {
    json!({ "name": choice.name.part(), "description": choice.description.part() })
}

fn bound_text(bound: &Bound, exclusive: &str) -> String {
    let words = if bound.exclusive { exclusive } else { "" };
    format!("{words}{}", bound.at.text.part())
}

fn tagging(tagging: &Tagging) -> Value {
    match tagging {
        Tagging::External => json!({ "kind": "external" }),
        Tagging::Internal { tag } => json!({ "kind": "internal", "tag": tag.part() }),
        Tagging::Adjacent { tag, content } => {
            json!({ "kind": "adjacent", "tag": tag.part(), "content": content.part() })
        }
        Tagging::None => json!({ "kind": "none" }),
    }
}

/// A literal as the text that a person reads.
fn literal(value: &Literal) -> Value {
    match value {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
        Literal::Number(value) => value.text.part().to_owned(),
        Literal::Text(value) => format!("{:?}", value.part()),
        Literal::List(values) => {
            let values: Vec<_> = values.iter().map(literal).collect();
            let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
            format!("[{}]", values.join(", "))
        }
    }
    .into()
}

/// What stands in place of a secret value.
const HIDDEN: &str = "(secret)";

/// Arguments without the values that the schema calls secret. A text that is not JSON is hidden whole if
/// there may be a secret in it.
pub(crate) fn hide(schema: &Schema, arguments: &str) -> String {
    if !schema.holds_secret() {
        return arguments.to_owned();
    }
    match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) => {
            hide_in(schema, &mut value);
            value.to_string()
        }
        Err(_) => HIDDEN.to_owned(),
    }
}

/// Hides secret values. What does not have the form of the schema is hidden where a secret may be in it.
fn hide_in(schema: &Schema, value: &mut Value) {
    if !schema.holds_secret() || value.is_null() {
        return;
    }
    match (&schema.kind, value) {
        (_, value) if schema.secret => *value = HIDDEN.into(),
        (Kind::List(rules), Value::Array(items)) => {
            for item in items {
                hide_in(&rules.items, item);
            }
        }
        (Kind::Map(rules), Value::Object(entries)) => {
            for value in entries.values_mut() {
                hide_in(&rules.values, value);
            }
        }
        (Kind::Object(rules), Value::Object(entries)) => {
            for (key, value) in entries {
                let field = rules.all_fields().find(|field| {
                    field.name.part() == key || field.aliases.contains(&key.as_str())
                });
                match (field, &rules.extra) {
                    (Some(field), _) => hide_in(&field.schema, value),
                    (None, Some(extra)) => hide_in(extra, value),
                    // Perhaps a secret under a misspelt name.
                    (None, None) => *value = HIDDEN.into(),
                }
            }
        }
        (_, value) => *value = HIDDEN.into(),
    }
}

#[cfg(test)]
mod tests {
    use toolwright::ToolInput;

    use super::{describe, hide};

    /// Who comes in
    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Login {
        /// The name
        user: String,
        #[tool_param(secret)]
        password: String,
        #[tool_param(secret)]
        codes: Option<Vec<String>>,
        #[tool_param(min = 1, max = 9)]
        tries: Option<u8>,
        headers: Vec<Header>,
    }

    #[derive(ToolInput)]
    #[allow(dead_code)]
    struct Header {
        name: String,
        value: String,
    }

    #[test]
    fn the_tree_says_what_a_form_needs() {
        let tree = describe(<Login as ToolInput>::SCHEMA, &["headers[].value"]);
        assert_eq!(tree["kind"], "object");
        let field = |name: &str| {
            let fields = tree["fields"].as_array().expect("an array");
            let found = fields.iter().find(|field| field["name"] == name);
            found.expect("the field is there").clone()
        };
        assert_eq!(field("user")["schema"]["description"], "The name");
        assert_eq!(field("password")["schema"]["secret"], true);
        assert_eq!(field("tries")["schema"]["max"], "9");
        assert_eq!(field("tries")["required"], false);
        let header = &field("headers")["schema"]["items"]["fields"];
        assert_eq!(header[0]["schema"]["secret_ref"], serde_json::Value::Null);
        assert_eq!(header[1]["schema"]["secret_ref"], true);
    }

    #[test]
    fn a_secret_is_hidden_wherever_it_may_stand() {
        let schema = <Login as ToolInput>::SCHEMA;
        for text in [
            r#"{"user": "ada", "password": "hunter2"}"#,
            r#"{"user": "ada", "password": {"is": "hunter2"}}"#,
            r#"{"user": "ada", "pasword": "hunter2"}"#,
            r#"{"user": "ada", "codes": ["hunter2"]}"#,
            r#"["hunter2"]"#,
            r#"{"password": "hunter2"#,
            r#""hunter2""#,
        ] {
            assert!(!hide(schema, text).contains("hunter2"), "{text}");
        }
        let shown = hide(schema, r#"{"user": "ada", "password": null, "tries": 3}"#);
        let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
        let expected = serde_json::json!({ "password": null, "tries": 3, "user": "ada" });
        assert_eq!(shown, expected);
        let plain = <Header as ToolInput>::SCHEMA;
        assert_eq!(hide(plain, r#"{"name": 1"#), r#"{"name": 1"#);
    }
}
