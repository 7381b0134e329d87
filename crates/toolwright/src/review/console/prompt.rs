//! What the question looks like.
//!
//! Everything that comes from the request stands behind a gutter: `|` starts a line of the text, `:` goes on
//! with one that was too wide. Lines are cut here rather than by the terminal, which would go on at its
//! own left edge, where only our lines start.

use std::fmt::Write as _;
use std::time::Duration;

use crate::review::escape::{Piece, Pieces};
use crate::review::{OnTimeout, ReviewRequest, ReviewTiming};

/// Columns of text behind the gutter: a gutter and a text fit a terminal of 80.
const WIDTH: usize = 66;
/// Columns of the label before the gutter.
const LABEL: usize = 8;

/// How much of a text is shown. The head is at most two thirds of it, the tail the rest.
#[derive(Clone, Copy)]
struct Room {
    bytes: usize,
    lines: usize,
}

const NAME: Room = Room {
    bytes: 600,
    lines: 12,
};
const PROSE: Room = Room {
    bytes: 6 << 10,
    lines: 90,
};
const ACTION: Room = Room {
    bytes: 24 << 10,
    lines: 480,
};

pub(super) const REPLACEMENT: &str = "Replacement in one line (an empty line rejects) > ";

/// All that is to be seen before the question.
pub(super) fn body(request: &ReviewRequest) -> String {
    let when = match request.timing {
        ReviewTiming::BeforeExecution => "before execution",
        ReviewTiming::DuringExecution => "during execution",
        ReviewTiming::AfterExecution => "after execution",
    };
    let mut out = format!("\n== Review required ({when}) {}\n", "=".repeat(36));
    let digest = &request.digest;
    let mut field = |label, text: &str, room| {
        if !text.is_empty() {
            show(&mut out, label, text, digest, room);
        }
    };
    field("Tool", &request.tool, NAME);
    field("Call", &request.call_id, NAME);
    field(
        "Role",
        request.required_role.as_deref().unwrap_or_default(),
        NAME,
    );
    field("Task", &request.description, PROSE);
    field("Output", &request.output, PROSE);
    field(
        "Prompt",
        request.prompt.as_deref().unwrap_or_default(),
        PROSE,
    );
    field("Action", &request.action, ACTION);
    field("Size", &size(&request.action), NAME);
    field("Digest", digest, NAME);
    out.push_str(&"-".repeat(LABEL + 2 + WIDTH));
    out.push('\n');
    out
}

fn size(action: &str) -> String {
    if action.is_empty() {
        String::new()
    } else {
        format!("{} bytes", action.len())
    }
}

/// The line on which the answer is given.
pub(super) fn question(request: &ReviewRequest) -> String {
    let mut out = String::from("y = continue, e = edit, x = exit early; anything else rejects\n");
    if let Some(timeout) = request.timeout.filter(|timeout| !timeout.is_zero()) {
        let then = match request.on_timeout {
            OnTimeout::Continue => "continues",
            OnTimeout::ExitEarly => "exits early",
            OnTimeout::Fail => "fails the review",
        };
        let line = writeln!(out, "no answer within {} {then}", clock(timeout));
        debug_assert!(line.is_ok(), "a String takes all that is written");
    }
    out.push_str("Continue? > ");
    out
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn show(out: &mut String, label: &str, text: &str, digest: &str, room: Room) {
    let (head, tail) = head_and_tail(text, room);
    let mut label = label;
    let mut push = |out: &mut String, line: &Row| {
        let gutter = if line.goes_on { ':' } else { '|' };
        let written = writeln!(out, "{label:<LABEL$}{gutter} {}", line.text);
        debug_assert!(written.is_ok(), "a String takes all that is written");
        label = "";
    };
    for line in &head {
        push(out, line);
    }
    let Some((skipped, tail)) = tail else { return };
    let bytes = text.len();
    out.push_str("~~ ");
    let written = write!(out, "{skipped} of {bytes} bytes are not shown");
    debug_assert!(written.is_ok(), "a String takes all that is written");
    if !digest.is_empty() {
        out.push_str("; compare the digest below");
    }
    out.push_str(" ~~\n");
    for line in &tail {
        push(out, line);
    }
}

/// One line behind the gutter, and the bytes of the source that it shows.
struct Row {
    text: String,
    start: usize,
    end: usize,
    goes_on: bool,
}

/// The lines to show: all of them, or the first and, with the number of bytes between, the last.
fn head_and_tail(text: &str, room: Room) -> (Vec<Row>, Option<(usize, Vec<Row>)>) {
    if text.len() <= room.bytes {
        let lines = rows(text, 0);
        if lines.len() <= room.lines {
            return (lines, None);
        }
    }
    let tail_room = Room {
        bytes: room.bytes / 3,
        lines: room.lines / 3,
    };
    let head_end = floor(text, text.len().min(room.bytes - tail_room.bytes));
    let tail_start = floor(text, text.len().saturating_sub(tail_room.bytes));
    let mut head = rows(text.get(..head_end).unwrap_or_default(), 0);
    head.truncate(room.lines - tail_room.lines);
    let mut tail = rows(text.get(tail_start..).unwrap_or_default(), tail_start);
    tail.drain(..tail.len().saturating_sub(tail_room.lines));
    let shown = head.last().map_or(0, |line| line.end);
    // Few bytes on many lines: head and tail may share some, which are then shown once.
    tail.retain(|line| line.start >= shown);
    let next = tail.first().map_or(text.len(), |line| line.start);
    if let Some(first) = tail.first_mut() {
        first.goes_on |= !text.get(..first.start).unwrap_or_default().ends_with('\n');
    }
    (head, Some((next.saturating_sub(shown), tail)))
}

/// The last character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

fn rows(text: &str, offset: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = offset;
    for source in text.split_inclusive('\n') {
        let line = source.strip_suffix('\n').unwrap_or(source);
        wrap(line, start, &mut rows);
        start += source.len();
        if let Some(row) = rows.last_mut() {
            row.end = start;
        }
    }
    if text.ends_with('\n') {
        // The line after the last line end is empty, and shown, so that the line end can be seen.
        rows.push(Row {
            text: String::new(),
            start,
            end: start,
            goes_on: false,
        });
    }
    rows
}

fn wrap(line: &str, offset: usize, rows: &mut Vec<Row>) {
    let mut row = Row {
        text: String::new(),
        start: offset,
        end: offset,
        goes_on: false,
    };
    let mut columns = 0;
    for Piece { mut shown, end } in Pieces::new(line) {
        if columns + shown.columns() > WIDTH {
            // A mark would draw on the gutter.
            shown = shown.without_base();
            let next = Row {
                text: String::new(),
                start: row.end,
                end: row.end,
                goes_on: true,
            };
            rows.push(std::mem::replace(&mut row, next));
            columns = 0;
        }
        let written = shown.write(&mut row.text);
        debug_assert!(written.is_ok(), "a String takes all that is written");
        columns += shown.columns();
        row.end = offset + end;
    }
    rows.push(row);
}
