//! The part of a schema that a report is about, in one short line.

use std::fmt::Write;

use super::Report;
use crate::{
    schema::{AGAIN_WORDS, Choice, Kind, Schema, Tagging, is_again},
    text::{cut, quoted},
};

/// Longest excerpt in characters.
const LONGEST: usize = 200;
/// Deepest nesting that is shown.
const DEEPEST: usize = 4;

impl Report {
    /// The text for the model, with the form of the faulty parameters as its last line where the
    /// issues alone do not say it: those that are arrays and objects.
    ///
    /// ```
    /// use toolwright::{Policy, ToolInput, read_str};
    ///
    /// #[derive(ToolInput)]
    /// struct Filter { field: String, min: Option<u8> }
    /// #[derive(ToolInput)]
    /// struct Search { filters: Vec<Filter>, limit: u8 }
    ///
    /// let report = read_str::<Search>(r#"{"filters": {}, "limit": 1}"#, &Policy::lax())
    ///     .map(|_| ())
    ///     .unwrap_err();
    /// assert_eq!(report.with_excerpt(Search::SCHEMA), "\
    /// Invalid arguments, 1 problem:
    /// - filters: expected an array, found an object
    /// Expected: {\"filters\": [{\"field\": string, \"min\"?: integer 0..255}]}");
    /// ```
    pub fn with_excerpt(&self, schema: &Schema) -> String {
        let mut text = self.to_string();
        let faulty = |name: &str| {
            self.issues
                .iter()
                .any(|issue| issue.path.parameter() == Some(name))
        };
        let mut form = String::new();
        for field in schema.fields() {
            let nested = !matches!(
                field.schema.kind,
                Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
            );
            if nested && faulty(field.name.part()) {
                form.push_str(if form.is_empty() { "{" } else { ", " });
                entry(
                    &field.name,
                    field.required,
                    &field.schema,
                    &mut form,
                    DEEPEST,
                );
            }
        }
        if !form.is_empty() {
            form.push('}');
            put(
                &mut text,
                format_args!("\nExpected: {}", cut(&form, LONGEST)),
            );
        }
        text
    }
}

fn put(out: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = out.write_fmt(words);
}

fn entry(name: &str, required: bool, schema: &Schema, out: &mut String, depth: usize) {
    let mark = if required { "" } else { "?" };
    put(out, format_args!("{}{mark}: ", quoted(name)));
    form(schema, out, depth);
}

fn form(schema: &Schema, out: &mut String, depth: usize) {
    // What is beyond the longest is cut away; this only bounds the work on a wide schema.
    if depth == 0 || out.len() > LONGEST {
        out.push('…');
        return;
    }
    if is_again(schema) {
        out.push_str(AGAIN_WORDS);
        return;
    }
    let depth = depth - 1;
    match &schema.kind {
        Kind::Any => out.push_str("any"),
        Kind::Boolean => out.push_str("boolean"),
        Kind::Integer(rules) => {
            out.push_str("integer");
            match (rules.min, rules.max) {
                (Some(min), Some(max)) => put(out, format_args!(" {min}..{max}")),
                (Some(min), None) => put(out, format_args!(" {min}..")),
                (None, Some(max)) => put(out, format_args!(" ..{max}")),
                (None, None) => {}
            }
        }
        Kind::Number(_) => out.push_str("number"),
        Kind::Text(rules) if rules.choices.is_empty() => out.push_str("string"),
        Kind::Text(rules) => choices(rules.choices.part(), out),
        Kind::List(rules) => {
            out.push('[');
            form(rules.items.part(), out, depth);
            out.push(']');
        }
        Kind::Tuple(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                form(item, out, depth);
            }
            out.push(']');
        }
        Kind::Map(rules) => {
            out.push_str("{key: ");
            form(rules.values.part(), out, depth);
            out.push('}');
        }
        Kind::Object(_) => {
            out.push('{');
            for (i, field) in schema.fields().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                entry(&field.name, field.required, &field.schema, out, depth);
            }
            out.push('}');
        }
        Kind::Union(rules) => {
            for (i, variant) in rules.variants.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { " | " });
                match (&rules.tagging, &variant.content) {
                    (Tagging::External, None) => out.push_str(&quoted(variant.name.part())),
                    (Tagging::External, Some(content)) => {
                        put(out, format_args!("{{{}: ", quoted(variant.name.part())));
                        form(content.part(), out, depth);
                        out.push('}');
                    }
                    (Tagging::Internal { tag }, content) => {
                        put(
                            out,
                            format_args!(
                                "{{{}: {}",
                                quoted(tag.part()),
                                quoted(variant.name.part())
                            ),
                        );
                        for field in content.iter().flat_map(|content| content.fields()) {
                            out.push_str(", ");
                            entry(&field.name, field.required, &field.schema, out, depth);
                        }
                        out.push('}');
                    }
                    (Tagging::Adjacent { tag, content: key }, content) => {
                        put(
                            out,
                            format_args!(
                                "{{{}: {}",
                                quoted(tag.part()),
                                quoted(variant.name.part())
                            ),
                        );
                        if let Some(content) = content {
                            put(out, format_args!(", {}: ", quoted(key.part())));
                            form(content.part(), out, depth);
                        }
                        out.push('}');
                    }
                    (Tagging::None, Some(content)) => form(content.part(), out, depth),
                    (Tagging::None, None) => {}
                }
            }
        }
    }
    if schema.nullable {
        out.push_str(" | null");
    }
}

fn choices(choices: &[Choice], out: &mut String) {
    for (i, choice) in choices.iter().enumerate() {
        if i == 8 {
            out.push_str(" | …");
            return;
        }
        out.push_str(if i == 0 { "" } else { " | " });
        out.push_str(&quoted(choice.name.part()));
    }
}
