//! The part of a schema that a report is about, in one short line.

use std::fmt::Write;

use super::{Issue, IssueKind, Report, lines::BRIEF, secrecy::along};
use crate::{
    schema::{AGAIN_WORDS, Choice, Kind, Schema, Tagging},
    text::{cut, length, quoted},
};

/// Longest excerpt in characters, and the longest that is not worth its line.
const LONGEST: usize = 200;
const SHORTEST: usize = 40;
/// The words in front of it.
const LEAD: &str = "\nExpected: ";
/// Deepest nesting that is shown.
const DEEPEST: usize = 4;

impl Report {
    /// The text for the model, with the form of the faulty parameters as its last line where the
    /// issues alone do not say it: an array or an object that is missing or of another type.
    ///
    /// ```
    /// use callpact::{Policy, ToolInput, read_str};
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
        let mut text = self.text();
        // The rest of a short reply.
        let length = length(&text);
        let mark = '…'.len_utf8();
        let most = LONGEST.min(BRIEF.saturating_sub(length + LEAD.len() + mark));
        if most < SHORTEST && length <= BRIEF {
            return text;
        }
        let most = most.max(SHORTEST);
        let mut form = String::new();
        for field in schema.fields() {
            let unsaid = |issue: &Issue| {
                issue.trail().parameter() == Some(field.name.part())
                    && says_too_little(issue, schema)
            };
            if self.issues.iter().any(unsaid) {
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
            write_args(&mut text, format_args!("{LEAD}{}", cut(&form, most)));
        }
        text
    }
}

/// Whether the line of an issue leaves open how to write the value: that of an array or an object.
fn says_too_little(issue: &Issue, schema: &Schema) -> bool {
    let is_nested = |schema: &Schema| {
        !matches!(
            schema.kind,
            Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_)
        )
    };
    matches!(
        issue.kind,
        IssueKind::Missing | IssueKind::WrongType | IssueKind::NoVariant | IssueKind::NotAnObject
    ) && along(schema, issue.trail())
        .schemas
        .into_iter()
        .any(is_nested)
}

fn write_args(out: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = out.write_fmt(words);
}

fn entry(name: &str, required: bool, schema: &Schema, out: &mut String, depth: usize) {
    let mark = if required { "" } else { "?" };
    write_args(out, format_args!("{}{mark}: ", quoted(name)));
    form(schema, out, depth);
}

#[allow(clippy::too_many_lines)] // one arm for each kind of value
fn form(schema: &Schema, out: &mut String, depth: usize) {
    // A longer text is cut anyway; this only bounds the work on a wide schema.
    if depth == 0 || out.len() > LONGEST {
        out.push('…');
        return;
    }
    if schema.is_again() {
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
                (Some(min), Some(max)) => write_args(out, format_args!(" {min}..{max}")),
                (Some(min), None) => write_args(out, format_args!(" {min}..")),
                (None, Some(max)) => write_args(out, format_args!(" ..{max}")),
                (None, None) => {}
            }
        }
        Kind::Number(_) => out.push_str("number"),
        Kind::Text(rules) if rules.choices.is_empty() && rules.form.is_empty() => {
            out.push_str("string");
        }
        Kind::Text(rules) if rules.choices.is_empty() => {
            write_args(out, format_args!("string ({})", rules.form));
        }
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
                        write_args(out, format_args!("{{{}: ", quoted(variant.name.part())));
                        form(content.part(), out, depth);
                        out.push('}');
                    }
                    (Tagging::Internal { tag }, content) => {
                        write_args(
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
                        write_args(
                            out,
                            format_args!(
                                "{{{}: {}",
                                quoted(tag.part()),
                                quoted(variant.name.part())
                            ),
                        );
                        if let Some(content) = content {
                            write_args(out, format_args!(", {}: ", quoted(key.part())));
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
