//! The place where a text stops being JSON, and which of the models' mistakes it is.
//!
//! This runs only on a text that could not be read, so it is simple, not fast.

use crate::{
    json::{EscapeFault, GrowingDocument, GrowthPlace, JsonScanner, escape_length},
    report::FixKind,
    text::TextCursor,
};

use FaultMend::{Fix, Unknown, Words};

/// The first place where a text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextFault {
    /// How many bytes come before it.
    pub(super) at: usize,
    pub(super) what: TextDamage,
}

/// The damage at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextDamage {
    /// The end of the text, within a value.
    End,
    /// One array or object more than the nesting allows.
    Deep,
    /// Text after a complete value.
    Behind(FaultMend),
    /// Anything else.
    Broken(FaultMend),
}

/// What mends the damage, if that does not make the whole text JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultMend {
    /// A change that a repair makes too.
    Fix(FixKind),
    Words(&'static str),
    Unknown,
}

const OBJECT: FaultMend = Words("send the arguments as a JSON object, and nothing else");
const BRACKET: FaultMend = Words("close `[` with `]` and `{` with `}`");
const NO_VALUE: FaultMend = Words("give the key a value, or leave it out");
const NUMBER: FaultMend = Words("write a number in decimal digits, as in 10, -2 or 0.5");
const NOT_FINITE: FaultMend = Words("JSON has no such number");
const DOTS: FaultMend = Words("write out every value");

/// The first fault of a text; `None` if it is one JSON value.
pub(super) fn find_fault(text: &str) -> Option<TextFault> {
    let mut document = GrowingDocument::new();
    document.push(text);
    let mut finder = FaultFinder {
        cursor: TextCursor::new(text),
        closing: document.closing(),
    };
    let mut suspects = document.suspects();
    let what = suspects
        .find_map(|start| finder.scalar_at(start))
        .or_else(|| finder.around_values(&document))?;
    Some(TextFault {
        at: finder.cursor.pos,
        what,
    })
}

struct FaultFinder<'t> {
    cursor: TextCursor<'t>,
    /// The bracket that closes the innermost open list or object.
    closing: Option<u8>,
}

fn broken(what: FaultMend) -> TextDamage {
    TextDamage::Broken(what)
}

