//! Reads one input in one way, many times, for tools that count instructions.
//!
//! `instructions INPUT WAY TIMES`; without arguments, lists inputs and ways.

use callpact_bench::{INPUTS, Input, Way};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chosen = match words.as_slice() {
        [input, way, times] => Input::named(input)
            .zip(Way::ALL.into_iter().find(|known| known.name() == way))
            .zip(times.parse::<usize>().ok()),
        _ => None,
    };
    let Some(((input, way), times)) = chosen else {
        println!("instructions INPUT WAY TIMES");
        for (name, make) in INPUTS {
            println!("{name} ({} bytes)", make().text.len());
        }
        for way in Way::ALL {
            println!("{}", way.name());
        }
        return;
    };
    input.read(way, times);
}
