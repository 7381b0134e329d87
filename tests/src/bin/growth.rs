//! Reads texts of a recursive declaration, for tools that count instructions (`scripts/growth`).
//!
//! `growth NAME type|json good|faulty exact|lax|repair BYTES` reads a text of 1 kB, then of twice as much each time,
//! up to so many bytes, and prints their lengths; without arguments, lists the names.

use callpact::Policy;
use callpact_tests::recursive::{Recursive, recursive};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [name, source, quality, policy, bytes] = words[..] else {
        for one in recursive() {
            println!("{}", one.name);
        }
        return;
    };
    let one = recursive()
        .into_iter()
        .find(|one| one.name == name)
        .expect("a name");
    let policy = match policy {
        "exact" => Policy::exact(),
        "lax" => Policy::lax(),
        _ => Policy::repair(),
    };
    let largest: usize = bytes.parse().expect("a number");
    let mut bytes = 1 << 10;
    while bytes <= largest {
        let text = one.text(bytes, quality == "faulty");
        let is_good = measured(&one, source, &text, &policy);
        assert_eq!(is_good, quality == "good", "{name}");
        println!("{}", text.len());
        bytes *= 2;
    }
}

/// The reading whose instructions are counted.
#[inline(never)]
fn measured(one: &Recursive, source: &str, text: &str, policy: &Policy) -> bool {
    match source {
        "type" => one.read(text, policy),
        _ => one.read_at_run_time(text, policy),
    }
}
