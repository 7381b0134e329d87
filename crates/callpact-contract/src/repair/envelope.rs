//! Text around the arguments: a byte order mark, a fence, words, comments, a repeated object.

use std::borrow::Cow;

use super::{
    space::comment,
    tolerant::{ReadStop, TolerantParser},
    words::{WordSide, accompany, names_language},
};
use crate::{
    json::JsonScanner,
    policy::Policy,
    report::{Fix, FixKind, Path},
};

/// A text as clean JSON, and the changes that were made.
pub(crate) struct CleanText<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) fixes: Vec<Fix>,
    /// Whether a class of changes was needed that the host does not allow.
    pub(crate) refused: bool,
}

/// Reads the arguments out of the text that a model wrote around them.
pub(crate) fn mend_arguments<'a>(
    text: &'a str,
    policy: &Policy,
) -> Result<CleanText<'a>, ReadStop> {
    match TolerantParser::new(text, policy).arguments() {
        Err(ReadStop::Syntax) => escaped_whole(text, policy).ok_or(ReadStop::Syntax),
        read => read,
    }
}

/// Reads one value with nothing around it, such as the content of a string.
pub(crate) fn mend_value<'a>(text: &'a str, policy: &Policy) -> Result<CleanText<'a>, ReadStop> {
    if is_json(text) {
        return Ok(CleanText {
            text: Cow::Borrowed(text),
            fixes: Vec::new(),
            refused: false,
        });
    }
    let mut reader = TolerantParser::new(text, policy);
    reader.value()?;
    reader.space()?;
    if reader.scan.peek().is_some() {
        return Err(ReadStop::Syntax);
    }
    Ok(reader.done())
}

/// Whether a text is already JSON; the typed reader finds repeated keys.
pub fn is_json(text: &str) -> bool {
    let mut json = JsonScanner::new(text);
    json.pass_readable().is_some() && json.is_done()
}

/// A value that was escaped again without the quotes of a string: `{\"a\": 1}`.
fn escaped_whole<'a>(text: &str, policy: &Policy) -> Option<CleanText<'a>> {
    let text = text.trim();
    // A line break before the first key may be escaped too.
    let inside = text.strip_prefix(['{', '[']).unwrap_or(text);
    inside.trim_start().strip_prefix('\\')?;
    let inner = unescaped(text)?;
    if !is_json(&inner) {
        return None;
    }
    let kind = FixKind::DoubleEncoded;
    let fix = Fix {
        path: Path::default(),
        kind,
        from: "escaped JSON".into(),
        to: "an object".into(),
    };
    Some(CleanText {
        text: Cow::Owned(inner),
        fixes: vec![fix],
        refused: policy.refuses(kind),
    })
}

