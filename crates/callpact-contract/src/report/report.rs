//! What is wrong with the arguments of a call, as data and in words for the model.

use std::fmt;

use serde::Serialize;

use super::{
    Issue, IssueKind,
    group::{IssueGroup, IssueGroups},
    issue::{FOUND, HINT, tells_found, write_lead},
};
use crate::text::whole;

/// Everything wrong with the arguments of one call.
///
/// The text is what the model gets:
///
/// ```
/// # use callpact::{ToolInput, Policy, read_str};
/// #[derive(ToolInput)]
/// struct Search {
///     /// What to look for
///     query: String,
///     #[tool_param(min = 1, max = 50)]
///     limit: u32,
/// }
///
/// let report = read_str::<Search>(r#"{"limit": 99}"#, &Policy::lax()).map(|_| ()).unwrap_err();
/// assert_eq!(report.to_string(), "\
/// Invalid arguments, 2 problems:
/// - limit: expected an integer from 1 to 50, found 99
/// - query: missing; expected a string (What to look for)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// The issues, in the order of the text, what is missing behind what is wrong.
    pub issues: Vec<Issue>,
    /// How many more were found than are kept.
    pub omitted: usize,
}

/// The length of a text, in bytes, up to which lines have all of their words. Nothing is cut to it: a longer text has
/// denser lines.
const ROOMY: usize = 400;
/// How many lines a report has. What is beyond them is counted.
const LINES: usize = 20;
/// The longest message of an author, in characters.
const MESSAGE: usize = 600;
/// How much of what was found is shown, in characters.
const FOUND_MOST: usize = 200;
/// What stands in front of a line.
const MARK: &str = "\n- ";
const HEAD: &str = "Invalid arguments, ";

impl Report {
    /// A report of these issues.
    pub fn new(issues: Vec<Issue>) -> Self {
        Self { issues, omitted: 0 }
    }

    /// How many problems there are, those left out included.
    pub fn count(&self) -> usize {
        self.issues.len() + self.omitted
    }

    /// The report as JSON: `{"issues":[{"path","kind","expected","found","hint"?}],"omitted":0}`.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Report {
    /// The text for the model. Each line keeps its path and what mends the fault; of many faults it drops the words
    /// that carry nothing, and what was found.
    pub(super) fn text(&self) -> String {
        let groups = IssueGroups::among(&self.issues);
        let mut text = String::with_capacity(ROOMY);
        for density in [LineDensity::Whole, LineDensity::Short, LineDensity::Least] {
            text.clear();
            self.write(density, &groups, &mut text);
            if text.len() <= ROOMY {
                break;
            }
        }
        text
    }

    fn write(&self, density: LineDensity, groups: &IssueGroups, out: &mut String) {
        out.push_str(HEAD);
        let total = self.count();
        whole(total as i128, out);
        out.push_str(if total == 1 {
            " problem:"
        } else {
            " problems:"
        });
        let mut more = total;
        let mut lines = 0;
        for (number, issue) in self.issues.iter().enumerate() {
            let group = groups.of(number);
            if group.is_some_and(|group| group.first != number) {
                continue;
            }
            if lines == LINES {
                break;
            }
            out.push_str(MARK);
            let above = self.issues.get(..number).unwrap_or_default();
            write_line(issue, above, group, density, out);
            lines += 1;
            more -= group.map_or(1, |group| group.problems);
        }
        if more > 0 {
            out.push_str("\n- and ");
            whole(more as i128, out);
            out.push_str(" more");
        }
    }
}

/// How many words the lines of a report have.
#[derive(Clone, Copy, PartialEq)]
enum LineDensity {
    Whole,
    /// Only words that carry something.
    Short,
    /// Only what mends, without what was found.
    Least,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Report {}

/// Writes the line of an issue, or of a group of issues.
fn write_line(
    issue: &Issue,
    above: &[Issue],
    group: Option<&IssueGroup>,
    density: LineDensity,
    out: &mut String,
) {
    match group {
        Some(group) => issue.path.write_with(group.step, &group.steps, out),
        None => issue.path.write(out),
    }
    let kind = issue.kind;
    let is_dense = density != LineDensity::Whole && !issue.dense.is_empty();
    if is_dense {
        out.push_str(if kind == IssueKind::Missing {
            ": missing; "
        } else {
            ": "
        });
        out.push_str(&issue.dense);
    } else {
        write_lead(kind, out);
        match kind {
            IssueKind::UnknownKey => {}
            IssueKind::Invalid => put_first(&issue.expected, MESSAGE, out),
            _ => out.push_str(&issue.expected),
        }
    }
    let found = group.map_or(&*issue.found, |group| &group.found);
    let shows_found = !is_dense || density != LineDensity::Least;
    if shows_found && tells_found(kind) && !found.is_empty() {
        out.push_str(FOUND);
        put_first(found, FOUND_MOST, out);
    }
    if let Some(hint) = &issue.hint
        && !(kind == IssueKind::UnknownKey && above.iter().any(|other| other.hint == issue.hint))
    {
        // The names that are known are told once.
        out.push_str(HINT);
        out.push_str(hint);
    }
}

/// Writes at most so many characters of a text that is fit to be shown.
fn put_first(text: &str, most: usize, out: &mut String) {
    if text.len() > most
        && let Some((end, _)) = text.char_indices().nth(most)
    {
        out.push_str(text.get(..end).unwrap_or_default());
        out.push('…');
    } else {
        out.push_str(text);
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
