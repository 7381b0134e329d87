//! Calls that a model wrote into its text. Local models do so if their server does not extract
//! calls.

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{CallFault, ToolCall};

const OPEN: &str = "<tool_call>";
const CLOSE: &str = "</tool_call>";

impl ToolCall {
    /// The calls in the text of a model, in the forms of Hermes and Qwen or as bare JSON. `names` are those
    /// of the tools, such as [`Toolset::names`](crate::Toolset::names).
    ///
    /// | form | what counts as a call |
    /// |---|---|
    /// | `<tool_call>{"name": …, "arguments": {…}}</tool_call>` | every block that begins a line; words may stand around it |
    /// | `<tool_call><function=…><parameter=…>…</tool_call>` | the same; each parameter is text |
    /// | `{"name": …, "arguments": {…}}`, or a list of such | the whole text, with the name of a tool |
    ///
    /// `arguments` may also be `parameters` or `args`, and one code fence may stand around the whole text. Thoughts,
    /// inside `<think>` or `<thinking>` or before an end of such that nothing begins, are never calls, nor is a code
    /// fence that has other words beside it. A block without an end is a [cut off](Self::cut_off) call. Use it only if
    /// the server has no calls of its own; with such a server, a call in the text is a quotation.
    ///
    /// ```
    /// use callpact::ToolCall;
    ///
    /// let text = "I will look.\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"lamp\"}}\n</tool_call>";
    /// let calls = ToolCall::parse_text(text, ["search"])?;
    /// assert_eq!(calls, [ToolCall::new("call_0", "search", r#"{"query": "lamp"}"#)]);
    /// assert!(ToolCall::parse_text(r#"{"name": "Ada", "arguments": {}}"#, ["search"])?.is_empty());
    /// # Ok::<(), callpact::adapter::CallFault>(())
    /// ```
    ///
    /// # Errors
    /// When a block is marked as a call and is not one.
    pub fn parse_text<'a>(
        text: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Self>, CallFault> {
        let text = said_in(text);
        let blocks = blocks(text);
        if blocks.is_empty() {
            let names: Vec<&str> = names.into_iter().collect();
            return Ok(bare(text, |name| names.contains(&name)));
        }
        let mut calls = Vec::with_capacity(blocks.len());
        for (nth, (block, is_whole)) in blocks.into_iter().enumerate() {
            let id = format!("call_{nth}");
            let call = if block.starts_with("<function=") {
                in_markup(block, &id)
            } else {
                serde_json::from_str(block)
                    .ok()
                    .and_then(|call: Written<'_>| call.named(&id))
            };
            calls.push(match (call, is_whole) {
                (Some(call), true) => call,
                (call, false) => {
                    let name = call.map(|call| call.name).unwrap_or_default();
                    let mut call = Self::new(id, name, "");
                    call.cut_off = true;
                    call
                }
                (None, true) => {
                    return Err(CallFault {
                        path: format!("{OPEN} {}", nth + 1),
                        message: "expected an object with `name` and `arguments`".to_owned(),
                    });
                }
            });
        }
        Ok(calls)
    }
}

/// The hint for a program whose response has a call in its text.
const HINT: &str = "the response makes no call, but its text is written like one: nothing runs. The server \
                    does not take calls out of the text; set its parser of tool calls, or read the text with \
                    `ToolCall::parse_text`";

/// The hint if `parse_text` cannot read the form of the call.
const FOREIGN_HINT: &str = "the response makes no call, but its text is written like one: nothing runs. The \
                            server does not take calls out of the text; set its parser of tool calls";

/// The mark of a call in a form that `parse_text` does not read, if it begins a line.
const FOREIGN_LINE: &str = "[TOOL_CALLS]";

/// Such marks that nobody writes for another reason, wherever they stand in a line.
const FOREIGN: &[&str] = &[
    "<function=",
    "<|python_tag|>",
    "<function_calls>",
    "<|tool_calls_section_begin|>",
    "<｜tool▁calls▁begin｜>",
];

/// The hint for a response without calls whose text looks like one. The tools are not known here, so every
/// name counts.
pub(super) fn hint_of(response: &Value) -> Option<&'static str> {
    TEXTS
        .iter()
        .filter_map(|path| response.pointer(path))
        .find_map(hint_of_text)
}

/// The paths from a response, or from its message, to the text of the model.
const TEXTS: &[&str] = &[
    "/choices/0/message/content",
    "/output/message/content",
    "/candidates/0/content/parts",
    "/response/output",
    "/message/content",
    "/content/parts",
    "/content",
    "/parts",
    "/output",
    "",
];

