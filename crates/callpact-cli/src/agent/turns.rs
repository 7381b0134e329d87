//! The loop of the agent: ask the model, make its calls, send it the replies.

use std::collections::HashMap;

use async_openai::types::chat::ChatCompletionTools;
use callpact::{
    CallGuard, Cancellation, Dialect, Halt, Outcome, ToolCall, ToolContext, ToolReply, Toolset,
    adapter::sanitized_for_replay, toolset::Verdict,
};
use callpact_adapters::async_openai::chat_tools;
use serde_json::{Number, Value, json};

use super::{
    model::AgentModel,
    turn::{ModelTurn, no_answer},
};
use crate::{
    begun::{BegunTools, cut_off},
    exit::{Code, Failure},
    replies::{code_of, describe_reply},
    screen::{Ink, Screen},
    session::Session,
};

/// The most calls that one turn may ask for.
const CALLS_A_TURN: usize = 64;

/// The most characters of a call or a reply that are shown.
const SHOWN: usize = 600;

const SYSTEM: &str = "You do the user's task with the tools that you have. Files are read and \
    written below one directory. When a call is answered with an error, mend what it says and call \
    again. When the task is done, answer with a short summary.";

/// One run.
pub(super) struct AgentRun<'a> {
    tools: &'a Toolset,
    cx: &'a ToolContext,
    screen: &'a Screen,
    guard: CallGuard,
    turns: usize,
    pub(super) model: AgentModel,
    /// The calls of the run with their replies.
    pub(super) calls: Vec<Value>,
    ids: Option<OwnIds>,
    left: Code,
    /// Cancelled when the program is interrupted, before the calls, which workers may have started.
    ending: Cancellation,
    begun: BegunTools,
}

/// The ids of the calls of a named run: a call is the nth one with its tool and its arguments. The ids of a model
/// are not reliable: a model that is asked again gives other ids, and some endpoints give the same id to every call.
#[derive(Default)]
struct OwnIds(HashMap<u64, usize>);

impl OwnIds {
    fn next(&mut self, call: &ToolCall) -> String {
        // Arguments that are not JSON do not run.
        let arguments = serde_json::from_str::<Value>(&call.arguments);
        let arguments = arguments.map_or_else(|_| call.arguments.clone(), |read| meaning(&read));
        let hash = fnv(&format!("{}\n{arguments}", call.name));
        let count = self.0.entry(hash).or_default();
        *count += 1;
        format!("{hash:016x}-{count}")
    }
}

/// Arguments in one form for all notations that a tool may read as the same: in another order or case of the keys, with
/// null for an absent key, or with a number or a boolean as a text. The key of a call has the exact arguments too.
fn meaning(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) => format!("{:?}", value.to_string()),
        Value::Number(number) => format!("{:?}", shortest(number)),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(meaning).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let given = fields.iter().filter(|(_, value)| !value.is_null());
            let mut fields: Vec<(String, String)> = given
                .map(|(key, value)| (key.replace(['_', '-'], "").to_lowercase(), meaning(value)))
                .collect();
            fields.sort();
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{key:?}:{value}"))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
    }
}

