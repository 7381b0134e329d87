//! The events of each provider, from one description of a turn, with the faults that real servers make.

mod blocks;
mod chat;
mod hosts;
mod parts;
mod random;
mod responses;

use callpact::{Dialect, stream::Ended};
use serde_json::{Value, json};

pub use random::Random;

/// A call as the model makes it.
#[derive(Clone, Debug)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// The stream of a turn.
pub struct ShapedTurn {
    pub start: Vec<Value>,
    /// The events of each call.
    pub of_calls: Vec<Vec<Value>>,
    pub end: Vec<Value>,
    /// Whether the events of two calls may alternate.
    pub interleaves: bool,
    /// Whether the server sends the ids.
    pub has_ids: bool,
    /// Whether the events of two calls may come in one event.
    pub join: Option<fn(&mut Value, &Value) -> bool>,
}

impl ShapedTurn {
    fn new(start: Vec<Value>, of_calls: Vec<Vec<Value>>, end: Vec<Value>) -> Self {
        Self {
            start,
            of_calls,
            end,
            interleaves: true,
            has_ids: true,
            join: None,
        }
    }
}

/// A provider.
pub struct Shape {
    pub name: &'static str,
    pub turn: fn(&[Call], &mut Random) -> ShapedTurn,
    /// How the stream of a turn ends.
    pub ended: Ended,
    /// The response that a server sends that does not stream.
    pub whole: Option<(Dialect, fn(&[Call]) -> Value)>,
}

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "chat",
        turn: chat::indexed,
        ended: Ended::Stopped,
        whole: Some((Dialect::OpenAi, chat::whole)),
    },
    Shape {
        name: "chat without an index",
        turn: chat::without_index,
        ended: Ended::Stopped,
        whole: Some((Dialect::OpenAi, chat::whole)),
    },
    Shape {
        name: "chat with one index",
        turn: chat::one_index,
        ended: Ended::Stopped,
        whole: Some((Dialect::OpenAi, chat::whole)),
    },
    Shape {
        name: "mistral",
        turn: chat::mistral,
        ended: Ended::Stopped,
        whole: Some((Dialect::Mistral, chat::whole)),
    },
    Shape {
        name: "conversations",
        turn: parts::conversations,
        ended: Ended::Stopped,
        whole: None,
    },
    Shape {
        name: "ollama",
        turn: parts::ollama,
        ended: Ended::Stopped,
        whole: Some((Dialect::Ollama, parts::whole_ollama)),
    },
    Shape {
        name: "responses",
        turn: responses::responses,
        ended: Ended::Stopped,
        whole: Some((Dialect::OpenAiResponses, responses::whole)),
    },
    Shape {
        name: "messages",
        turn: blocks::messages,
        ended: Ended::Stopped,
        whole: Some((Dialect::Anthropic, blocks::whole_messages)),
    },
    Shape {
        name: "gemini",
        turn: parts::gemini,
        ended: Ended::Stopped,
        whole: Some((Dialect::Gemini, parts::whole_gemini)),
    },
    Shape {
        name: "vertex",
        turn: parts::vertex,
        ended: Ended::Stopped,
        whole: Some((Dialect::Gemini, parts::whole_gemini)),
    },
    Shape {
        name: "interactions",
        turn: blocks::interactions,
        ended: Ended::Stopped,
        whole: None,
    },
    Shape {
        name: "converse",
        turn: blocks::converse,
        ended: Ended::Stopped,
        whole: Some((Dialect::Bedrock, blocks::whole_converse)),
    },
    Shape {
        name: "cohere",
        turn: blocks::cohere,
        ended: Ended::Stopped,
        whole: None,
    },
    Shape {
        name: "items of rig",
        turn: hosts::rig,
        ended: Ended::Unknown,
        whole: None,
    },
    Shape {
        name: "items of genai",
        turn: hosts::genai,
        ended: Ended::Stopped,
        whole: None,
    },
    Shape {
        name: "items of async-openai",
        turn: hosts::async_openai,
        ended: Ended::Stopped,
        whole: Some((Dialect::OpenAi, chat::whole)),
    },
];

/// The events of several calls in one order: one call after the other, or alternating.
fn merge(turn: &mut ShapedTurn, random: &mut Random) -> Vec<Value> {
    let mut of_calls = std::mem::take(&mut turn.of_calls);
    let mut events = Vec::new();
    if !turn.interleaves || random.below(2) == 0 {
        events = of_calls.into_iter().flatten().collect();
    } else {
        for events in &mut of_calls {
            events.reverse();
        }
        // They begin in order, so that their order is known.
        events.extend(of_calls.iter_mut().filter_map(Vec::pop));
        while of_calls.iter().any(|events| !events.is_empty()) {
            let next = random.below(of_calls.len());
            events.extend(of_calls[next].pop());
        }
    }
    let Some(join) = turn.join else {
        return events;
    };
    let mut joined: Vec<Value> = Vec::new();
    for event in events {
        let is_joined =
            random.below(3) == 0 && joined.last_mut().is_some_and(|before| join(before, &event));
        if !is_joined {
            joined.push(event);
        }
    }
    joined
}

/// The events of a turn, how many of them come before its end, and whether they have the ids.
pub fn stream(shape: &Shape, calls: &[Call], random: &mut Random) -> (Vec<Value>, usize, bool) {
    let mut turn = (shape.turn)(calls, random);
    let mut events = std::mem::take(&mut turn.start);
    events.extend(merge(&mut turn, random));
    let before = events.len();
    events.extend(turn.end);
    (events, before, turn.has_ids)
}

/// The events of each call, from its pieces.
fn each(
    calls: &[Call],
    random: &mut Random,
    mut events: impl FnMut(usize, &Call, Vec<String>, &mut Random) -> Vec<Value>,
) -> Vec<Vec<Value>> {
    let calls = calls.iter().enumerate();
    calls
        .map(|(index, call)| {
            let pieces = random.split(&call.arguments.to_string());
            events(index, call, pieces, random)
        })
        .collect()
}

/// A text that changes nothing: empty, null, or missing.
fn empty(random: &mut Random, object: &mut Value, key: &str) {
    if random.fault(2) {
        object[key] = [Value::Null, "".into()][random.below(2)].clone();
    }
}

/// Where an index belongs, as a server counts it: right, always 0, or not at all. Without one, calls do not alternate.
#[derive(Clone, Copy)]
enum IndexFault {
    None,
    Zero,
    Missing,
}

impl IndexFault {
    fn any(random: &mut Random) -> Self {
        if random.fault(2) {
            [Self::Zero, Self::Missing][random.below(2)]
        } else {
            Self::None
        }
    }

    fn put(self, event: &mut Value, key: &str, index: usize) {
        match self {
            Self::None => event[key] = index.into(),
            Self::Zero => event[key] = 0.into(),
            Self::Missing => {}
        }
    }

    fn is_none(self) -> bool {
        matches!(self, Self::None)
    }
}

fn chunk(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}
