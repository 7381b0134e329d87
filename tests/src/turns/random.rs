//! Turns and their pieces at random.

use serde_json::{Value, json};

use super::Call;
use crate::rng::Rng;

/// Turns and splits that only look random, so that a failure can be repeated.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
    has_faults: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            has_faults: true,
        }
    }

    /// Turns as the providers describe them, without a fault.
    pub fn without_faults(seed: u64) -> Self {
        Self {
            has_faults: false,
            ..Self::new(seed)
        }
    }

    /// Whether a server makes a fault, once in so many times.
    pub fn fault(&mut self, times: usize) -> bool {
        self.has_faults && self.below(times) == 0
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.rng.below(end)
    }

    /// A text in pieces, some of them empty.
    pub fn split(&mut self, text: &str) -> Vec<String> {
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

    pub fn calls(&mut self) -> Vec<Call> {
        let calls = 1 + self.below(3);
        let calls = (0..calls).map(|index| Call {
            id: format!("call_{index}"),
            name: ["read_file", "list", "pay"][self.below(3)].to_owned(),
            arguments: self.object(3),
        });
        calls.collect()
    }
}
