//! Turns that are split and interleaved at random are read like whole ones.

use callpact::{
    ToolCall,
    stream::{Ended, TurnAssembler},
};
use callpact_tests::turns::{Random, SHAPES, stream};
use serde_json::Value;

/// How many turns of each provider are tried. `CALLPACT_ROUNDS` sets another number.
fn rounds() -> u64 {
    let rounds = std::env::var("CALLPACT_ROUNDS").ok();
    rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(300)
}

fn arguments(call: &ToolCall) -> Value {
    // No arguments are an object without members.
    let text = Some(&*call.arguments).filter(|text| !text.is_empty());
    serde_json::from_str(text.unwrap_or("{}")).expect("JSON")
}

/// The ids, if the server sends them, the names and the arguments.
fn essence(calls: &[ToolCall], has_ids: bool) -> Vec<(&str, &str, Value)> {
    let calls = calls.iter();
    calls
        .map(|call| {
            let id = if has_ids { &*call.id } else { "" };
            (id, &*call.name, arguments(call))
        })
        .collect()
}

#[test]
fn pieces_give_the_calls_of_the_whole() {
    for shape in SHAPES {
        for round in 0..rounds() {
            let mut random = Random::new(round + 1);
            let calls = random.calls();
            let (events, _, has_ids) = stream(shape, &calls, &mut random);
            let mut turn = TurnAssembler::new();
            for event in &events {
                turn.push(event);
            }
            let turn = turn.finish();
            let place = || format!("{} {round}: {turn:?}\n{events:#?}", shape.name);
            assert_eq!(turn.ended, shape.ended, "{}", place());
            let is_good = |call: &ToolCall| call.fault.is_none() && !call.cut_off;
            assert!(turn.calls.iter().all(is_good), "{}", place());
            let read = essence(&turn.calls, has_ids);
            let made: Vec<ToolCall> = calls
                .iter()
                .map(|call| ToolCall::new(&*call.id, &*call.name, call.arguments.to_string()))
                .collect();
            assert_eq!(read, essence(&made, has_ids), "{}", place());
            if let Some((dialect, whole)) = shape.whole {
                let whole = ToolCall::parse(&whole(&calls), dialect).expect("calls");
                assert_eq!(read, essence(&whole, has_ids), "{}", place());
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
            let (events, before, _) = stream(shape, &calls, &mut random);
            let kept = random.below(before + 1);
            let mut turn = TurnAssembler::new();
            for event in events.iter().take(kept) {
                turn.push(event);
            }
            let turn = turn.finish();
            assert_eq!(turn.ended, Ended::Unknown, "{} {round}", shape.name);
            for (read, made) in turn.calls.iter().zip(&calls) {
                if read.cut_off || read.fault.is_some() {
                    continue;
                }
                let place = || format!("{} {round}: {turn:?}\n{:#?}", shape.name, &events[..kept]);
                assert_eq!(arguments(read), made.arguments, "{}", place());
                assert_eq!(read.name, made.name, "{}", place());
            }
        }
    }
}
