//! One question and the reading of its answer.

use std::io::{self, Write};

use super::lines::{Line, Source};
use super::prompt;
use crate::review::{ReviewDecision, ReviewRequest};

/// Both sides of the conversation. Only the worker thread takes its lock.
pub(super) struct Io {
    pub(super) input: Box<dyn Source>,
    pub(super) output: Box<dyn Write + Send>,
}

/// Asks until there is a decision or nobody wants one any more. Every way out that is not a clear
/// answer is a rejection.
pub(super) fn ask(
    io: &mut Io,
    request: &ReviewRequest,
    wanted: &dyn Fn() -> bool,
) -> ReviewDecision {
    if write(io, &prompt::body(request)).is_err() {
        return ReviewDecision::REJECT;
    }
    // Only now: whoever answered while the text was still scrolling by had not seen it.
    io.input.discard();
    if write(io, &prompt::question(request)).is_err() {
        return ReviewDecision::REJECT;
    }
    let decision = match answer(io.input.line(wanted)) {
        Answer::Continue => return ReviewDecision::Continue,
        Answer::Edit => replacement(io, wanted),
        Answer::ExitEarly => return ReviewDecision::REJECT,
        Answer::None(why) => Err(why),
    };
    decision.unwrap_or_else(|why| {
        // The decision stands whether or not the note can be written.
        drop(write(io, &format!("{why}\n")));
        ReviewDecision::REJECT
    })
}

fn replacement(io: &mut Io, wanted: &dyn Fn() -> bool) -> Result<ReviewDecision, &'static str> {
    write(io, prompt::REPLACEMENT).map_err(|_| "Rejected: the question could not be asked.")?;
    let text = whole(io.input.line(wanted))?;
    if text.trim().is_empty() {
        return Err("Rejected: there is no replacement.");
    }
    Ok(ReviewDecision::Edit(text))
}

enum Answer {
    Continue,
    Edit,
    ExitEarly,
    None(&'static str),
}

fn answer(line: Line) -> Answer {
    let line = match whole(line) {
        Ok(line) => line,
        Err(why) => return Answer::None(why),
    };
    match line.trim_matches([' ', '\t']).to_ascii_lowercase().as_str() {
        "y" | "yes" | "c" | "continue" => Answer::Continue,
        "e" | "edit" => Answer::Edit,
        "x" | "n" => Answer::ExitEarly,
        "" => Answer::None("Rejected: the answer was empty."),
        _ => Answer::None("Rejected: the answer was none of the choices."),
    }
}

/// The text of a whole line, or why there is none.
fn whole(line: Line) -> Result<String, &'static str> {
    match line {
        Line::Whole(mut line) => {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            String::from_utf8(line).map_err(|_| "Rejected: the answer was not text.")
        }
        Line::End => Err("\nRejected: the input ended."),
        Line::TooLong => Err("Rejected: the answer was too long."),
        Line::Failed => Err("\nRejected: the input could not be read."),
        Line::Withdrawn => Err("\nNo longer waiting for an answer."),
    }
}

/// Writes a text at once, so that other output is least likely to come in between.
fn write(io: &mut Io, text: &str) -> io::Result<()> {
    io.output.write_all(text.as_bytes())?;
    io.output.flush()
}
