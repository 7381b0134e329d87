//! Makes text safe to show to a person: invisible characters are written out.

use std::fmt::{self, Write};
use std::iter::Peekable;
use std::str::CharIndices;

/// Combining marks shown in a row on one base character. A taller stack would overlap other lines.
const MAX_MARKS: u8 = 3;

/// Text with everything invisible or active written out as `\u{...}`.
///
/// Written out are the C0 and C1 controls (newline and tab too), DEL, every format character (bidi
/// overrides, zero-width characters, the byte order mark, tag characters), separators other than the
/// plain space, private-use and unassigned code points, variation selectors and fillers, and combining
/// marks that would attach to a foreign character. Nothing is ever deleted.
///
/// Two different texts never look the same: backslashes directly before a written-out character, or
/// before `u{`, are doubled. All other backslashes stay as they are, so ordinary JSON stays readable.
///
/// Text that is right-to-left by its own letters is left alone: those letters are visible.
///
/// ```
/// use callpact::review::visible;
///
/// assert_eq!(visible("rm -rf \u{202e}txt.exe"), r"rm -rf \u{202e}txt.exe");
/// assert_eq!(visible("\x1b[2Jok"), r"\u{1b}[2Jok");
/// assert_eq!(visible(r#"{"a":"line\n"}"#), r#"{"a":"line\n"}"#);
/// assert_eq!(visible(r"\u{202e}"), r"\\u{202e}");
/// ```
pub fn visible(text: &str) -> String {
    Visible(text).to_string()
}

/// The [`visible`] form of a text as a `Display` wrapper.
///
/// ```
/// use callpact::review::Visible;
///
/// assert_eq!(format!("file {}", Visible("a\u{200b}b")), r"file a\u{200b}b");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visible<'a>(pub &'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TextPieces::new(self.0).try_for_each(|shown| shown.write(f))
    }
}

/// Whether a character cannot be trusted to show itself, and is written out by [`visible`].
///
/// ```
/// use callpact::review::is_hidden;
///
/// assert!(is_hidden('\u{feff}') && is_hidden('\n') && is_hidden('\u{9b}'));
/// assert!(!is_hidden('é') && !is_hidden(' '));
/// ```
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    is_blank(c) || !is_printable(c)
}

/// Whether a text has a [hidden](is_hidden) character other than a line break and a tab, so that a person who wrote or
/// read it may not have seen all of it.
///
/// ```
/// use callpact::review::has_hidden;
///
/// assert!(has_hidden("rm\u{200b} a") && !has_hidden("one\n\ttwo"));
/// ```
pub fn has_hidden(text: &str) -> bool {
    text.contains(|c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// The text that one source character became.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownText {
    Plain(char),
    /// A backslash that would otherwise read as the start of a written-out character.
    DoubledBackslash,
    WrittenOut(char),
}

impl ShownText {
    pub(super) fn write(self, out: &mut impl Write) -> fmt::Result {
        match self {
            Self::Plain(c) => out.write_char(c),
            Self::DoubledBackslash => out.write_str(r"\\"),
            Self::WrittenOut(c) => write!(out, r"\u{{{:x}}}", u32::from(c)),
        }
    }

    /// Like `shown`, at the start of a line, where a combining mark has nothing to combine with.
    pub(super) fn without_base(self) -> Self {
        match self {
            Self::Plain(c) if is_mark(c) => Self::WrittenOut(c),
            other => other,
        }
    }

    /// Columns on a terminal, never too few: every non-ASCII character counts as two.
    pub(super) fn columns(self) -> usize {
        match self {
            Self::Plain(c) => 1 + usize::from(!c.is_ascii()),
            Self::DoubledBackslash => 2,
            // `\u{` and `}` around at most six digits
            Self::WrittenOut(_) => 10,
        }
    }
}

/// The pieces of a text, in order.
pub(super) struct TextPieces<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
    /// Marks already on the base character; `None` where there is no base to carry one.
    marks: Option<u8>,
    /// End of the current run of backslashes, and whether the run is doubled. It is kept so that a
    /// long run is scanned once.
    run: (usize, bool),
}

impl<'a> TextPieces<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            chars: text.char_indices().peekable(),
            marks: None,
            run: (0, false),
        }
    }

    fn doubled(&mut self, at: usize) -> bool {
        if at >= self.run.0 {
            let rest = self.text.get(at..).unwrap_or_default();
            let after = rest.trim_start_matches('\\');
            let ambiguous = after.starts_with("u{") || after.starts_with(is_hidden);
            self.run = (at + rest.len() - after.len(), ambiguous);
        }
        self.run.1
    }

    fn show(&mut self, at: usize, c: char) -> ShownText {
        if is_hidden(c) {
            self.marks = None;
            return ShownText::WrittenOut(c);
        }
        if is_mark(c) {
            match &mut self.marks {
                Some(marks) if *marks < MAX_MARKS => *marks += 1,
                _ => {
                    self.marks = None;
                    return ShownText::WrittenOut(c);
                }
            }
            return ShownText::Plain(c);
        }
        self.marks = Some(0);
        // Marks need no check: the first one after a backslash has a base and is never written out.
        if c == '\\' && self.doubled(at) {
            return ShownText::DoubledBackslash;
        }
        ShownText::Plain(c)
    }
}

impl Iterator for TextPieces<'_> {
    type Item = ShownText;

    fn next(&mut self) -> Option<ShownText> {
        let (at, c) = self.chars.next()?;
        Some(self.show(at, c))
    }
}

/// Whether std's Unicode tables call a character printable: no control, format, surrogate, private-use
/// or unassigned code point and no separator.
///
/// The tables are private; `escape_debug` is the way to ask them. In a `str` it escapes combining marks
/// only at the front, hence the letter before the character.
fn is_printable(c: char) -> bool {
    if c.escape_debug().next() == Some(c) {
        return true;
    }
    let pair: String = ['a', c].iter().collect();
    pair.escape_debug().nth(1) == Some(c)
}

/// A combining mark: it draws on the character before it.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.escape_debug().next() != Some(c)
}

/// Letters, symbols and marks that Unicode calls printable but that draw nothing.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}'
            | '\u{16fe4}'
            | '\u{1d159}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
pub(super) mod tests;