impl FaultFinder<'_> {
    /// The damage in a string, a number or a word. Moves behind it if it has none.
    fn scalar_at(&mut self, start: usize) -> Option<TextDamage> {
        self.cursor.pos = start;
        match self.cursor.peek()? {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    /// The damage between values, in place of one or behind all.
    fn around_values(&mut self, document: &GrowingDocument) -> Option<TextDamage> {
        let place = document.place();
        // Words are read to the next space or comma; this one has other text directly behind it.
        if place != GrowthPlace::Word {
            self.cursor.pos = document.position();
        }
        let is_closed = self.closing.is_none();
        let is_done = is_closed && matches!(place, GrowthPlace::Done | GrowthPlace::Word);
        let Some(byte) = self.cursor.peek() else {
            return (!is_done).then_some(TextDamage::End);
        };
        Some(match place {
            _ if is_done => TextDamage::Behind(self.behind(byte, document)),
            GrowthPlace::Value | GrowthPlace::FirstItem => return self.no_value(byte),
            GrowthPlace::FirstKey | GrowthPlace::Key => {
                broken(self.key(byte, place == GrowthPlace::Key))
            }
            GrowthPlace::Colon => broken(self.between(byte).unwrap_or(Fix(FixKind::MissingColon))),
            _ => broken(self.comma_or_end(byte)),
        })
    }

    /// The damage in place of a value.
    fn no_value(&mut self, byte: u8) -> Option<TextDamage> {
        if matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$') {
            return self.word();
        }
        if matches!(byte, b'{' | b'[') {
            return Some(TextDamage::Deep);
        }
        let rest = self.cursor.rest();
        let is_root = self.closing.is_none();
        Some(broken(self.between(byte).unwrap_or(match byte {
            b',' | b'}' | b']' if self.behind_colon() => NO_VALUE,
            b',' => Fix(FixKind::ExtraComma),
            b'}' | b']' if self.closing == Some(byte) => Fix(FixKind::ExtraComma),
            b'}' | b']' => BRACKET,
            b'+' => NUMBER,
            b'.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => NUMBER,
            b'(' if !is_root => Fix(FixKind::Parentheses),
            _ if is_root => OBJECT,
            _ => Unknown,
        })))
    }

    fn behind_colon(&self) -> bool {
        let before = self.cursor.since(0);
        before.trim_end().ends_with(':')
    }

    /// The damage between two values, or before one.
    fn between(&self, byte: u8) -> Option<FaultMend> {
        let rest = self.cursor.rest();
        let next = rest.as_bytes().get(1).copied();
        Some(match byte {
            b'`' if rest.starts_with("```") => Fix(FixKind::Fence),
            b'\'' | b'`' => Fix(FixKind::QuoteStyle),
            b'/' if matches!(next, Some(b'/' | b'*')) => Fix(FixKind::Comment),
            b'#' => Fix(FixKind::Comment),
            b'.' if rest.starts_with("...") => DOTS,
            b'\\' if rest.starts_with("\\\"") => Fix(FixKind::DoubleEncoded),
            b'\\' => Fix(FixKind::EscapeOutside),
            0..b' ' => Fix(FixKind::SpecialSpace),
            128.. => match rest.chars().next()? {
                '\u{feff}' if self.cursor.pos == 0 => Fix(FixKind::ByteOrderMark),
                '“' | '”' | '‘' | '’' | '„' | '«' | '»' => Fix(FixKind::QuoteStyle),
                '…' => DOTS,
                c if c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}') => {
                    Fix(FixKind::SpecialSpace)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn key(&self, byte: u8, is_behind_comma: bool) -> FaultMend {
        match byte {
            b',' => Fix(FixKind::ExtraComma),
            b'}' if is_behind_comma => Fix(FixKind::ExtraComma),
            b']' => BRACKET,
            b'{' | b'[' => Words("a key is a string in double quotes"),
            b'0'..=b'9' if self.is_rest_of_number() => NUMBER,
            _ => self.between(byte).unwrap_or(Fix(FixKind::QuoteStyle)),
        }
    }

    fn comma_or_end(&self, byte: u8) -> FaultMend {
        let before = self.cursor.since(0).bytes().last();
        match byte {
            b'}' | b']' => BRACKET,
            _ if before == Some(b'"') && (byte.is_ascii_alphanumeric() || byte >= 128) => {
                Words("write a quote inside a string as `\\\"`")
            }
            b':' => Unknown,
            b';' => Words("write a comma in place of the semicolon"),
            _ => self.between(byte).unwrap_or_else(|| {
                if self.begins_next(byte) {
                    Fix(FixKind::MissingComma)
                } else if matches!(byte, b'+' | b'-' | b'*' | b'/' | b'.' | b'&') {
                    Words("JSON has no signs such as `+`: write one string or one number")
                } else {
                    Words("take out what stands behind the value")
                }
            }),
        }
    }

    /// Whether the next item or key starts here, so that only a comma is missing.
    fn begins_next(&self, byte: u8) -> bool {
        let rest = self.cursor.rest();
        match byte {
            b'"' => true,
            _ if self.closing == Some(b'}') => {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let behind = rest.trim_start_matches(word);
                behind.len() < rest.len() && behind.trim_start().starts_with(':')
            }
            b'{' | b'[' | b'-' | b'0'..=b'9' => true,
            _ => ["true", "false", "null"]
                .iter()
                .any(|literal| rest.starts_with(literal)),
        }
    }

    /// Whether the digits here are not a key but the rest of a number that a comma split.
    fn is_rest_of_number(&self) -> bool {
        let behind = self
            .cursor
            .rest()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        let before = self.cursor.since(0).strip_suffix(',').unwrap_or_default();
        before.ends_with(|c: char| c.is_ascii_digit()) && !behind.trim_start().starts_with(':')
    }

    /// `true`, `false`, `null`, and the words that models write instead.
    fn word(&mut self) -> Option<TextDamage> {
        let mut end = self.cursor;
        end.skip(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
        let word = end.since(self.cursor.pos);
        let literals = ["true", "false", "null"];
        if literals.contains(&word) {
            self.cursor = end;
            return None;
        }
        if end.peek().is_none() && literals.iter().any(|literal| literal.starts_with(word)) {
            return Some(TextDamage::End);
        }
        let is_one_of = |words: &[&str]| words.iter().any(|other| word.eq_ignore_ascii_case(other));
        let is_root = self.closing.is_none();
        Some(broken(
            if is_one_of(&["undefined"]) && self.closing == Some(b'}') {
                NO_VALUE
            } else if is_one_of(&["true", "false", "null", "none", "undefined"]) {
                Fix(FixKind::PythonLiteral)
            } else if is_one_of(&["nan", "inf", "infinity"]) {
                NOT_FINITE
            } else if is_root && !end.rest().trim().is_empty() {
                OBJECT
            } else {
                Words("put text in double quotes")
            },
        ))
    }

    fn number(&mut self) -> Option<TextDamage> {
        let mut end = self.cursor;
        end.skip(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'+' | b'-'));
        let written = end.since(self.cursor.pos);
        let digits = written.strip_prefix('-').unwrap_or(written);
        let is_last = end.peek().is_none();
        let has_digits = digits.starts_with(|c: char| c.is_ascii_digit());
        Some(broken(if digits.starts_with(['I', 'i']) {
            NOT_FINITE
        } else if is_number(written) {
            if written.parse().is_ok_and(f64::is_finite) {
                self.cursor = end;
                return None;
            }
            Words("number out of range: write a smaller one")
        } else if is_last && is_number(&format!("{written}0")) {
            return Some(TextDamage::End);
        } else if !has_digits && self.closing.is_none() {
            OBJECT
        } else {
            NUMBER
        }))
    }

    fn string(&mut self) -> Option<TextDamage> {
        self.cursor.pos += 1;
        loop {
            self.cursor.skip(|b| b >= b' ' && b != b'"' && b != b'\\');
            match self.cursor.peek() {
                None => return Some(TextDamage::End),
                Some(b'"') => {
                    self.cursor.pos += 1;
                    return None;
                }
                Some(b'\\') => {
                    self.cursor.pos += match self.escape() {
                        Ok(length) => length,
                        Err(what) => return Some(what),
                    }
                }
                Some(_) => {
                    return Some(broken(Words(
                        "inside a string write a line break as `\\n`, a tab as `\\t`, other control characters as `\\u` and four digits",
                    )));
                }
            }
        }
    }

    /// The length of the escape at this place.
    fn escape(&self) -> Result<usize, TextDamage> {
        escape_length(self.cursor.text.as_bytes(), self.cursor.pos).map_err(|fault| match fault {
            EscapeFault::CutOff => TextDamage::End,
            EscapeFault::Unicode => broken(Words("write four hexadecimal digits behind `\\u`")),
            EscapeFault::Half => broken(Fix(FixKind::LoneSurrogate)),
            EscapeFault::Unknown if self.cursor.second() == Some(b'\'') => {
                broken(Fix(FixKind::InvalidEscape))
            }
            EscapeFault::Unknown => broken(Words("write a backslash inside a string as `\\\\`")),
        })
    }

    /// The text behind the value.
    fn behind(&self, byte: u8, document: &GrowingDocument) -> FaultMend {
        let rest = self.cursor.rest();
        match byte {
            b'{' | b'['
                if document
                    .root()
                    .is_some_and(|root| root.written() == rest.trim_end()) =>
            {
                Fix(FixKind::RepeatedObject)
            }
            b'{' | b'[' => Words("make one call for each"),
            b'}' | b']' => Fix(FixKind::ExtraBracket),
            b',' => Fix(FixKind::ExtraComma),
            b'#' => Fix(FixKind::Comment),
            _ if rest.starts_with("//") || rest.starts_with("/*") => Fix(FixKind::Comment),
            _ if rest.starts_with("```") => Fix(FixKind::Fence),
            _ => Words("send nothing after it"),
        }
    }
}

fn is_number(text: &str) -> bool {
    let mut json = JsonScanner::new(text);
    json.pass_number().is_some() && json.is_done()
}