/// The hint for a text of a response without calls.
pub(crate) fn text_hint(text: &str) -> Option<&'static str> {
    hint_of_text(&Value::String(text.to_owned()))
}

fn hint_of_text(said: &Value) -> Option<&'static str> {
    match said {
        Value::String(text) => {
            let text = said_in(text);
            if is_read(text) {
                return Some(HINT);
            }
            // Thoughts may begin in the prompt, so that only their end is in the text.
            let behind = THOUGHTS
                .iter()
                .filter_map(|(_, close)| Some(text.rsplit_once(close)?.1))
                .min_by_key(|behind| behind.len())
                .map(said_in);
            let looks =
                has_call(text) || behind.is_some_and(|said| is_read(said) || has_call(said));
            looks.then_some(FOREIGN_HINT)
        }
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part.get("text").or_else(|| part.get("content")))
            .find_map(hint_of_text),
        _ => None,
    }
}

/// Whether `parse_text` takes a call out of a text, if every name is that of a tool.
fn is_read(text: &str) -> bool {
    !blocks(text).is_empty() || !bare(text, |_| true).is_empty()
}

/// Whether a text has something like a call outside of thoughts and code, where `parse_text` takes none.
fn has_call(text: &str) -> bool {
    let mut lines = Lines::of(text);
    while let Some(from_line) = lines.next() {
        if has_mark(from_line) {
            return true;
        }
        if !from_line.starts_with(['{', '[']) {
            continue;
        }
        let mut values = serde_json::Deserializer::from_str(from_line).into_iter::<&RawValue>();
        match values.next() {
            Some(Ok(value)) if !bare(value.get(), |_| true).is_empty() => return true,
            // An object inside of another value is none of its own.
            Some(Ok(_)) => lines.rest = from_line.get(values.byte_offset()..).unwrap_or_default(),
            Some(Err(fault)) if fault.is_eof() && is_named(from_line) => return true,
            _ => {}
        }
    }
    false
}

/// Whether a line has the mark of a call, and not as code.
fn has_mark(from_line: &str) -> bool {
    let line = from_line.lines().next().unwrap_or_default();
    let begins_call = |after: &str| {
        let inside = after.trim_start();
        inside.is_empty() || inside.starts_with('{') || inside.starts_with("<function=")
    };
    let mut start = 0;
    // Every second part is code.
    let in_words = line.split('`').enumerate().any(|(nth, part)| {
        let from_part = from_line.get(start..).unwrap_or_default();
        start += part.len() + 1;
        let is_opened = || {
            part.match_indices(OPEN)
                .filter_map(|(at, _)| from_part.get(at + OPEN.len()..))
                .any(begins_call)
        };
        nth % 2 == 0 && (FOREIGN.iter().any(|mark| part.contains(mark)) || is_opened())
    });
    in_words || line.starts_with(FOREIGN_LINE)
}

/// Whether a text that is cut off has the keys of a call.
fn is_named(text: &str) -> bool {
    let arguments = ["\"arguments\"", "\"parameters\"", "\"args\""];
    text.contains("\"name\"") && arguments.iter().any(|key| text.contains(key))
}

/// A call as JSON. A repeated key is an error.
#[derive(Deserialize)]
struct Written<'a> {
    name: String,
    #[serde(borrow, alias = "parameters", alias = "args")]
    arguments: Option<&'a RawValue>,
}

impl Written<'_> {
    fn named(self, id: &str) -> Option<ToolCall> {
        let raw = self.arguments.map_or("{}", RawValue::get);
        let arguments = match raw.as_bytes().first()? {
            b'{' => raw.to_owned(),
            // The arguments as JSON inside a string, as in chat.
            b'"' => serde_json::from_str(raw).ok()?,
            b'n' => "{}".to_owned(),
            _ => return None,
        };
        Some(ToolCall::new(id, self.name, arguments))
    }
}

/// The marks around the thoughts of a model.
const THOUGHTS: &[(&str, &str)] = &[("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The text after the thoughts at the beginning; nothing if the thoughts do not end.
fn after_thoughts(text: &str) -> Option<&str> {
    THOUGHTS.iter().find_map(|(open, close)| {
        let thoughts = text.strip_prefix(open)?;
        Some(thoughts.split_once(close).map_or("", |(_, rest)| rest))
    })
}

/// The text after the thoughts, without a code fence around all of it.
fn said_in(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = after_thoughts(text) {
        text = rest.trim();
    }
    unfenced(text)
}

/// The lines of a text outside thoughts and code fences. Each slice reaches to the end of the text.
struct Lines<'a> {
    rest: &'a str,
    fence: Option<Fence>,
}

impl<'a> Lines<'a> {
    const fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            fence: None,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            let text = self.rest.trim_start();
            if text.is_empty() {
                return None;
            }
            if let Some(rest) = after_thoughts(text).filter(|_| self.fence.is_none()) {
                self.rest = rest;
                continue;
            }
            let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
            self.rest = rest;
            match (&self.fence, Fence::in_line(line)) {
                (None, None) => return Some(text),
                (None, opened) => self.fence = opened,
                (Some(open), Some(mark)) if open.is_closed_by(&mark) => self.fence = None,
                (Some(_), _) => {}
            }
        }
    }
}

