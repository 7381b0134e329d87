//! What begins at a place of a text, and the block that is there.

use std::sync::LazyLock;

use super::{
    block::{RowStart, broken, guess_name, read_block, row_start},
    cursor::{Alternatives, BodyStep, CutText, TextCursor},
    form::{TextForm, is_tag},
    reader::{Ended, ReaderState, RepeatedBody, TextReader},
    table::FORMS,
    thoughts::{FRAMES, FRAMES_OF_FAMILIES, SHARED, THOUGHTS},
};
use crate::adapter::ToolCall;

/// The characters with which a mark begins.
static FIRST: LazyLock<Vec<char>> = LazyLock::new(|| {
    let marks = FORMS
        .iter()
        .flat_map(|row| row.openers.iter().chain(&row.sections));
    let thoughts = THOUGHTS.iter().flat_map(|(open, close)| [*open, *close]);
    let texts = marks
        .map(String::as_str)
        .chain(thoughts)
        .chain(FRAMES.iter().copied());
    let mut first: Vec<char> = texts.filter_map(|mark| mark.chars().next()).collect();
    first.sort_unstable();
    first.dedup();
    first
});

/// What to do at a place of the answer.
pub(super) enum NextMark {
    /// Read a block of a row, or its section.
    Block(usize),
    Section(usize, usize),
    OpenThought(usize, usize),
    CloseThought(usize),
    Skip(usize),
    /// The closing mark of a call that is behind it once more.
    Stray(usize),
    /// One character of the answer.
    Letter(bool),
}