/// The text inside a JSON string, unescaped within the room of the text. A quote in a nested string has three
/// backslashes; with two, as in `\\"`, only quotes were escaped, so there may be no other escapes.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut only_quotes = false;
    let mut others = false;
    while let Some((before, behind)) = rest.split_once('\\') {
        // The inside of a string has no unescaped quote.
        if before.contains('"') {
            return None;
        }
        out.push_str(before);
        if let Some(behind) = behind.strip_prefix("\\\"") {
            only_quotes = true;
            out.push_str("\\\"");
            rest = behind;
            continue;
        }
        let mut chars = behind.chars();
        let next = chars.next()?;
        others |= next != '"';
        out.push(match next {
            c @ ('"' | '\\' | '/') => c,
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            _ => return None,
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
    let unclear = rest.contains('"') || (only_quotes && others);
    (!unclear).then_some(out)
}

impl<'a> TolerantParser<'a> {
    fn done(self) -> CleanText<'a> {
        CleanText {
            text: Cow::Owned(self.out),
            refused: self.notes.refused,
            fixes: self.notes.fixes,
        }
    }

    fn note(&mut self, kind: FixKind) {
        self.notes.plain(kind, Path::default(), 1);
    }

    fn arguments(mut self) -> Result<CleanText<'a>, ReadStop> {
        if self.scan.take("\u{feff}") {
            self.note(FixKind::ByteOrderMark);
        }
        self.space_around(WordSide::Before)?;
        let mut fenced = self.opens_fence();
        if fenced {
            self.space_around(WordSide::Before)?;
        }
        let mut words = false;
        let mut called = false;
        match self.scan.peek() {
            Some(b'{' | b'[' | b'"' | b'\'') => {}
            None => return Err(ReadStop::Syntax),
            // A number or a word on its own, or the start of a sentence.
            Some(_) if self.is_bare_value() => {}
            Some(_) if self.opens_callback() => {
                called = true;
                self.space_around(WordSide::Before)?;
            }
            Some(_) => {
                let before = self.scan.rest();
                let end = before.find('{').ok_or(ReadStop::Syntax)?;
                let before = before.get(..end).unwrap_or_default();
                let (marks, rest) = without_fence(before);
                words = !rest.trim().is_empty();
                if words && !leads(rest, marks) {
                    return Err(ReadStop::Syntax);
                }
                fenced |= marks;
                self.scan.pos += end;
            }
        }
        self.value()?;
        if called {
            self.closes_callback()?;
        }
        let object = self.out.starts_with('{');
        words |= self.behind(&mut fenced)?;
        if words && (!object || self.out == "{}") {
            // `{}` in a sentence is no evidence of a call without arguments.
            return Err(ReadStop::Syntax);
        }
        if fenced {
            self.note(FixKind::Fence);
        }
        if words {
            self.note(FixKind::SurroundingText);
        }
        Ok(self.done())
    }

    /// Skips spaces beside the value, and comments that may stand there.
    fn space_around(&mut self, side: WordSide) -> Result<(), ReadStop> {
        let start = self.scan.pos;
        self.space()?;
        check_comments(self.scan.since(start), side)
    }

    /// Skips three or more backticks and the language after them.
    fn opens_fence(&mut self) -> bool {
        if !self.scan.rest().starts_with("```") {
            return false;
        }
        self.scan.skip(|b| b == b'`');
        let language = self.scan.rest();
        let end = language
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(language.len());
        // A value directly after the fence is not a language.
        let is_language = names_language(language.get(..end).unwrap_or_default())
            && language.get(end..).is_some_and(|rest| {
                rest.trim_start().starts_with(['{', '[', '"', '\''])
                    || rest.starts_with(['\n', '\r'])
            });
        if is_language {
            self.scan.pos += end;
        }
        true
    }

    /// Skips the start of a call to anything but a tool, as `callback(`.
    fn opens_callback(&mut self) -> bool {
        let mut end = self.scan;
        end.skip(|b| b.is_ascii_alphanumeric() || b == b'_');
        let name = end.since(self.scan.pos);
        let number = |rest: &str| rest.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        let known = ["callback", "jsonp"]
            .iter()
            .any(|known| name.strip_prefix(known).is_some_and(number));
        let opens = known && end.take("(");
        if opens {
            self.scan = end;
            self.note(FixKind::Callback);
        }
        opens
    }

    fn closes_callback(&mut self) -> Result<(), ReadStop> {
        self.space_around(WordSide::After)?;
        if !self.scan.take(")") {
            return Err(ReadStop::Syntax);
        }
        self.space_around(WordSide::After)?;
        self.scan.take(";");
        Ok(())
    }

    /// Whether the text is only a number or a word such as `null`.
    fn is_bare_value(&self) -> bool {
        let text = self
            .scan
            .rest()
            .trim_end_matches([' ', '\n', '\r', '\t', ',', '`']);
        !text.contains([' ', '\n', '\t', '{', '(', ':']) && !text.is_empty()
    }

    /// Checks the text after the value. Returns whether it has words.
    fn behind(&mut self, fenced: &mut bool) -> Result<bool, ReadStop> {
        let whole = self.out.len();
        let object = self.out.starts_with('{');
        let mut words = false;
        let mut end = self.scan.pos;
        loop {
            self.space_around(WordSide::After)?;
            let mut comma = false;
            while self.scan.take(",") {
                comma = true;
                self.space_around(WordSide::After)?;
            }
            let rest = self.scan.rest();
            if rest.starts_with("```") {
                *fenced = true;
                self.scan.skip(|b| b == b'`');
                continue;
            }
            if !rest.starts_with('{') {
                if comma {
                    // A comma at the very end is superfluous; before anything else it belongs to
                    // something that was lost.
                    return if rest.is_empty() {
                        self.note(FixKind::ExtraComma);
                        Ok(words)
                    } else {
                        Err(ReadStop::Syntax)
                    };
                }
                if rest.is_empty() {
                    return Ok(words);
                }
                let closes = |c: char| matches!(c, '}' | ']') || c.is_ascii_whitespace();
                if rest.trim_end_matches(closes).is_empty() && !words {
                    self.note(FixKind::ExtraBracket);
                    self.scan.pos += rest.len();
                    return Ok(words);
                }
                // Words start on a new line: text directly after the value may be a part of it.
                let apart = self.scan.since(end).contains('\n') || tag_of(rest, "</").is_some();
                if !object || !apart || words {
                    return Err(ReadStop::Syntax);
                }
                let (marks, said) = without_fence(rest);
                words = !said.trim().is_empty();
                if words && !ends_call(said) {
                    return Err(ReadStop::Syntax);
                }
                *fenced |= marks;
                self.scan.pos += rest.len();
                continue;
            }
            if !object {
                return Err(ReadStop::Syntax);
            }
            let between = self.scan.since(end);
            if comma || !between.trim_ascii().is_empty() {
                // A list without its brackets, or two calls, not a repetition.
                return Err(ReadStop::Several);
            }
            self.value()?;
            end = self.scan.pos;
            let again = self.out.get(whole..);
            if again != self.out.get(..whole) {
                return Err(ReadStop::Several);
            }
            self.out.truncate(whole);
            self.note(FixKind::RepeatedObject);
        }
    }
}

