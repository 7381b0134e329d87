//! Goes through a text, step by step.

use super::{
    block::{begins, broken},
    code::CodeFence,
    cursor::{BodyStep, CutText, TextCursor},
    form::CallCertainty,
    marks::NextMark,
    reader::{Ended, OuterFence, ReaderState, TextReader},
    thoughts::THOUGHTS,
};

impl TextReader<'_> {
    pub(super) fn advance(&mut self, ended: Option<Ended>) {
        loop {
            let before = self.at;
            let is_done = match self.state {
                _ if self.at >= self.buffer.len() => true,
                ReaderState::Answer => self.step(ended).is_err(),
                ReaderState::Section(row) => self.step_in_section(row, ended).is_err(),
                ReaderState::Thought(marks, is_suspect) => {
                    self.step_in_thought(marks, is_suspect, ended).is_err()
                }
            };
            if is_done {
                self.spent += self.buffer.len() - self.at;
                return;
            }
            if self.at > before {
                self.spent = 0;
            }
        }
    }

    pub(super) fn cursor(&self, ended: Option<Ended>) -> TextCursor<'_> {
        TextCursor {
            text: &self.buffer,
            at: self.at,
            is_whole: ended.is_some(),
        }
    }

    pub(super) fn step_in_section(&mut self, index: usize, ended: Option<Ended>) -> BodyStep<()> {
        let row = self.row(index);
        let mut cursor = self.cursor(ended);
        cursor.skip_breaks();
        let next = match (cursor.find(&row.section_ends), begins(cursor, row)) {
            (Ok(Some(end)), _) => Some(cursor.at + end.len()),
            (_, Ok(true)) => {
                self.at = cursor.at;
                return self.take_block(index, ended);
            }
            (Err(_), _) | (_, Err(_)) if ended.is_none() => return Err(CutText::More),
            (_, Err(_)) if !cursor.is_at_end() && cursor.find(&row.section_ends).is_ok() => {
                // The text ends in the head of a call.
                self.at = self.buffer.len();
                self.calls.push(broken("", None));
                return Ok(());
            }
            _ => None,
        };
        let ends_turn = row.ends_turn;
        match next {
            Some(end) => {
                self.drops_text |= ends_turn;
                self.at = end;
            }
            None if cursor.is_at_end()
                || ended.is_some() && cursor.find(&row.section_ends).is_err() =>
            {
                // The section goes on to the end of the text.
                self.at = self.buffer.len();
                return Ok(());
            }
            None => {}
        }
        self.block_end = self.at;
        self.state = ReaderState::Answer;
        Ok(())
    }

    pub(super) fn step_in_thought(
        &mut self,
        marks: usize,
        is_suspect: bool,
        ended: Option<Ended>,
    ) -> BodyStep<()> {
        let close = THOUGHTS[marks].1;
        let cursor = self.cursor(ended);
        if cursor.is_at(close).or_else(|stop| {
            if ended.is_some() {
                Ok(false)
            } else {
                Err(stop)
            }
        })? {
            self.at += close.len();
            self.state = ReaderState::Answer;
            self.answer = self.at;
            self.block_end = self.at;
            return Ok(());
        }
        let mut suspect = is_suspect;
        match self.find_mark(ended, true) {
            Ok(next @ (NextMark::Block(row) | NextMark::Section(row, _))) => {
                if self.family.is_some() && self.row(row).calls_in_thoughts {
                    self.open_thought = Some(self.calls.len());
                    self.state = ReaderState::Answer;
                    self.answer = self.at;
                    return match next {
                        NextMark::Section(row, length) => {
                            self.at += length;
                            self.state = ReaderState::Section(row);
                            Ok(())
                        }
                        _ => self.take_block(row, ended),
                    };
                }
                suspect = true;
            }
            Ok(NextMark::Letter(is_mark)) => suspect |= is_mark,
            Ok(_) => {}
            Err(stop) if ended.is_none() => return Err(stop),
            Err(_) => suspect = true,
        }
        self.state = ReaderState::Thought(marks, suspect);
        if let Some(letter) = self.take_letter() {
            self.thoughts.push(letter);
        }
        Ok(())
    }

    pub(super) fn take_letter(&mut self) -> Option<char> {
        let letter = self.buffer.get(self.at..)?.chars().next()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn add_letter(&mut self) {
        let Some(letter) = self.take_letter() else {
            return;
        };
        if !letter.is_whitespace() {
            self.pause = None;
        }
        match letter {
            '\n' => self.is_ticked = false,
            '`' => self.is_ticked = !self.is_ticked,
            _ => {}
        }
        if let Some(outer) = self.outer
            && outer.is_closed
            && !letter.is_whitespace()
        {
            self.quote(outer.calls);
            self.outer = None;
        }
        if !self.drops_text {
            self.text.push(letter);
        }
    }

    /// What looked like calls was a quotation.
    pub(super) fn quote(&mut self, from: usize) {
        self.is_suspect |= self.calls.len() > from;
        self.calls.truncate(from);
    }

    /// Whether a line begins here.
    pub(super) fn is_line_start(&self) -> bool {
        let before = self.buffer.get(..self.at).unwrap_or_default();
        let before = before.trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n') || before.len() <= self.block_end
    }

    pub(super) fn step(&mut self, ended: Option<Ended>) -> BodyStep<()> {
        let rest = self.buffer.get(self.at..).unwrap_or_default();
        if rest.starts_with(['`', '~']) && !self.is_ticked && self.is_line_start() {
            let line = match rest.find('\n') {
                Some(end) => &rest[..=end],
                None if ended.is_some() => rest,
                None => return Err(CutText::More),
            };
            if let Some(mark) = CodeFence::in_line(line) {
                let length = line.len();
                self.take_fence(mark, length);
                return Ok(());
            }
        }
        if self.fence.is_some() || self.is_ticked {
            self.add_letter();
            return Ok(());
        }
        let next = match self.find_mark(ended, false) {
            Ok(next) => next,
            Err(stop) if ended.is_none() => return Err(stop),
            Err(_) => {
                self.end_in_mark(ended);
                return Ok(());
            }
        };
        match next {
            NextMark::Block(row) => return self.take_block(row, ended),
            NextMark::Section(row, length) => {
                self.at += length;
                self.state = ReaderState::Section(row);
            }
            NextMark::OpenThought(marks, length) => {
                self.at += length;
                self.state = ReaderState::Thought(marks, false);
            }
            NextMark::CloseThought(length) => {
                // The thought began in the prompt, or a call was read in it.
                let from = self.open_thought.take().unwrap_or(0);
                self.calls.truncate(from);
                self.at += length;
                self.thoughts += &std::mem::take(&mut self.text);
                self.answer = self.at;
                self.block_end = self.at;
                self.is_suspect = false;
                (self.fence, self.outer, self.drops_text) = (None, None, false);
                self.pause = None;
            }
            NextMark::Skip(length) => {
                self.at += length;
                self.block_end = self.at;
            }
            NextMark::Stray(length) => {
                self.drop_repeated_body();
                self.at += length;
                self.block_end = self.at;
            }
            NextMark::Letter(is_suspect) => {
                self.is_suspect |= is_suspect;
                self.add_letter();
            }
        }
        Ok(())
    }

    /// Drops the words behind a call that repeat it.
    fn drop_repeated_body(&mut self) {
        let Some(repeat) = self.repeat.take() else {
            return;
        };
        let row = self.row(repeat.row);
        let block = self.buffer.get(repeat.start..repeat.end);
        let mut body = block.unwrap_or_default().trim();
        for mark in &row.openers {
            body = body.strip_prefix(mark.as_str()).unwrap_or(body);
        }
        for mark in &row.closers {
            body = body.strip_suffix(mark.as_str()).unwrap_or(body);
        }
        let words = self.text.get(repeat.text..).unwrap_or_default();
        if words.trim() == body.trim() {
            self.text.truncate(repeat.text);
            self.pause = Some(repeat.text);
        }
    }

    pub(super) fn take_fence(&mut self, mark: CodeFence, length: usize) {
        let line = self
            .buffer
            .get(self.at..self.at + length)
            .unwrap_or_default()
            .to_owned();
        let is_first = self
            .buffer
            .get(self.answer..self.at)
            .unwrap_or_default()
            .trim()
            .is_empty();
        match (&self.fence, &mut self.outer) {
            (Some(open), _) if open.is_closed_by(&mark) => self.fence = None,
            (Some(_), _) => {}
            (None, Some(outer)) if !outer.is_closed && outer.fence.is_closed_by(&mark) => {
                outer.is_closed = true;
            }
            (None, None) if is_first => {
                self.outer = Some(OuterFence {
                    fence: mark,
                    is_closed: false,
                    calls: self.calls.len(),
                });
            }
            (None, outer) => {
                if let Some(outer) = outer.take() {
                    self.quote(outer.calls);
                }
                self.fence = Some(mark);
            }
        }
        self.at += length;
        self.pause = None;
        if !self.drops_text {
            self.text += &line;
        }
    }

    /// The text ends in a mark, or in what decides about it.
    pub(super) fn end_in_mark(&mut self, ended: Option<Ended>) {
        let rest = self.buffer.get(self.at..).unwrap_or_default();
        let is_mark = |mark: &String| rest.starts_with(mark.as_str());
        let certain = self.rows().any(|(_, row)| {
            self.is_active(row)
                && (self.family.is_some() || row.certainty == CallCertainty::Certain)
                && row.openers.iter().chain(&row.sections).any(is_mark)
        });
        if certain {
            self.at = self.buffer.len();
            self.calls.push(broken("", None));
            return;
        }
        let is_part = rest.len() > 1 && ended != Some(Ended::Stopped);
        let has_mark = self
            .rows()
            .any(|(_, row)| row.openers.iter().chain(&row.sections).any(is_mark));
        self.is_suspect |= is_part || has_mark;
        if is_part && !has_mark {
            // A part of a mark is neither text nor call.
            self.at = self.buffer.len();
        } else {
            self.add_letter();
        }
    }
}
