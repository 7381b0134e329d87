//! The schema tree as data for the page, without the values that the page must hide.

use callpact::schema::{Bound, Choice, Field, Kind, Literal, Schema, Tagging, Unknown, Variant};
use serde_json::{Map, Value, json};

/// The deepest part of a schema with fields on the page; deeper parts are written as JSON.
const DEEPEST: usize = 24;

/// The tree of a tool's parameters, with marks at the paths where references to secrets are resolved.
pub(crate) fn describe(schema: &Schema, secret_params: &[&str]) -> Value {
    FormDescriber { secret_params }.node(schema, "", 0)
}

struct FormDescriber<'a> {
    secret_params: &'a [&'a str],
}

impl FormDescriber<'_> {
    fn node(&self, schema: &Schema, path: &str, depth: usize) -> Value {
        let mut out = Map::new();
        let deep = depth >= DEEPEST;
        let mut set = |name: &str, value: Value| {
            // Empty values are left out.
            if !matches!(&value, Value::Null | Value::Bool(false)) && value != "" {
                out.insert(name.to_owned(), value);
            }
        };
        set("description", schema.description.part().into());
        set("nullable", schema.nullable.into());
        set("secret", schema.secret.into());
        set("secret_ref", self.takes_reference(path).into());
        let mut words = if deep {
            Vec::new()
        } else {
            rules(&schema.kind)
        };
        let literals = [("default ", &schema.default), ("such as ", &schema.example)];
        words.extend(schema.nullable.then(|| "or null".to_owned()));
        for (before, value) in literals {
            words.extend(
                value
                    .as_ref()
                    .map(|value| format!("{before}{}", literal(value))),
            );
        }
        words.extend(schema.secret.then(|| "secret".to_owned()));
        let reference = self.takes_reference(path);
        words.extend(reference.then(|| "takes a secret by its name".to_owned()));
        words.insert(
            0,
            if deep { "any JSON" } else { form(&schema.kind) }.to_owned(),
        );
        set("words", words.join(", ").into());
        let (kind, rules) = if deep {
            ("any", Value::Null)
        } else {
            self.rules(&schema.kind, path, depth + 1)
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
                let named = |number: &i128| json!({ "name": number.to_string() });
                let choices: Vec<_> = rules.choices.iter().map(named).collect();
                let choices = Some(choices).filter(|choices| !choices.is_empty());
                ("integer", json!({ "choices": choices }))
            }
            Kind::Number(_) => ("number", Value::Null),
            Kind::Text(rules) => {
                let choices: Vec<_> = rules.choices.iter().map(choice).collect();
                let choices = Some(choices).filter(|choices| !choices.is_empty());
                (
                    "text",
                    json!({ "choices": choices, "form": rules.form.part() }),
                )
            }
            Kind::List(rules) => {
                let items = self.node(&rules.items, &format!("{path}[]"), depth);
                ("list", json!({ "items": items }))
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

    /// Whether references to secrets are resolved at a path, or anywhere around it.
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

/// The form of a value, in a word.
fn form(kind: &Kind) -> &str {
    match kind {
        Kind::Boolean => "true or false",
        Kind::Integer(_) => "integer",
        Kind::Number(_) => "number",
        Kind::Text(rules) if !rules.form.is_empty() => &rules.form,
        Kind::Text(_) => "text",
        Kind::List(_) => "list",
        Kind::Tuple(_) => "list, one item for each place",
        Kind::Map(_) => "map",
        Kind::Object(_) => "object",
        Kind::Union(_) => "one of several forms",
        _ => "any JSON",
    }
}

/// The rules of a value, each in a few words.
fn rules(kind: &Kind) -> Vec<String> {
    let mut words = Vec::new();
    match kind {
        Kind::Integer(rules) => {
            let text = |number: &i128| number.to_string();
            let (min, max) = (rules.min.as_ref().map(text), rules.max.as_ref().map(text));
            words.extend(range(min, max, ""));
            words.extend(
                rules
                    .multiple_of
                    .map(|number| format!("a multiple of {number}")),
            );
            words.extend(one_of(rules.choices.iter().map(text)));
        }
        Kind::Number(rules) => {
            let min = rules
                .min
                .as_ref()
                .map(|bound| bound_text(bound, "more than "));
            let max = rules
                .max
                .as_ref()
                .map(|bound| bound_text(bound, "less than "));
            words.extend(range(min, max, ""));
            let multiple_of = rules.multiple_of.as_ref();
            words.extend(multiple_of.map(|number| format!("a multiple of {}", number.text.part())));
        }
        Kind::Text(rules) => {
            words.extend(range(rules.min_length, rules.max_length, " characters"));
            let pattern = rules.pattern.as_ref();
            words.extend(pattern.map(|pattern| format!("matches {}", pattern.text.part())));
            words.extend(one_of(
                rules
                    .choices
                    .iter()
                    .map(|choice| choice.name.part().to_owned()),
            ));
        }
        Kind::List(rules) => {
            words.extend(range(rules.min_items, rules.max_items, " items"));
            words.extend(rules.unique.then(|| "none twice".to_owned()));
        }
        Kind::Object(rules) => {
            words.extend((rules.unknown == Unknown::Deny).then(|| "no other keys".to_owned()));
        }
        _ => {}
    }
    words
}

fn range<T: PartialEq + std::fmt::Display>(
    min: Option<T>,
    max: Option<T>,
    unit: &str,
) -> Option<String> {
    match (min, max) {
        (Some(min), Some(max)) if min == max => Some(format!("exactly {min}{unit}")),
        (Some(min), Some(max)) => Some(format!("{min} to {max}{unit}")),
        (Some(min), None) => Some(format!("at least {min}{unit}")),
        (None, Some(max)) => Some(format!("at most {max}{unit}")),
        (None, None) => None,
    }
}

fn one_of(names: impl Iterator<Item = String>) -> Option<String> {
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| format!("one of {}", names.join(", ")))
}

/// The parts of a described node, with the texts that a person reads.
pub(crate) fn outline(node: &Value) -> Value {
    let part = |name: String, node: &Value| {
        json!({
            "name": name, "words": node["words"], "description": node["description"],
            "parts": outline(node),
        })
    };
    let items = |name: &str| node[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut parts = Vec::new();
    match node["kind"].as_str().unwrap_or_default() {
        "list" => parts.push(part("each item".to_owned(), &node["items"])),
        "tuple" => {
            let items = items("items").iter().enumerate();
            parts.extend(items.map(|(at, item)| part(format!("item {}", at + 1), item)));
        }
        "map" => {
            let keys: Vec<_> = items("keys").iter().map(|key| text(&key["name"])).collect();
            let name = if keys.is_empty() {
                "each value".to_owned()
            } else {
                format!("each of {}", keys.join(", "))
            };
            parts.push(part(name, &node["values"]));
        }
        "object" => {
            for field in items("fields") {
                let mut field_part = part(text(&field["name"]), &field["schema"]);
                field_part["required"] = field["required"].clone();
                parts.push(field_part);
            }
            let extra = node.get("extra");
            parts.extend(extra.map(|extra| part("any other key".to_owned(), extra)));
        }
        "union" => {
            for variant in items("variants") {
                let mut variant_part = part(text(&variant["name"]), &variant["content"]);
                if variant_part["description"].is_null() {
                    variant_part["description"] = variant["description"].clone();
                }
                parts.push(variant_part);
            }
        }
        _ => {}
    }
    parts.into()
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
fn literal(value: &Literal) -> String {
    match value {
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
        Literal::Number(value) => value.text.part().to_owned(),
        Literal::Text(value) => format!("{:?}", value.part()),
        Literal::List(values) => {
            let values: Vec<_> = values.iter().map(literal).collect();
            format!("[{}]", values.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use callpact::ToolInput;

    use super::{describe, outline};

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
        assert_eq!(field("tries")["schema"]["words"], "integer, 1 to 9");
        let outline = outline(&tree);
        assert_eq!(outline[0]["name"], "user");
        assert_eq!(outline[1]["words"], "text, secret");
        let header = &outline[4]["parts"][0];
        assert_eq!(header["name"], "each item");
        assert_eq!(
            header["parts"][1]["words"],
            "text, takes a secret by its name"
        );
        assert_eq!(field("tries")["required"], false);
        let header = &field("headers")["schema"]["items"]["fields"];
        assert_eq!(header[0]["schema"]["secret_ref"], serde_json::Value::Null);
        assert_eq!(header[1]["schema"]["secret_ref"], true);
    }
}
