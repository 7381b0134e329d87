//! A place in a text that may still grow.

use std::fmt::Display;

/// Why nothing can be read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CutText {
    /// The text ends too early.
    More,
    /// No text behind this can make it right.
    Fault(&'static str),
}

pub(super) type BodyStep<T> = Result<T, CutText>;

/// Alternatives at one place, of which one may still arrive.
#[derive(Default)]
pub(super) struct Alternatives {
    pub(super) may_come: bool,
}

impl Alternatives {
    /// Whether this alternative is there.
    pub(super) fn is(&mut self, step: BodyStep<bool>) -> bool {
        step.unwrap_or_else(|stop| {
            self.may_come |= stop == CutText::More;
            false
        })
    }

    /// The result if none is there.
    pub(super) fn none<T>(self, none: T) -> BodyStep<T> {
        if self.may_come {
            Err(CutText::More)
        } else {
            Ok(none)
        }
    }
}

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextCursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// No more text follows.
    pub(super) is_whole: bool,
}

impl<'t> TextCursor<'t> {
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> BodyStep<char> {
        let next = self.peek().ok_or(CutText::More)?;
        self.at += next.len_utf8();
        Ok(next)
    }

    pub(super) fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips white space between marks, also where a server shows a newline as two characters.
    pub(super) fn skip_breaks(&mut self) {
        loop {
            self.skip_space();
            if !self.rest().starts_with("\\n") {
                return;
            }
            self.at += 2;
        }
    }

    /// Whether a text stands here. [`CutText::More`] if it may still arrive.
    pub(super) fn is_at(&self, mark: &str) -> BodyStep<bool> {
        let rest = self.rest();
        if rest.starts_with(mark) {
            return Ok(true);
        }
        if mark.starts_with(rest) && !(self.is_whole && rest.is_empty()) {
            return Err(CutText::More);
        }
        Ok(false)
    }

    pub(super) fn take(&mut self, mark: &str) -> BodyStep<bool> {
        let is_here = self.is_at(mark)?;
        if is_here {
            self.at += mark.len();
        }
        Ok(is_here)
    }

    /// The mark that stands here, if any.
    pub(super) fn find<'m>(&self, marks: &'m [String]) -> BodyStep<Option<&'m str>> {
        let mut may_come = false;
        let mut found: Option<&str> = None;
        for mark in marks {
            match self.is_at(mark) {
                Ok(true) if found.is_none_or(|it| it.len() < mark.len()) => found = Some(mark),
                Ok(_) => {}
                Err(_) => may_come = true,
            }
        }
        match found {
            None if may_come => Err(CutText::More),
            found => Ok(found),
        }
    }

    pub(super) fn take_one(&mut self, marks: &[String]) -> BodyStep<bool> {
        let found = self.find(marks)?;
        self.at += found.map_or(0, str::len);
        Ok(found.is_some())
    }

    /// Takes what satisfies the test. [`CutText::More`] if the text ends there.
    pub(super) fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> BodyStep<&'t str> {
        let rest = self.rest();
        match rest.find(|letter| !is_part(letter)) {
            Some(end) => {
                self.at += end;
                Ok(rest.get(..end).unwrap_or_default())
            }
            None => Err(CutText::More),
        }
    }

    /// Takes everything up to a mark, and the mark.
    pub(super) fn take_until(&mut self, mark: &str) -> BodyStep<&'t str> {
        let rest = self.rest();
        let end = rest.find(mark).ok_or(CutText::More)?;
        self.at += end + mark.len();
        Ok(rest.get(..end).unwrap_or_default())
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }
}

/// Reads parts with commas between them up to a closing sign, and whether a comma follows the last one.
pub(super) fn read_parts<'t>(
    cursor: &mut TextCursor<'t>,
    close: char,
    fault: &CutText,
    mut read: impl FnMut(&mut TextCursor<'t>) -> BodyStep<String>,
) -> BodyStep<(Vec<String>, bool)> {
    let mut parts = Vec::new();
    let mut is_open = false;
    loop {
        cursor.skip_space();
        if cursor.peek().ok_or(CutText::More)? == close {
            cursor.at += 1;
            return Ok((parts, is_open));
        }
        parts.push(read(cursor)?);
        cursor.skip_space();
        let sign = cursor.peek().ok_or(CutText::More)?;
        is_open = sign == ',';
        if is_open {
            cursor.at += 1;
        } else if sign != close {
            return Err(fault.clone());
        }
    }
}

/// The text as a JSON string.
pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A JSON object of members whose values are JSON.
pub(super) fn object<'m, V: Display>(members: impl Iterator<Item = (&'m String, V)>) -> String {
    let members: Vec<String> = members
        .map(|(name, value)| format!("{}:{value}", quote(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Whether a character may stand in the name of a tool or a parameter.
pub(super) fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')
}
