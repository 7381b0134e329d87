//! Reads one input in one way, many times, for tools that count instructions.
//!
//! `instructions INPUT WAY TIMES`; without arguments, lists inputs and ways. `instructions crossed` lists the inputs of
//! the crossed set.

use callpact_bench::{INPUTS, Input, Way, crossed::crossed};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let chosen = match words.as_slice() {
        [input, way, times] => Input::named(input)
            .zip(Way::ALL.into_iter().find(|known| known.name() == way))
            .zip(times.parse::<usize>().ok()),
        _ => None,
    };
    let Some(((input, way), times)) = chosen else {
        if words == ["crossed"] {
            for (name, make) in crossed() {
                println!("{name} ({} bytes)", make().text.len());
            }
            return;
        }
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