/// A text without the marks of a fence, and whether it had any.
fn without_fence(text: &str) -> (bool, &str) {
    if let Some((before, language)) = text.split_once("```") {
        let rest = language.trim_start_matches('`').trim();
        if rest.is_empty() || names_language(rest) {
            return (true, before);
        }
        if before.trim().is_empty() {
            return (true, language);
        }
    }
    (false, text)
}

/// Whether the words are one line that introduces the object, as in `Here are the arguments:`. A fence shows
/// where the words end; otherwise a colon does.
fn leads(words: &str, fenced: bool) -> bool {
    let ends = fenced || words.trim_end().ends_with(':');
    ends && is_one_line(words, WordSide::Before) || tag_of(words, "<").is_some()
}

/// Whether the words are one line that closes the call.
fn ends_call(words: &str) -> bool {
    is_one_line(words, WordSide::After) || tag_of(words, "</").is_some()
}

fn is_one_line(words: &str, side: WordSide) -> bool {
    !words.trim().contains('\n') && accompany(words, side)
}

/// Checks comments around the value: they are words like any others.
fn check_comments(space: &str, side: WordSide) -> Result<(), ReadStop> {
    let mut rest = space;
    while let Some(start) = rest.find(['/', '#']) {
        rest = rest.get(start..).unwrap_or_default();
        let Some((words, length)) = comment(rest) else {
            return Err(ReadStop::Syntax);
        };
        let words = words.trim_start_matches(['/', '#']).trim();
        if !words.is_empty() && !accompany(words, side) {
            return Err(ReadStop::Syntax);
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(())
}

/// The name in a tag that models put around a call.
fn tag_of<'a>(words: &'a str, opens: &str) -> Option<&'a str> {
    let name = words.trim().strip_prefix(opens)?.strip_suffix('>')?;
    let known = [
        "tool_call",
        "function_call",
        "arguments",
        "parameters",
        "json",
    ];
    known.contains(&name).then_some(name)
}