/// The shortest text of a number: that of a whole number has no fraction.
fn shortest(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

/// The hash FNV-1a, which is the same in every version of the program.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The end of a run that was interrupted while it made calls.
fn interrupted(replies: &[Result<ToolReply, Halt>], begun: &BegunTools) -> Failure {
    let ended = replies.iter().filter_map(|reply| reply.as_ref().ok());
    let unknown = ended.filter(|reply| reply.outcome == Outcome::Unknown);
    let said: Vec<&str> = unknown.filter_map(|reply| reply.result.error()).collect();
    if !said.is_empty() {
        return Failure::new(Code::Unknown, said.join("\n"));
    }
    let is_cut = |reply: &Result<ToolReply, Halt>| matches!(reply, Err(Halt::Cancelled));
    if replies.iter().any(is_cut) {
        return cut_off(begun.at_end());
    }
    Halt::Cancelled.into()
}

impl<'a> AgentRun<'a> {
    pub(super) fn new(
        tools: &'a Toolset,
        cx: &'a ToolContext,
        session: &'a Session,
        model: AgentModel,
        ending: Cancellation,
    ) -> Self {
        let limits = &session.config.limits;
        Self {
            tools,
            cx,
            screen: &session.screen,
            guard: CallGuard::new().max_calls(limits.max_calls),
            turns: limits.max_turns,
            model,
            calls: Vec::new(),
            ids: None,
            left: Code::Done,
            ending,
            begun: session.begun.clone(),
        }
    }

    /// Lets the run find its calls in a store when it is started again.
    pub(super) fn named(mut self) -> Self {
        self.ids = Some(OwnIds::default());
        self
    }

    /// The calls that the run left open, whatever the model's answer: one whose outcome nobody knows, or one that runs
    /// elsewhere.
    pub(super) fn left_open(&self) -> Code {
        self.left
    }

    /// Works on a task until the model answers.
    pub(super) async fn work_on(&mut self, task: &str) -> Result<String, Failure> {
        let specs = chat_tools(self.tools, Dialect::OpenAi);
        let mut messages = vec![
            json!({"role": "system", "content": SYSTEM}),
            json!({"role": "user", "content": task}),
        ];
        for _ in 0..self.turns {
            let turn = self.ask(&messages, &specs).await?;
            if turn.calls.is_empty() {
                if let Some(hint) = &turn.hint {
                    self.screen.say(Ink::Red, "hint", hint);
                }
                return self.answer(turn);
            }
            if turn.calls.len() > CALLS_A_TURN {
                return Err(no_answer(&format!(
                    "the model asked for {} calls at once; more than {CALLS_A_TURN} are not made",
                    turn.calls.len()
                )));
            }
            if !turn.text.is_empty() {
                self.screen.say(Ink::Dim, "model", &cut(&turn.text));
            }
            messages.push(assistant_message(&turn.text, &turn.calls));
            self.make_calls(&turn.calls, &mut messages).await?;
        }
        Err(no_answer(&format!(
            "no answer after {} turns (limits.max_turns)",
            self.turns
        )))
    }

    /// Takes a turn without calls as the answer.
    fn answer(&self, turn: ModelTurn) -> Result<String, Failure> {
        if let Some(gap) = turn.gap {
            if !turn.text.is_empty() {
                self.screen.say(Ink::Dim, "model", &turn.text);
            }
            return Err(no_answer(gap));
        }
        if !turn.text.is_empty() {
            return Ok(turn.text);
        }
        Err(no_answer(&match turn.refusal {
            Some(words) => format!("the model refused: {}", cut(&words)),
            None => "the model answered with nothing".to_owned(),
        }))
    }

    /// Asks the model, unless the run is cancelled first.
    async fn ask(
        &mut self,
        messages: &[Value],
        specs: &[ChatCompletionTools],
    ) -> Result<ModelTurn, Failure> {
        let stopped = async {
            match self.cx.cancellation() {
                Some(stop) => stop.cancelled().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            turn = self.model.next(messages, specs) => turn,
            () = stopped => Err(Halt::Cancelled.into()),
        }
    }

    /// Makes the calls of a turn that the guard admits.
    async fn make_calls(
        &mut self,
        calls: &[ToolCall],
        messages: &mut Vec<Value>,
    ) -> Result<(), Failure> {
        let mut admitted = Vec::new();
        let mut stops = Vec::with_capacity(calls.len());
        for call in calls {
            self.screen.say(
                Ink::Blue,
                "call",
                &cut(&format!("{} {}", call.name, call.arguments)),
            );
            match self.guard.admit(call) {
                Verdict::Go => {
                    let mut made = call.clone();
                    if let Some(ids) = &mut self.ids {
                        made.id = ids.next(call);
                    }
                    admitted.push(made);
                    stops.push(None);
                }
                Verdict::Stop(text) => stops.push(Some(text)),
                _ => return Err(no_answer("the model goes round in circles; given up")),
            }
        }
        let replies = self.tools.call_all(&admitted, self.cx).await;
        let is_ending = self.ending.is_cancelled();
        let mut end = is_ending.then(|| interrupted(&replies, &self.begun));
        let mut replies = replies.into_iter();
        for (call, stop) in calls.iter().zip(stops) {
            if let Some(text) = stop {
                self.screen.say(Ink::Yellow, "stopped", &text);
                let id = &call.id;
                messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
                continue;
            }
            let Some(reply) = replies.next() else { break };
            let mut reply = match reply {
                Ok(reply) => reply,
                Err(halt) => {
                    end = Some(self.note_halt(call, halt, end));
                    continue;
                }
            };
            reply.call_id.clone_from(&call.id);
            self.guard.record(call, &reply);
            if reply.outcome == Outcome::Unknown {
                self.left = self.left.or_worse(code_of(&reply));
            }
            self.show_reply(&reply);
            messages.push(reply.to_message(Dialect::OpenAi));
            let mut record = describe_reply(&reply);
            if let Some(fields) = record.as_object_mut() {
                fields.insert("arguments".to_owned(), call.arguments.clone().into());
            }
            self.calls.push(record);
        }
        end.map_or(Ok(()), Err)
    }

    /// Notes a call that was halted, and returns the end of the run, for which there may be a reason already.
    fn note_halt(&mut self, call: &ToolCall, halt: Halt, end: Option<Failure>) -> Failure {
        let had_begun = matches!(halt, Halt::Cancelled) && self.begun.at_end().contains(&call.name);
        let (outcome, failure) = if had_begun {
            let failure = cut_off(std::slice::from_ref(&call.name));
            (Outcome::Unknown.name(), failure)
        } else {
            (halt.name(), Failure::from(halt))
        };
        let mut record = json!({
            "call_id": call.id,
            "tool": call.name,
            "arguments": call.arguments,
            "success": false,
            "outcome": outcome,
            "error": failure.message,
        });
        if let Some(id) = &failure.id {
            record["id"] = id.as_str().into();
        }
        self.calls.push(record);
        let Some(mut end) = end else {
            return failure;
        };
        self.screen.say(Ink::Yellow, "halted", &failure.message);
        end.code = end.code.or_worse(failure.code);
        end
    }

    fn show_reply(&self, reply: &ToolReply) {
        let (ink, word) = match reply.outcome {
            Outcome::Success => (Ink::Green, "ok"),
            Outcome::InvalidArguments => (Ink::Yellow, "report"),
            _ => (Ink::Red, "failed"),
        };
        let text = match reply.result.error() {
            Some(error) => cut(error),
            None => cut(reply.result.output()),
        };
        let text = if text.is_empty() {
            "(no output)"
        } else {
            &text
        };
        self.screen.say(ink, word, text);
    }
}

/// The message of the model with its calls, for the history.
fn assistant_message(said: &str, calls: &[ToolCall]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|call| {
            // A provider refuses every later turn if the history holds a broken call.
            let call = sanitized_for_replay(call);
            let function = json!({"name": call.name, "arguments": call.arguments});
            json!({"id": call.id, "type": "function", "function": function})
        })
        .collect();
    json!({"role": "assistant", "content": said, "tool_calls": calls})
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