impl TextReader<'_> {
    /// What begins here.
    pub(super) fn find_mark(&self, ended: Option<Ended>, in_thought: bool) -> BodyStep<NextMark> {
        let cursor = self.cursor(ended);
        let Some(first) = cursor.peek() else {
            return Err(CutText::More);
        };
        let own = self
            .own
            .iter()
            .flat_map(|row| row.openers.iter().chain(&row.sections));
        if !FIRST.contains(&first) && !own.into_iter().any(|mark| mark.starts_with(first)) {
            return Ok(NextMark::Letter(false));
        }
        let (mut tried, mut has_mark) = (Alternatives::default(), false);
        for (index, row) in self.rows() {
            match row_start(cursor, row) {
                Ok(Some(start)) if self.is_active(row) => {
                    return Ok(match start {
                        RowStart::Section(length) => NextMark::Section(index, length),
                        RowStart::Call => NextMark::Block(index),
                    });
                }
                Ok(Some(_)) => has_mark = true,
                Err(CutText::More) => tried.may_come = true,
                Ok(None) | Err(CutText::Fault(_)) => {}
            }
            let openers = row.openers.iter().filter(|_| !row.needs_section);
            let mut marks = row.sections.iter().chain(openers);
            has_mark |=
                marks.any(|mark| cursor.is_at(mark) == Ok(true) && is_striking(cursor, mark));
        }
        if tried.may_come && ended.is_none() {
            return Err(CutText::More);
        }
        if !in_thought {
            for (index, (open, close)) in THOUGHTS.iter().enumerate() {
                if tried.is(cursor.is_at(open)) {
                    return Ok(NextMark::OpenThought(index, open.len()));
                }
                if !SHARED.contains(close) && tried.is(cursor.is_at(close)) {
                    return Ok(NextMark::CloseThought(close.len()));
                }
            }
            if let Some(repeat) = &self.repeat {
                for mark in &self.row(repeat.row).closers {
                    if tried.is(cursor.is_at(mark)) {
                        return Ok(NextMark::Stray(mark.len()));
                    }
                }
            }
            let family = self.family.as_deref();
            let own = FRAMES_OF_FAMILIES.iter();
            let own = own.filter(|(name, _)| Some(*name) == family);
            for frame in own.flat_map(|(_, frames)| *frames).chain(FRAMES) {
                if tried.is(cursor.is_at(frame)) {
                    return Ok(NextMark::Skip(frame.len()));
                }
            }
        }
        tried.none(NextMark::Letter(has_mark))
    }

    /// Reads the block that begins here.
    pub(super) fn take_block(&mut self, index: usize, ended: Option<Ended>) -> BodyStep<()> {
        let row = self.row(index).clone();
        let mut cursor = self.cursor(ended);
        let (calls, end, cut) = match read_block(&mut cursor, &row, &self.tools) {
            Ok(block) => {
                let is_cut = !block.is_closed && ended != Some(Ended::Stopped);
                (block.calls, cursor.at, is_cut)
            }
            Err(CutText::More) if ended.is_none() => return Err(CutText::More),
            Err(CutText::More) => {
                let name = guess_name(self.cursor(ended), &row);
                self.add_broken(&row, &name, None, self.buffer.len());
                return Ok(());
            }
            Err(CutText::Fault(reason)) => {
                let name = guess_name(self.cursor(ended), &row);
                let end = self.end_of_fault(&row);
                if end.is_none() && ended.is_none() {
                    return Err(CutText::More);
                }
                let is_cut = end.is_none() && ended != Some(Ended::Stopped);
                let reason = (!is_cut).then_some(reason);
                let end = end.unwrap_or(self.buffer.len());
                self.add_broken(&row, &name, reason, end);
                return Ok(());
            }
        };
        if !calls.iter().all(|call| self.counts(&row, &call.name)) {
            self.is_suspect = true;
            self.state = ReaderState::Answer;
            self.add_letter();
            return Ok(());
        }
        self.begin_call();
        self.repeat = row.repeats_body.then_some(RepeatedBody {
            row: index,
            start: self.at,
            end,
            text: self.text.len(),
        });
        self.at = end;
        self.block_end = end;
        self.drops_text |= row.ends_turn;
        self.add_calls(calls, cut);
        Ok(())
    }

    /// Where a block ends that cannot be read: behind its closing mark, or before the next call.
    pub(super) fn end_of_fault(&self, row: &TextForm) -> Option<usize> {
        let first = self.buffer.get(self.at..)?.chars().next()?.len_utf8();
        let from = self.at + first;
        let rest = self.buffer.get(from..)?;
        let closes = row
            .closers
            .iter()
            .filter_map(|it| Some(from + rest.find(it.as_str())? + it.len()));
        let others = row.openers.iter().chain(&row.section_ends);
        let opens = others.filter_map(|it| Some(from + rest.find(it.as_str())?));
        closes.chain(opens).min()
    }

    pub(super) fn add_broken(
        &mut self,
        row: &TextForm,
        name: &str,
        fault: Option<&str>,
        end: usize,
    ) {
        if self.counts(row, name) {
            self.begin_call();
            self.calls.push(broken(name, fault));
            self.at = end;
            self.block_end = end;
        } else {
            self.is_suspect = true;
            self.state = ReaderState::Answer;
            self.add_letter();
        }
    }

    /// White space between two calls is no text.
    fn begin_call(&mut self) {
        if let Some(end) = self.pause {
            self.text.truncate(end);
        }
        self.pause = Some(self.text.len());
    }

    /// Adds calls, of which the last may be cut off.
    pub(super) fn add_calls(&mut self, mut calls: Vec<ToolCall>, cut: bool) {
        if let Some(last) = calls.last_mut() {
            last.cut_off = cut;
        }
        self.calls.append(&mut calls);
    }
}

/// Whether a mark that begins nothing is still a sign of a call.
fn is_striking(mut cursor: TextCursor<'_>, mark: &str) -> bool {
    if !is_tag(mark) {
        return true;
    }
    if !mark.starts_with('<') {
        return false;
    }
    cursor.at += mark.len();
    // In a sentence, a blank or a mark of the sentence follows.
    let is_inside = |letter: char| letter.is_alphanumeric();
    if cursor.peek().is_some_and(is_inside) {
        return true;
    }
    cursor.skip_space();
    matches!(cursor.peek(), None | Some('{' | '[' | '<' | '-'))
}
