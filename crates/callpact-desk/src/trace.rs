//! The calls of the program, as they happen.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use callpact::{
    observe::{CallEnd, CallObserver, ObservedCall},
    store::Moment,
};
use serde_json::{Value, json};

use crate::{events::Events, form, tools::CurrentTools};

/// How many calls are kept.
const CALLS: usize = 10_000;
/// The most bytes of the texts of all calls.
const BYTES: usize = 64 << 20;
/// The most bytes of one text.
const SHOWN: usize = 32_000;
/// The most bytes of a name.
const NAMED: usize = 200;

/// The latest calls.
pub(crate) struct Trace {
    events: Arc<Events>,
    tools: Arc<CurrentTools>,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    bytes: usize,
    kept: BTreeMap<u64, Call>,
}

struct Call {
    id: String,
    tool: String,
    role: Option<String>,
    from: &'static str,
    arguments: String,
    began: Moment,
    end: Option<End>,
}

struct End {
    outcome: &'static str,
    halted: bool,
    text: String,
    fixes: Vec<String>,
    micros: u64,
}

impl Call {
    fn bytes(&self) -> usize {
        let end = self.end.as_ref();
        let end = end.map_or(0, |end| {
            end.text.len() + end.fixes.iter().map(String::len).sum::<usize>()
        });
        // The approximate size of a call, with its texts.
        512 + self.id.len() + self.tool.len() + self.arguments.len() + end
    }

    /// Whether no part of the texts was left out.
    fn is_whole(&self, end: &End) -> bool {
        // A text may be cut a few bytes before the limit.
        self.arguments.len() < SHOWN - 3 && end.text.len() < SHOWN - 3
    }

    fn summary(&self, number: u64) -> Value {
        let end = self.end.as_ref();
        json!({
            "n": number,
            "tool": self.tool,
            "from": self.from,
            "role": self.role,
            "began": self.began,
            "outcome": end.map(|end| end.outcome),
            "halted": end.is_some_and(|end| end.halted),
            "micros": end.map(|end| end.micros),
            "fixes": end.map_or(0, |end| end.fixes.len()),
        })
    }
}

impl Trace {
    pub(crate) fn new(events: Arc<Events>, tools: Arc<CurrentTools>) -> Self {
        Self {
            events,
            tools,
            calls: Mutex::default(),
        }
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An observer that marks its calls with their origin.
    pub(crate) fn observer(self: &Arc<Self>, from: &'static str) -> TraceObserver {
        TraceObserver {
            trace: Arc::clone(self),
            from,
        }
    }

    /// One line for every call, the oldest first.
    pub(crate) fn list(&self) -> Value {
        let calls = self.calls();
        let calls = calls.kept.iter();
        calls.map(|(number, call)| call.summary(*number)).collect()
    }

    /// One call in full, with a test that repeats it.
    pub(crate) fn describe(&self, number: u64) -> Option<Value> {
        let calls = self.calls();
        let call = calls.kept.get(&number)?;
        let mut full = call.summary(number);
        let end = call.end.as_ref();
        if let Some(fields) = full.as_object_mut() {
            fields.insert("call_id".to_owned(), call.id.as_str().into());
            fields.insert("arguments".to_owned(), call.arguments.as_str().into());
            fields.insert("text".to_owned(), json!(end.map(|end| &end.text)));
            fields.insert("fix_texts".to_owned(), json!(end.map(|end| &end.fixes)));
            fields.insert(
                "test".to_owned(),
                json!(
                    end.filter(|end| call.is_whole(end))
                        .map(|end| write_test(call, end))
                ),
            );
        }
        Some(full)
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Calls)) {
        let summary = {
            let mut calls = self.calls();
            change(&mut calls);
            while calls.kept.len() > CALLS || calls.bytes > BYTES {
                let Some((_, oldest)) = calls.kept.pop_first() else {
                    break;
                };
                calls.bytes = calls.bytes.saturating_sub(oldest.bytes());
            }
            calls.kept.get(&number).map(|call| call.summary(number))
        };
        if let Some(summary) = summary {
            self.events.send("call", &summary);
        }
    }
}

