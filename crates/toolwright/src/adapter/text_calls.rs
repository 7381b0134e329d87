//! Calls that a model wrote into its text, as local models do whose server does not take them out.

use serde::Deserialize;
use serde_json::value::RawValue;

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
    /// | `{"name": …, "arguments": {…}}`, or a list of such | the whole text, perhaps in one fence, with the name of a tool |
    ///
    /// What the model thinks, inside `<think>`, and what stands in a code fence beside other words is no
    /// call. A block that does not end is a call that is [cut off](Self::cut_off). Use it only for a model
    /// whose server has no calls of its own: there a call in the text is a quotation.
    ///
    /// ```
    /// use toolwright::ToolCall;
    ///
    /// let text = "I will look.\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"query\": \"lamp\"}}\n</tool_call>";
    /// let calls = ToolCall::parse_text(text, ["search"])?;
    /// assert_eq!(calls, [ToolCall::new("call_0", "search", r#"{"query": "lamp"}"#)]);
    /// assert!(ToolCall::parse_text(r#"{"name": "Ada", "arguments": {}}"#, ["search"])?.is_empty());
    /// # Ok::<(), toolwright::adapter::CallFault>(())
    /// ```
    ///
    /// # Errors
    /// When a block says that it is a call and is none.
    pub fn parse_text<'a>(
        text: &str,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Self>, CallFault> {
        let text = after_thoughts(text);
        let blocks = blocks(text);
        if blocks.is_empty() {
            return Ok(bare(text, &names.into_iter().collect::<Vec<_>>()));
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

/// A call as JSON. A key that stands twice is an error.
#[derive(Deserialize)]
struct Written<'a> {
    name: String,
    #[serde(borrow, alias = "parameters")]
    arguments: Option<&'a RawValue>,
}

impl Written<'_> {
    fn named(self, id: &str) -> Option<ToolCall> {
        let raw = self.arguments.map_or("{}", RawValue::get);
        let arguments = match raw.as_bytes().first()? {
            b'{' => raw.to_owned(),
            // The object as JSON inside a string, as chat has it.
            b'"' => serde_json::from_str(raw).ok()?,
            b'n' => "{}".to_owned(),
            _ => return None,
        };
        Some(ToolCall::new(id, self.name, arguments))
    }
}

/// The text behind what the model thought; nothing where it did not stop thinking.
fn after_thoughts(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix("<think>") {
        Some(thoughts) => thoughts
            .split_once("</think>")
            .map_or("", |(_, rest)| rest.trim()),
        None => text,
    }
}

/// What stands in each block outside of code fences, and whether the block ends.
fn blocks(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let (mut at, mut in_a_fence) = (0, false);
    while let Some(line) = text
        .get(at..)
        .and_then(|rest| rest.split_inclusive('\n').next())
    {
        let words = line.trim_start();
        if words.starts_with("```") {
            in_a_fence = !in_a_fence;
        }
        let start = at + line.len() - words.len() + OPEN.len();
        at += line.len();
        if in_a_fence || !words.starts_with(OPEN) {
            continue;
        }
        let inside = text.get(start..).unwrap_or_default();
        if let Some((block, _)) = inside.split_once(CLOSE) {
            found.push((block.trim(), true));
            // What follows on the same line may be the next block.
            at = start + block.len() + CLOSE.len();
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
        // The line breaks beside the marks belong to them.
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
fn bare(text: &str, names: &[&str]) -> Vec<ToolCall> {
    let text = unfenced(text);
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
            let is_known = call.arguments.is_some() && names.contains(&call.name.as_str());
            call.named(&format!("call_{nth}")).filter(|_| is_known)
        });
    calls.collect::<Option<Vec<ToolCall>>>().unwrap_or_default()
}

/// The text inside of a fence that is around all of it.
fn unfenced(text: &str) -> &str {
    let inside = text
        .strip_prefix("```")
        .and_then(|text| text.strip_suffix("```"));
    inside
        .and_then(|inside| inside.split_once('\n'))
        .filter(|(word, inside)| !word.trim().contains(' ') && !inside.contains("```"))
        .map_or(text, |(_, inside)| inside.trim())
}
