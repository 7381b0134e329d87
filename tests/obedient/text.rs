//! Calls whose text is broken, and what a model does about it when a reply names the damage.

use std::collections::BTreeSet;

use serde_json::Value;

/// A way to break a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    Quotes,
    BareKeys,
    Comma,
    Python,
    Comments,
    Fence,
    Words,
    Controls,
    Escapes,
    Bracket,
    Twice,
    Encoded,
    Callback,
    NoCommas,
    NoColons,
    Parentheses,
    Cut,
    Halves,
}

/// The sent call: a value, and how its text is broken.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) value: Value,
    pub(crate) damages: BTreeSet<Damage>,
}

impl Sent {
    pub(crate) fn text(&self) -> String {
        let has = |damage| self.damages.contains(&damage);
        let mut out = String::new();
        self.write(&self.value, &mut out);
        if has(Damage::Encoded) {
            out = out.replace('"', "\\\"");
        }
        if has(Damage::Comments) {
            out.push_str(" // as asked");
        }
        if has(Damage::Bracket) {
            out.push('}');
        }
        if has(Damage::Twice) {
            out = format!("{out}\n{out}");
        }
        if has(Damage::Callback) {
            out = format!("callback({out})");
        }
        if has(Damage::Words) {
            out = format!("Let me search.\nI will use these:\n{out}\nThat is all.");
        }
        if has(Damage::Fence) {
            out = format!("```json\n{out}\n```");
        }
        if has(Damage::Cut) {
            let end = out.len() - 20;
            let end = (0..=end).rev().find(|end| out.is_char_boundary(*end));
            out.truncate(end.unwrap_or_default());
        }
        out
    }

    fn write(&self, value: &Value, out: &mut String) {
        let has = |damage| self.damages.contains(&damage);
        match value {
            Value::Object(map) => {
                out.push('{');
                for (number, (key, value)) in map.iter().enumerate() {
                    if number > 0 {
                        out.push_str(if has(Damage::NoCommas) { "\n " } else { ", " });
                    }
                    if has(Damage::BareKeys) {
                        out.push_str(key);
                    } else {
                        self.string(key, out);
                    }
                    out.push_str(if has(Damage::NoColons) { " " } else { ": " });
                    self.write(value, out);
                }
                out.push_str(if has(Damage::Comma) { ",}" } else { "}" });
            }
            Value::Array(items) => {
                let python = has(Damage::Parentheses);
                out.push(if python { '(' } else { '[' });
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        out.push_str(", ");
                    }
                    self.write(item, out);
                }
                out.push(if python { ')' } else { ']' });
            }
            Value::String(text) => self.string(text, out),
            Value::Bool(value) if has(Damage::Python) => {
                out.push_str(if *value { "True" } else { "False" });
            }
            other => out.push_str(&other.to_string()),
        }
    }

    fn string(&self, text: &str, out: &mut String) {
        let has = |damage| self.damages.contains(&damage);
        let mut literal = Value::from(text).to_string();
        if has(Damage::Quotes) {
            let inside = literal[1..literal.len() - 1].replace("\\\"", "\"");
            literal = format!("'{}'", inside.replace('\'', "\\'"));
        }
        if has(Damage::Controls) {
            literal = literal.replace("\\n", "\n");
        }
        if has(Damage::Escapes) {
            literal = literal.replace("\\\\", "\\");
        }
        if has(Damage::Halves) {
            literal = literal.replace('🙂', "\\ud83d");
        }
        out.push_str(&literal);
    }
}

/// Repairs the text as the reply says.
pub(crate) fn mend_text(hint: &str, sent: &mut Sent) {
    for (words, damages) in [
        (
            "put keys and strings in double quotes",
            &[Damage::Quotes, Damage::BareKeys][..],
        ),
        ("write `'` without a backslash", &[Damage::Quotes]),
        ("take out the extra comma", &[Damage::Comma]),
        ("write `true`, `false` and `null`", &[Damage::Python]),
        ("take out comments", &[Damage::Comments]),
        ("leave out the fence", &[Damage::Fence]),
        (
            "send the object alone, without words around it",
            &[Damage::Words],
        ),
        (
            "send the arguments as a JSON object, and nothing else",
            &[Damage::Words, Damage::Fence, Damage::Callback],
        ),
        ("send nothing after it", &[Damage::Words]),
        (
            "inside a string write a line break as `\\n`",
            &[Damage::Controls],
        ),
        (
            "write a backslash inside a string as `\\\\`",
            &[Damage::Escapes],
        ),
        ("take out the extra closing bracket", &[Damage::Bracket]),
        ("send the object once", &[Damage::Twice]),
        ("send the object without backslashes", &[Damage::Encoded]),
        ("without a call around it", &[Damage::Callback]),
        ("put a comma between two values", &[Damage::NoCommas]),
        (
            "put a colon between a key and its value",
            &[Damage::NoColons],
        ),
        ("put a list in `[` and `]`", &[Damage::Parentheses]),
        ("write both halves of the character", &[Damage::Halves]),
        ("send the whole call again", &[Damage::Cut]),
    ] {
        if hint.contains(words) {
            sent.damages.retain(|damage| !damages.contains(damage));
        }
    }
}
