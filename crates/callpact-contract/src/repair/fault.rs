//! The place where a text stops being JSON, and which of the models' mistakes it is.
//!
//! This runs only on a text that could not be read, so it is simple, not fast.

use crate::{policy::MAX_DEPTH, text::TextCursor};

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
    Behind(TextAfter),
    /// Anything else.
    Broken(BrokenPlace),
}

/// The text after a complete value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextAfter {
    /// Another object or array.
    Value,
    /// An equal object.
    Again,
    Bracket,
    Comma,
    Fence,
    Comment,
    Words,
}

/// The damage at a place where JSON needs something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrokenPlace {
    ByteOrderMark,
    Fence,
    /// Words, or the markup of another protocol, before the arguments.
    Words,
    /// A quote that is not a double one.
    Quote,
    /// A key without quotes.
    BareKey,
    /// A key that is not a string.
    Key,
    /// A word for a value in another language.
    Literal,
    NotFinite,
    /// A text without quotes.
    BareText,
    /// A double quote inside a string.
    InnerQuote,
    ExtraComma,
    NoComma,
    Semicolon,
    /// A sign that joins two values, as in another language.
    Operator,
    /// Text after a value that belongs to no value.
    Rest,
    NoColon,
    NoValue,
    /// A bracket that does not match the open one.
    Bracket,
    Comment,
    Dots,
    /// A backslash between values.
    Backslash,
    Space,
    /// A line break, a tab or another control character in a string.
    Control,
    /// A backslash in a string before a character that needs none.
    Escape,
    EscapedQuote,
    /// `\u` without four hexadecimal digits.
    Unicode,
    /// Half of a pair of surrogates.
    Half,
    /// A number in a form that JSON does not have.
    Number,
    LargeNumber,
    Parenthesis,
    Other,
}

/// The tokens that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WantedToken {
    Value,
    /// The first item or the end of an array.
    FirstItem,
    /// The first key or the end of an object.
    FirstKey,
    Key,
    Colon,
    CommaOrEnd,
}

/// The first fault of a text; `None` if it is one JSON value.
pub(super) fn find_fault(text: &str) -> Option<TextFault> {
    let mut walk = FaultFinder {
        cursor: TextCursor::new(text),
        open: Vec::new(),
    };
    let what = match walk.value() {
        Err(what) => what,
        Ok(start) => walk.behind(start)?,
    };
    Some(TextFault {
        at: walk.cursor.pos,
        what,
    })
}

struct FaultFinder<'a> {
    cursor: TextCursor<'a>,
    /// The closing brackets of everything that is open.
    open: Vec<u8>,
}

type WalkResult<T> = Result<T, TextDamage>;

fn broken<T>(what: BrokenPlace) -> WalkResult<T> {
    Err(TextDamage::Broken(what))
}

