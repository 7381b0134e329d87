//! Streams as the providers describe them, for the types of their SDKs (`scripts/sdk_types`).
//!
//! Prints a line of JSON for each turn: its API, its events and its calls. With `read`, takes such lines, whose events an
//! SDK has read and written, and checks that they give these calls.

use std::io::{BufRead, stdin};

use callpact::stream::TurnAssembler;
use callpact_tests::turns::{Random, SHAPES, stream};
use serde_json::{Value, json};

/// How many turns of each API there are.
const TURNS: u64 = 50;

fn write() {
    for shape in SHAPES {
        for seed in 1..=TURNS {
            let mut random = Random::without_faults(seed);
            let calls = random.calls();
            let (events, _, has_ids) = stream(shape, &calls, &mut random);
            let calls = calls.iter().map(|call| {
                let id = if has_ids { &*call.id } else { "" };
                json!({ "id": id, "name": call.name, "arguments": call.arguments })
            });
            let calls: Vec<Value> = calls.collect();
            println!(
                "{}",
                json!({ "api": shape.name, "events": events, "calls": calls })
            );
        }
    }
}

fn read() {
    let mut turns = 0;
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let made: Value = serde_json::from_str(&line).expect("JSON");
        let mut turn = TurnAssembler::new();
        for event in made["events"].as_array().expect("events") {
            turn.push(event);
        }
        let turn = turn.finish();
        let calls = turn.calls.iter().enumerate().map(|(at, call)| {
            assert!(call.fault.is_none() && !call.cut_off, "{line}\n{turn:?}");
            let text = Some(&*call.arguments).filter(|text| !text.is_empty());
            let arguments: Value = serde_json::from_str(text.unwrap_or("{}")).expect("JSON");
            let id = if made["calls"][at]["id"] == "" {
                ""
            } else {
                &call.id
            };
            json!({ "id": id, "name": call.name, "arguments": arguments })
        });
        let calls: Value = calls.collect();
        assert_eq!(calls, made["calls"], "{line}");
        turns += 1;
    }
    println!("{turns}");
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => write(),
        Some("read") => read(),
        Some(word) => panic!("{word} is not `read`"),
    }
}
