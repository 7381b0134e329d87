//! One question and the reading of its answer.

use std::io::{self, Write};

use super::lines::{LineSource, LineWait};
use super::prompt;
use crate::review::{ReviewDecision, ReviewRequest};

/// How many invalid answers one page accepts.
const MAX_TRIES: usize = 8;

/// Both sides of the conversation. Only the worker thread takes its lock.
pub(super) struct ConsoleStreams {
    pub(super) input: Box<dyn LineSource>,
    pub(super) output: Box<dyn Write + Send>,
}

/// Asks until there is a decision or the question is withdrawn. Anything but a clear answer is a
/// rejection.
pub(super) fn ask(
    io: &mut ConsoleStreams,
    request: &ReviewRequest,
    wanted: &dyn Fn() -> bool,
) -> ReviewDecision {
    let decision = show_pages(io, request, wanted).and_then(|()| {
        // An answer that was typed before the last page does not count.
        io.input.discard();
        write(io, &prompt::question(request)).map_err(|_| "")?;
        decide(io, wanted)
    });
    decision.unwrap_or_else(|why| reject(io, why))
}

/// Rejects, and says why if there is a reason.
fn reject(io: &mut ConsoleStreams, why: &str) -> ReviewDecision {
    if !why.is_empty() {
        // The decision stands whether or not the note can be written.
        drop(write(io, &format!("{why}\n")));
    }
    ReviewDecision::REJECT
}

/// Says that the answer no longer counts, because somebody else decided or the time was up.
pub(super) fn tell_withdrawn(io: &mut ConsoleStreams) {
    drop(write(io, "\nNo longer waiting for an answer.\n"));
}

/// Shows the request page by page. Gives the last line to print if the reviewer, or the input, ended the
/// request before the last page.
fn show_pages(
    io: &mut ConsoleStreams,
    request: &ReviewRequest,
    wanted: &dyn Fn() -> bool,
) -> Result<(), &'static str> {
    let pages = prompt::pages(&prompt::body(request));
    for (index, page) in pages.iter().enumerate() {
        write(io, page).map_err(|_| "")?;
        if index + 1 == pages.len() {
            break;
        }
        let mut tries = 0;
        loop {
            io.input.discard();
            write(io, &prompt::next_page(index + 1, pages.len(), request)).map_err(|_| "")?;
            let line = whole(io.input.line(wanted))?;
            match line.trim_matches([' ', '\t']).to_ascii_lowercase().as_str() {
                "" => break,
                "x" | "n" => return Err(""),
                _ if tries < MAX_TRIES => tries += 1,
                _ => return Err("Rejected: the answers were none of the choices."),
            }
            write(io, "Nothing is decided before the last page was shown.\n").map_err(|_| "")?;
        }
    }
    Ok(())
}

/// Reads the answer to the question, and what belongs to it.
fn decide(
    io: &mut ConsoleStreams,
    wanted: &dyn Fn() -> bool,
) -> Result<ReviewDecision, &'static str> {
    let line = whole(io.input.line(wanted))?;
    match line.trim_matches([' ', '\t']).to_ascii_lowercase().as_str() {
        "y" | "yes" | "c" | "continue" => Ok(ReviewDecision::Continue),
        "e" | "edit" => replacement(io, wanted),
        "r" | "refuse" => refusal(io, wanted),
        "x" | "n" => Ok(ReviewDecision::REJECT),
        "" => Err("Rejected: the answer was empty."),
        _ => Err("Rejected: the answer was none of the choices."),
    }
}

fn replacement(
    io: &mut ConsoleStreams,
    wanted: &dyn Fn() -> bool,
) -> Result<ReviewDecision, &'static str> {
    write(io, prompt::REPLACEMENT).map_err(|_| "Rejected: the question could not be asked.")?;
    let text = whole(io.input.line(wanted))?;
    if text.trim().is_empty() {
        return Err("Rejected: there is no replacement.");
    }
    Ok(ReviewDecision::Edit(text))
}

/// Asks for the reason of a refusal. An empty reason is allowed.
fn refusal(
    io: &mut ConsoleStreams,
    wanted: &dyn Fn() -> bool,
) -> Result<ReviewDecision, &'static str> {
    write(io, prompt::REASON).map_err(|_| "Rejected: the question could not be asked.")?;
    Ok(ReviewDecision::Refuse(whole(io.input.line(wanted))?))
}

/// The text of a whole line, or why there is no such line.
fn whole(line: LineWait) -> Result<String, &'static str> {
    match line {
        LineWait::Whole(mut line) => {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            String::from_utf8(line).map_err(|_| "Rejected: the answer was not text.")
        }
        LineWait::End => Err("\nRejected: the input ended."),
        LineWait::TooLong => Err("Rejected: the answer was too long."),
        LineWait::Failed => Err("\nRejected: the input could not be read."),
        // The worker prints the notice.
        LineWait::Withdrawn => Err(""),
    }
}

/// Writes a text in one go, so that other output is unlikely to come in between.
fn write(io: &mut ConsoleStreams, text: &str) -> io::Result<()> {
    io.output.write_all(text.as_bytes())?;
    io.output.flush()
}