/// A line that opens or closes a block of code.
struct Fence {
    mark: char,
    length: usize,
    /// Whether text follows the fence characters.
    is_named: bool,
}

impl Fence {
    fn in_line(line: &str) -> Option<Self> {
        let line = line.trim();
        let mark = line
            .chars()
            .next()
            .filter(|mark| matches!(mark, '`' | '~'))?;
        let name = line.trim_start_matches(mark);
        let length = line.len() - name.len();
        // Code inside a line is not a fence.
        let is_fence = length >= 3 && !(mark == '`' && name.contains(mark));
        is_fence.then_some(Self {
            mark,
            length,
            is_named: !name.is_empty(),
        })
    }

    const fn is_closed_by(&self, other: &Self) -> bool {
        self.mark == other.mark && self.length <= other.length && !other.is_named
    }
}

/// Whether a line ends thoughts that do not begin in it.
fn ends_thoughts(from_line: &str) -> bool {
    let line = from_line.lines().next().unwrap_or_default();
    THOUGHTS.iter().any(|(open, close)| {
        line.split_once(close)
            .is_some_and(|(before, _)| !before.contains(open))
    })
}

/// The content of each block outside code fences, and whether the block ends.
fn blocks(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let mut lines = Lines::of(text);
    while let Some(line) = lines.next() {
        let Some(inside) = line.strip_prefix(OPEN) else {
            // All before it was thoughts, which began in the prompt.
            if ends_thoughts(line) {
                found.clear();
            }
            continue;
        };
        if let Some((block, rest)) = inside.split_once(CLOSE) {
            found.push((block.trim(), true));
            // The same line may hold the next block.
            lines.rest = rest;
        } else {
            found.push((inside.trim(), false));
            break;
        }
    }
    found
}

/// `<function=name><parameter=key>text</parameter></function>`: every argument is text, and the reader
/// converts it where the schema asks for another type.
fn in_markup(block: &str, id: &str) -> Option<ToolCall> {
    let (name, mut rest) = block.strip_prefix("<function=")?.split_once('>')?;
    let mut arguments = serde_json::Map::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("</function>") {
            let is_end = after.trim().is_empty();
            let arguments = serde_json::Value::Object(arguments).to_string();
            return is_end.then(|| ToolCall::new(id, name.trim(), arguments));
        }
        let (key, after) = rest.strip_prefix("<parameter=")?.split_once('>')?;
        let (value, after) = after.split_once("</parameter>")?;
        // The line breaks next to the marks belong to them.
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        if arguments
            .insert(key.trim().to_owned(), value.into())
            .is_some()
        {
            return None;
        }
        rest = after;
    }
}

/// A text that is one call, or a list of calls, of known tools.
fn bare(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<ToolCall> {
    let written: Option<Vec<Written<'_>>> = if text.starts_with('[') {
        serde_json::from_str(text).ok()
    } else if text.starts_with('{') {
        serde_json::from_str(text).ok().map(|call| vec![call])
    } else {
        None
    };
    let calls = written
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(nth, call)| {
            let is_one = call.arguments.is_some() && is_known(&call.name);
            call.named(&format!("call_{nth}")).filter(|_| is_one)
        });
    calls.collect::<Option<Vec<ToolCall>>>().unwrap_or_default()
}

/// The text inside a fence that surrounds all of it.
fn unfenced(text: &str) -> &str {
    let inside = || {
        let (first, rest) = text.split_once('\n')?;
        let fence = Fence::in_line(first)?;
        let inside = rest.trim_end_matches(fence.mark);
        let ends = rest.len() - inside.len() >= fence.length;
        let is_word = first.split_whitespace().nth(1).is_none();
        let closes = |line| Fence::in_line(line).is_some_and(|mark| fence.is_closed_by(&mark));
        (ends && is_word && !inside.lines().any(closes)).then(|| inside.trim())
    };
    inside().unwrap_or(text)
}
