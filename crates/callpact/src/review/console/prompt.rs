//! The text of the question.
//!
//! All text of the request stands behind a gutter: `|` starts a line of the text, `:` continues a line that
//! was too wide. Lines are wrapped here. A terminal would wrap them at its left edge, where only lines of
//! the console start.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use crate::review::escape::{TextPieces, visible};
use crate::review::layout::arguments_as_lines;
use crate::review::{OnTimeout, ReviewRequest, ReviewTiming};

/// Columns of text behind the gutter: a gutter and a text fit a terminal of 80.
const WIDTH: usize = 66;
/// Columns of the label before the gutter.
const LABEL: usize = 8;

/// Lines on one page: a page and the question behind it fit a terminal of 24 lines.
const PAGE: usize = 20;

pub(super) const REASON: &str = "Reason for the model, in one line > ";
pub(super) const REPLACEMENT: &str = "Replacement in one line (an empty line rejects) > ";

/// Everything that the reviewer must see before the question.
pub(super) fn body(request: &ReviewRequest) -> String {
    let when = match request.timing {
        ReviewTiming::BeforeExecution => "before execution",
        ReviewTiming::DuringExecution => "during execution",
        ReviewTiming::AfterExecution => "after execution",
    };
    let mut out = format!("\n== Review required ({when}) {}\n", "=".repeat(36));
    let mut field = |label, text: &str| write_field(&mut out, label, text);
    field("Tool", &request.tool);
    field("Call", &request.call_id);
    field("Role", request.required_role.as_deref().unwrap_or_default());
    field("Task", &request.description);
    field("Output", &request.output);
    field("Prompt", request.prompt.as_deref().unwrap_or_default());
    field("Page", request.page.as_deref().unwrap_or_default());
    field("Action", &arguments_as_lines(&request.action));
    for change in &request.changes {
        field("Changed", change);
    }
    field("Preview", request.preview.as_deref().unwrap_or_default());
    field("Size", &size(&request.action));
    field("Digest", &digest(request));
    out.push_str(&"-".repeat(LABEL + 2 + WIDTH));
    out.push('\n');
    out
}

/// The digest of the request, or of all its texts where it has none.
pub(super) fn digest(request: &ReviewRequest) -> Cow<'_, str> {
    if request.digest.is_empty() {
        Cow::Owned(request.text_digest())
    } else {
        Cow::Borrowed(&request.digest)
    }
}

/// The body in parts that fit a screen.
pub(super) fn pages(body: &str) -> Vec<String> {
    let lines: Vec<&str> = body.split_inclusive('\n').collect();
    lines.chunks(PAGE).map(<[&str]>::concat).collect()
}

/// The line after each page but the last.
pub(super) fn next_page(page: usize, pages: usize, request: &ReviewRequest) -> String {
    let digest: String = visible(&digest(request)).chars().take(12).collect();
    format!("-- page {page} of {pages}, digest {digest}: Enter = next page, x = exit early > ")
}

fn size(action: &str) -> String {
    if action.is_empty() {
        String::new()
    } else {
        format!("{} bytes", action.len())
    }
}

/// The question, with the line for the answer.
pub(super) fn question(request: &ReviewRequest) -> String {
    let mut out =
        String::from("y = continue, e = edit, r = refuse, x = exit early; anything else rejects\n");
    if let Some(timeout) = request.timeout.filter(|timeout| !timeout.is_zero()) {
        let then = match request.on_timeout {
            OnTimeout::Continue => "continues",
            OnTimeout::ExitEarly => "exits early",
            OnTimeout::Fail => "fails the review",
        };
        // Writing to a String does not fail.
        let _ = writeln!(out, "no answer within {} {then}", clock(timeout));
    }
    out.push_str("Continue? > ");
    out
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn write_field(out: &mut String, label: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let mut label = label;
    for row in rows(text) {
        let gutter = if row.goes_on { ':' } else { '|' };
        let _ = writeln!(out, "{label:<LABEL$}{gutter} {}", row.text);
        label = "";
    }
}

/// One line behind the gutter.
#[derive(Default)]
struct PromptRow {
    text: String,
    goes_on: bool,
}

fn rows(text: &str) -> Vec<PromptRow> {
    let mut rows = Vec::new();
    for source in text.split_inclusive('\n') {
        wrap(source.strip_suffix('\n').unwrap_or(source), &mut rows);
    }
    if text.ends_with('\n') {
        // The empty line after the last line end is shown, so that the line end can be seen.
        rows.push(PromptRow::default());
    }
    rows
}

fn wrap(line: &str, rows: &mut Vec<PromptRow>) {
    let mut row = PromptRow::default();
    let mut columns = 0;
    for mut shown in TextPieces::new(line) {
        if columns + shown.columns() > WIDTH {
            // A combining mark would attach to the gutter.
            shown = shown.without_base();
            let next = PromptRow {
                text: String::new(),
                goes_on: true,
            };
            rows.push(std::mem::replace(&mut row, next));
            columns = 0;
        }
        let _ = shown.write(&mut row.text);
        columns += shown.columns();
    }
    rows.push(row);
}