/// Writes the calls of a context into the trace.
pub(crate) struct TraceObserver {
    trace: Arc<Trace>,
    from: &'static str,
}

impl CallObserver for TraceObserver {
    fn began(&self, call: &ObservedCall<'_>) {
        let tools = self.trace.tools.get();
        let parameters = tools.parameters(call.tool);
        let arguments = match &parameters {
            Some(parameters) => form::hide(parameters.tree(), call.arguments),
            None => call.arguments.to_owned(),
        };
        let begun = Call {
            id: first(call.call_id, NAMED),
            tool: first(call.tool, NAMED),
            role: call.role.map(|role| first(role, NAMED)),
            from: self.from,
            arguments: first(&arguments, SHOWN),
            began: Moment::now(),
            end: None,
        };
        self.trace.change(call.number, |calls| {
            calls.bytes += begun.bytes();
            calls.kept.insert(call.number, begun);
        });
    }

    fn ended(&self, call: &ObservedCall<'_>, end: &CallEnd<'_>) {
        let end = End {
            outcome: end.outcome,
            halted: end.halted,
            text: first(end.text, SHOWN),
            fixes: end.fixes.iter().map(ToString::to_string).collect(),
            micros: u64::try_from(end.duration.as_micros()).unwrap_or(u64::MAX),
        };
        self.trace.change(call.number, |calls| {
            if let Some(begun) = calls.kept.get_mut(&call.number) {
                let before = begun.bytes();
                begun.end = Some(end);
                calls.bytes = calls.bytes + begun.bytes() - before;
            }
        });
    }
}

/// The beginning of a text, of at most this many bytes.
fn first(text: &str, most: usize) -> String {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

/// A Rust test that repeats a call and expects the same.
fn write_test(call: &Call, end: &End) -> String {
    let name: String = call
        .tool
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .collect();
    let (tool, arguments, text) = (
        literal(&call.tool),
        literal(&call.arguments),
        literal(&end.text),
    );
    let mut out = format!(
        "#[tokio::test]\nasync fn {name}_{}() {{\n    let call = ToolCall::new(\"call-1\", {tool}, {arguments});\n",
        end.outcome
    );
    // Writing to a String does not fail.
    let _ = if end.halted {
        write!(
            out,
            "    let halt = tools().call(&call, &ToolContext::new()).await.expect_err(\"a halt\");\n    \
             assert_eq!(halt.name(), \"{}\");\n    assert_eq!(halt.to_string(), {text});\n}}\n",
            end.outcome
        )
    } else {
        write!(
            out,
            "    let reply = tools().call(&call, &ToolContext::new()).await.expect(\"a reply\");\n    \
             assert_eq!(reply.outcome.name(), \"{}\");\n    assert_eq!(reply.to_model(), {text});\n}}\n",
            end.outcome
        )
    };
    out
}

/// A text as a literal of Rust.
fn literal(text: &str) -> String {
    let plain = text
        .chars()
        .all(|c| c == '\n' || !callpact::review::is_hidden(c));
    if !plain {
        return format!("{text:?}");
    }
    let mut hashes = String::new();
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    if hashes.is_empty() && !text.contains('\\') {
        format!("\"{text}\"")
    } else {
        format!("r{hashes}\"{text}\"{hashes}")
    }
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn a_literal_is_the_text_again() {
        for (text, written) in [
            ("a", "\"a\""),
            (r#"{"a": 1}"#, "r#\"{\"a\": 1}\"#"),
            ("\"#", "r##\"\"#\"##"),
            ("a\\n", "r\"a\\n\""),
            ("\u{202e}", "\"\\u{202e}\""),
        ] {
            assert_eq!(literal(text), written);
        }
    }
}
