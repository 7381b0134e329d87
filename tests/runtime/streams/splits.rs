//! Turns that are split and interleaved at random are read like whole ones.

use callpact::stream::{Ended, TurnAssembler};
use callpact_tests::rng::Rng;
use serde_json::{Value, json};

use super::shapes::{Call, SHAPES, Shape};

/// How many turns of each provider are tried. `CALLPACT_ROUNDS` sets another number.
fn rounds() -> u64 {
    let rounds = std::env::var("CALLPACT_ROUNDS").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

/// Turns and splits that only look random, so that a failure can be repeated.
pub(super) struct Random(Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::new(seed))
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// A text in pieces, some of them empty.
    pub(super) fn split(&mut self, text: &str) -> Vec<String> {
        let mut pieces = vec![String::new()];
        for letter in text.chars() {
            if self.below(3) == 0 {
                pieces.push(String::new());
            }
            pieces.last_mut().expect("one").push(letter);
        }
        pieces
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => (self.below(2) == 0).into(),
            2 => self.below(100_000).into(),
            3 => {
                ["", "xx", "a \"b\" \\ \n", "{}", "{\"a\":1}", "ä日", "null"][self.below(7)].into()
            }
            4 => json!(-1.5),
            5 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(depth - 1),
        }
    }

    fn object(&mut self, depth: usize) -> Value {
        let keys = ["a", "b", "name", "arguments", "ü"];
        let fields =
            (0..self.below(4)).map(|_| (keys[self.below(5)].to_owned(), self.value(depth)));
        Value::Object(fields.collect())
    }

    pub(super) fn calls(&mut self) -> Vec<Call> {
        let calls = 1 + self.below(3);
        let calls = (0..calls).map(|index| Call {
            id: format!("call_{index}"),
            name: ["read_file", "list", "pay"][self.below(3)].to_owned(),
            arguments: self.object(3),
        });
        calls.collect()
    }
}

/// The events of several calls in one order: one call after the other, or alternating.
fn merge(mut of_calls: Vec<Vec<Value>>, interleaves: bool, random: &mut Random) -> Vec<Value> {
    let mut events = Vec::new();
    if !interleaves || random.below(2) == 0 {
        return of_calls.into_iter().flatten().collect();
    }
    for events in &mut of_calls {
        events.reverse();
    }
    // They begin in order, so that their order is known.
    events.extend(of_calls.iter_mut().filter_map(Vec::pop));
    while of_calls.iter().any(|events| !events.is_empty()) {
        let next = random.below(of_calls.len());
        events.extend(of_calls[next].pop());
    }
    events
}

fn stream(shape: &Shape, calls: &[Call], random: &mut Random) -> Vec<Value> {
    let of_calls = (shape.events)(calls, random);
    let mut events = (shape.start)();
    events.extend(merge(of_calls, shape.interleaves, random));
    events.extend((shape.end)());
    events
}

#[test]
fn pieces_give_the_calls_of_the_whole() {
    for shape in SHAPES {
        for round in 0..rounds() {
            let mut random = Random::new(round + 1);
            let calls = random.calls();
            let mut turn = TurnAssembler::new();
            for event in stream(shape, &calls, &mut random) {
                turn.push(&event);
            }
            let turn = turn.finish();
            assert_eq!(turn.ended, Ended::Stopped, "{} {round}", shape.name);
            assert_eq!(
                turn.calls.len(),
                calls.len(),
                "{} {round}: {turn:?}",
                shape.name
            );
            for (read, made) in turn.calls.iter().zip(&calls) {
                let place = format!("{} {round}: {turn:?}", shape.name);
                assert!(read.fault.is_none() && !read.cut_off, "{place}");
                assert_eq!(read.name, made.name, "{place}");
                assert!(!shape.has_ids || read.id == made.id, "{place}");
                // No arguments are an object without members.
                let text = Some(&*read.arguments).filter(|text| !text.is_empty());
                let arguments: Value = serde_json::from_str(text.unwrap_or("{}")).expect("JSON");
                assert_eq!(arguments, made.arguments, "{place}");
            }
        }
    }
}

/// A stream that stops anywhere gives only calls that are whole in the whole stream, or that are cut off.
#[test]
fn a_lost_stream_gives_no_other_call() {
    for shape in SHAPES {
        for round in 0..rounds() {
            let mut random = Random::new(round + 7);
            let calls = random.calls();
            let events = stream(shape, &calls, &mut random);
            let kept = random.below(events.len() - (shape.end)().len() + 1);
            let mut turn = TurnAssembler::new();
            for event in events.iter().take(kept) {
                turn.push(event);
            }
            let turn = turn.finish();
            assert_eq!(turn.ended, Ended::Unknown, "{} {round}", shape.name);
            for (read, made) in turn.calls.iter().zip(&calls) {
                if read.cut_off {
                    continue;
                }
                let arguments: Value =
                    serde_json::from_str(&read.arguments).unwrap_or_else(|_| json!({}));
                assert_eq!(
                    arguments, made.arguments,
                    "{} {round}: {turn:?}",
                    shape.name
                );
            }
        }
    }
}