impl FaultFinder<'_> {
    fn skip_space(&mut self) {
        self.cursor
            .skip(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
    }

    /// Walks over one value. Returns where it starts.
    fn value(&mut self) -> WalkResult<usize> {
        self.skip_space();
        let start = self.cursor.pos;
        let mut want = WantedToken::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.cursor.peek() else {
                return Err(TextDamage::End);
            };
            want = match want {
                WantedToken::FirstItem if byte == b']' => self.close(),
                WantedToken::Value | WantedToken::FirstItem => self.one(byte)?,
                WantedToken::FirstKey if byte == b'}' => self.close(),
                WantedToken::FirstKey | WantedToken::Key => self.key(byte, want)?,
                WantedToken::Colon if byte == b':' => {
                    self.cursor.pos += 1;
                    WantedToken::Value
                }
                WantedToken::Colon => {
                    return broken(self.between(byte).unwrap_or(BrokenPlace::NoColon));
                }
                WantedToken::CommaOrEnd => self.comma_or_end(byte)?,
            };
            if want == WantedToken::CommaOrEnd && self.open.is_empty() {
                return Ok(start);
            }
        }
    }

    fn one(&mut self, byte: u8) -> WalkResult<WantedToken> {
        match byte {
            b'{' | b'[' => {
                if self.open.len() >= MAX_DEPTH {
                    return Err(TextDamage::Deep);
                }
                self.cursor.pos += 1;
                let object = byte == b'{';
                self.open.push(if object { b'}' } else { b']' });
                return Ok(if object {
                    WantedToken::FirstKey
                } else {
                    WantedToken::FirstItem
                });
            }
            b'"' => self.string()?,
            b'-' | b'0'..=b'9' => self.number()?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word()?,
            _ => return broken(self.no_value(byte)),
        }
        Ok(WantedToken::CommaOrEnd)
    }

    /// The damage in place of a value.
    fn no_value(&self, byte: u8) -> BrokenPlace {
        if let Some(what) = self.between(byte) {
            return what;
        }
        let rest = self.cursor.rest();
        let root = self.open.is_empty();
        match byte {
            b',' if self.behind_colon() => BrokenPlace::NoValue,
            b',' => BrokenPlace::ExtraComma,
            b'}' | b']' if root => BrokenPlace::Bracket,
            b'}' | b']' if self.behind_colon() => BrokenPlace::NoValue,
            b'}' | b']' if self.open.last() == Some(&byte) => BrokenPlace::ExtraComma,
            b'}' | b']' => BrokenPlace::Bracket,
            b'+' => BrokenPlace::Number,
            b'.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => BrokenPlace::Number,
            b'(' if !root => BrokenPlace::Parenthesis,
            _ if root => BrokenPlace::Words,
            _ => BrokenPlace::Other,
        }
    }

    fn behind_colon(&self) -> bool {
        let before = self.cursor.since(0);
        before.trim_end().ends_with(':')
    }

    /// The damage between two values, or before one.
    fn between(&self, byte: u8) -> Option<BrokenPlace> {
        let rest = self.cursor.rest();
        let next = rest.as_bytes().get(1).copied();
        Some(match byte {
            b'`' if rest.starts_with("```") => BrokenPlace::Fence,
            b'\'' | b'`' => BrokenPlace::Quote,
            b'/' if matches!(next, Some(b'/' | b'*')) => BrokenPlace::Comment,
            b'#' => BrokenPlace::Comment,
            b'.' if rest.starts_with("...") => BrokenPlace::Dots,
            b'\\' => BrokenPlace::Backslash,
            0..b' ' => BrokenPlace::Space,
            128.. => match rest.chars().next()? {
                '\u{feff}' if self.cursor.pos == 0 => BrokenPlace::ByteOrderMark,
                '“' | '”' | '‘' | '’' | '„' | '«' | '»' => BrokenPlace::Quote,
                '…' => BrokenPlace::Dots,
                c if c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}') => {
                    BrokenPlace::Space
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn key(&mut self, byte: u8, want: WantedToken) -> WalkResult<WantedToken> {
        match byte {
            b'"' => {
                self.string()?;
                Ok(WantedToken::Colon)
            }
            b',' => broken(BrokenPlace::ExtraComma),
            b'}' if want == WantedToken::Key => broken(BrokenPlace::ExtraComma),
            b']' => broken(BrokenPlace::Bracket),
            b'{' | b'[' => broken(BrokenPlace::Key),
            b'0'..=b'9' if self.is_rest_of_number() => broken(BrokenPlace::Number),
            _ => broken(self.between(byte).unwrap_or(BrokenPlace::BareKey)),
        }
    }

    fn comma_or_end(&mut self, byte: u8) -> WalkResult<WantedToken> {
        let close = self.open.last().copied();
        if Some(byte) == close {
            return Ok(self.close());
        }
        let before = self.cursor.since(0).bytes().last();
        match byte {
            b',' => {
                self.cursor.pos += 1;
                Ok(if close == Some(b'}') {
                    WantedToken::Key
                } else {
                    WantedToken::Value
                })
            }
            b'}' | b']' => broken(BrokenPlace::Bracket),
            _ if before == Some(b'"') && (byte.is_ascii_alphanumeric() || byte >= 128) => {
                broken(BrokenPlace::InnerQuote)
            }
            b':' => broken(BrokenPlace::Other),
            b';' => broken(BrokenPlace::Semicolon),
            _ => broken(self.between(byte).unwrap_or_else(|| {
                if self.begins_next(byte) {
                    BrokenPlace::NoComma
                } else if matches!(byte, b'+' | b'-' | b'*' | b'/' | b'.' | b'&') {
                    BrokenPlace::Operator
                } else {
                    BrokenPlace::Rest
                }
            })),
        }
    }

    /// Whether the next item or key starts here, so that only a comma is missing.
    fn begins_next(&self, byte: u8) -> bool {
        let rest = self.cursor.rest();
        match byte {
            b'"' => true,
            _ if self.open.last() == Some(&b'}') => {
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

    fn close(&mut self) -> WantedToken {
        self.open.pop();
        self.cursor.pos += 1;
        WantedToken::CommaOrEnd
    }

    /// `true`, `false`, `null`, and the words that models write instead.
    fn word(&mut self) -> WalkResult<()> {
        let mut end = self.cursor;
        end.skip(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
        let word = end.since(self.cursor.pos);
        if matches!(word, "true" | "false" | "null") {
            self.cursor = end;
            return Ok(());
        }
        let begins = ["true", "false", "null"]
            .iter()
            .any(|literal| literal.starts_with(word));
        if end.peek().is_none() && begins {
            self.cursor = end;
            return Err(TextDamage::End);
        }
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let alone = self.open.is_empty() && end.rest().trim().is_empty();
        if is("undefined") && self.open.last() == Some(&b'}') {
            broken(BrokenPlace::NoValue)
        } else if is("true") || is("false") || is("null") || is("none") || is("undefined") {
            broken(BrokenPlace::Literal)
        } else if is("nan") || is("inf") || is("infinity") {
            broken(BrokenPlace::NotFinite)
        } else if self.open.is_empty() && !alone {
            broken(BrokenPlace::Words)
        } else {
            broken(BrokenPlace::BareText)
        }
    }

    fn number(&mut self) -> WalkResult<()> {
        let start = self.cursor;
        let mut end = start;
        end.take("-");
        if end.rest().starts_with(['I', 'i']) {
            return broken(BrokenPlace::NotFinite);
        }
        let digits = |end: &mut TextCursor<'_>| {
            let first = end.pos;
            end.skip(|b| b.is_ascii_digit());
            end.pos - first
        };
        let whole = end.rest().starts_with('0');
        let length = digits(&mut end);
        let mut good = length == 1 || length > 1 && !whole;
        if end.take(".") {
            good &= digits(&mut end) > 0;
        }
        if end.take("e") || end.take("E") {
            let _ = end.take("+") || end.take("-");
            good &= digits(&mut end) > 0;
        }
        let follows = end.peek();
        if length == 0 && self.open.is_empty() && follows.is_some() {
            return broken(BrokenPlace::Words);
        }
        if follows.is_none() && !good && (length <= 1 || !whole) {
            self.cursor = end;
            return Err(TextDamage::End);
        }
        let goes_on = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'+' | b'-');
        if !good || follows.is_some_and(goes_on) {
            return broken(BrokenPlace::Number);
        }
        if !end.since(start.pos).parse().is_ok_and(f64::is_finite) {
            return broken(BrokenPlace::LargeNumber);
        }
        self.cursor = end;
        Ok(())
    }

    fn string(&mut self) -> WalkResult<()> {
        self.cursor.pos += 1;
        loop {
            self.cursor.skip(|b| b >= b' ' && b != b'"' && b != b'\\');
            match self.cursor.peek() {
                None => return Err(TextDamage::End),
                Some(b'"') => {
                    self.cursor.pos += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                Some(_) => return broken(BrokenPlace::Control),
            }
        }
    }

    fn escape(&mut self) -> WalkResult<()> {
        match self.cursor.second() {
            None => Err(TextDamage::End),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.cursor.pos += 2;
                Ok(())
            }
            Some(b'u') => {
                let mut end = self.cursor;
                match unit(&mut end)? {
                    0xd800..=0xdbff => match unit(&mut end) {
                        Ok(0xdc00..=0xdfff) => {}
                        Err(TextDamage::End) => return Err(TextDamage::End),
                        _ => return broken(BrokenPlace::Half),
                    },
                    0xdc00..=0xdfff => return broken(BrokenPlace::Half),
                    _ => {}
                }
                self.cursor = end;
                Ok(())
            }
            Some(b'\'') => broken(BrokenPlace::EscapedQuote),
            Some(_) => broken(BrokenPlace::Escape),
        }
    }

    /// The text after the complete value that starts there.
    fn behind(&mut self, start: usize) -> Option<TextDamage> {
        let value = self.cursor.since(start);
        self.skip_space();
        let rest = self.cursor.rest();
        Some(TextDamage::Behind(match self.cursor.peek()? {
            b'{' | b'[' if rest.trim_end() == value => TextAfter::Again,
            b'{' | b'[' => TextAfter::Value,
            b'}' | b']' => TextAfter::Bracket,
            b',' => TextAfter::Comma,
            b'#' => TextAfter::Comment,
            _ if rest.starts_with("//") || rest.starts_with("/*") => TextAfter::Comment,
            _ if rest.starts_with("```") => TextAfter::Fence,
            _ => TextAfter::Words,
        }))
    }
}

/// Skips a `\uXXXX`. Returns its number.
fn unit(cursor: &mut TextCursor<'_>) -> WalkResult<u32> {
    let rest = cursor.rest();
    let Some(digits) = rest.strip_prefix("\\u") else {
        return if rest.len() < 2 {
            Err(TextDamage::End)
        } else {
            broken(BrokenPlace::Half)
        };
    };
    let mut number = 0;
    for (count, c) in digits.chars().take(4).enumerate() {
        let Some(digit) = c.to_digit(16) else {
            return broken(BrokenPlace::Unicode);
        };
        number = number * 16 + digit;
        if count == 3 {
            cursor.pos += 6;
            return Ok(number);
        }
    }
    Err(TextDamage::End)
}
