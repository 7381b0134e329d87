//! The part of a schema that a report is about, in one short line.

use std::fmt::Write;

use super::{Issue, IssueKind, Report, secrecy::along};
use crate::{
    schema::{AGAIN_WORDS, Choice, Field, Kind, Schema, Tagging, Union, Variant, put_dense},
    text::quoted,
};

/// Longest excerpt in bytes. A larger form is shown whole with fewer levels.
const LONGEST: usize = 1_000;
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
        let needs_form = |field: &Field| {
            self.issues.iter().any(|issue| {
                issue.path.parameter() == Some(field.name.part()) && says_too_little(issue, schema)
            })
        };
        let fields: Vec<&Field> = schema.fields().filter(|field| needs_form(field)).collect();
        if fields.is_empty() {
            return text;
        }
        let mut form = String::new();
        for depth in (1..=DEEPEST).rev() {
            form.clear();
            for field in &fields {
                form.push_str(if form.is_empty() { "{" } else { ", " });
                entry(&field.name, field.required, &field.schema, &mut form, depth);
            }
            form.push('}');
            if form.len() <= LONGEST {
                break;
            }
        }
        text.push_str(LEAD);
        text.push_str(&form);
        text
    }
}

/// Whether the line of an issue leaves open how to write the value: that of an array or an object, if no hint says how
/// to mend it.
fn says_too_little(issue: &Issue, schema: &Schema) -> bool {
    matches!(
        issue.kind,
        IssueKind::Missing | IssueKind::WrongType | IssueKind::NoVariant | IssueKind::NotAnObject
    ) && (issue.hint.is_none() || issue.clue.may_be_left_out)
        && along(schema, &issue.path)
            .schemas
            .into_iter()
            .any(is_nested)
}

/// Whether a schema has parts that its words do not name.
fn is_nested(schema: &Schema) -> bool {
    match &schema.kind {
        Kind::Any | Kind::Boolean | Kind::Integer(_) | Kind::Number(_) | Kind::Text(_) => false,
        Kind::List(_) | Kind::Tuple(_) | Kind::Map(_) => true,
        Kind::Object(_) => schema.fields().next().is_some(),
        Kind::Union(rules) => rules.contents().any(|content| match rules.tagging {
            // The words name the tag.
            Tagging::None | Tagging::Internal { .. } => is_nested(content),
            _ => true,
        }),
    }
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

fn form(schema: &Schema, out: &mut String, depth: usize) {
    // A larger form is written again with fewer levels; this only bounds the work on a wide schema.
    if depth == 0 || out.len() > 2 * LONGEST {
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
        Kind::Integer(_) | Kind::Number(_) => put_dense(schema, out),
        Kind::Text(rules) if rules.choices.is_empty() && rules.form.is_empty() => {
            rules.describe_in_form(out);
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
        Kind::Map(rules) if rules.keys.is_empty() => {
            out.push_str("{key: ");
            form(rules.values.part(), out, depth);
            out.push('}');
        }
        Kind::Map(rules) => {
            out.push('{');
            for (i, key) in rules.keys.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                entry(key.name.part(), false, rules.values.part(), out, depth);
            }
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
            // As in JSON Schema, where the names of variants without content are one list of choices.
            let is_name = |variant: &&Variant| {
                matches!(rules.tagging, Tagging::External) && variant.content.is_none()
            };
            let all = rules.variants.iter();
            let names = all.clone().filter(is_name);
            let ordered = names.chain(all.filter(|variant| !is_name(variant)));
            for (i, variant) in ordered.enumerate() {
                out.push_str(if i == 0 { "" } else { " | " });
                put_variant(rules, variant, out, depth);
            }
        }
    }
    if schema.nullable {
        out.push_str(" | null");
    }
}

/// The form of a variant in one line.
pub(crate) fn variant_form(rules: &Union, variant: &Variant) -> String {
    let mut out = String::new();
    put_variant(rules, variant, &mut out, DEEPEST);
    out
}

fn put_variant(rules: &Union, variant: &Variant, out: &mut String, depth: usize) {
    let name = quoted(variant.name.part());
    let content = variant.content.as_deref();
    match (&rules.tagging, content) {
        (Tagging::External, None) => out.push_str(&name),
        (Tagging::External, Some(content)) => {
            write_args(out, format_args!("{{{name}: "));
            form(content, out, depth);
            out.push('}');
        }
        (Tagging::Internal { tag }, content) => {
            write_args(out, format_args!("{{{}: {name}", quoted(tag.part())));
            for field in content.into_iter().flat_map(Schema::fields) {
                out.push_str(", ");
                entry(&field.name, field.required, &field.schema, out, depth);
            }
            out.push('}');
        }
        (Tagging::Adjacent { tag, content: key }, content) => {
            write_args(out, format_args!("{{{}: {name}", quoted(tag.part())));
            if let Some(content) = content {
                write_args(out, format_args!(", {}: ", quoted(key.part())));
                form(content, out, depth);
            }
            out.push('}');
        }
        (Tagging::None, Some(content)) => form(content, out, depth),
        (Tagging::None, None) => {}
    }
}

fn choices(choices: &[Choice], out: &mut String) {
    for (i, choice) in choices.iter().enumerate() {
        if i == 12 {
            out.push_str(" | …");
            return;
        }
        out.push_str(if i == 0 { "" } else { " | " });
        out.push_str(&quoted(choice.name.part()));
    }
}
