//! What the quick reader accepts, the checker accepts as the same value with the same fixes: for every shape,
//! valid and damaged values, texts in any order of keys, broken texts, and every kind of policy.

use callpact_tests::{
    generate::Generator,
    rng::Rng,
    shapes::{Shape, all, policies},
};

use crate::{
    agreement::damage,
    schema_and_reader::text_of,
    spread::{cases, over},
};

/// The number of values over all shapes, each read under each policy; `CALLPACT_CASES` overrides it.
const CASES: usize = 30_000;

/// Shapes that the quick reader never reads: their items are objects that must differ.
const ONLY_THOROUGH: &[&str] = &["UniqueObjects"];

/// Changes a byte or two of a text.
fn break_text(text: &mut String, rng: &mut Rng) {
    const SIGNS: [char; 14] = [
        '"', '{', '}', '[', ']', ',', ':', ' ', '0', '.', 'e', '-', '\\', 'n',
    ];
    let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if bounds.is_empty() {
        return;
    }
    let at = bounds[rng.below(bounds.len())];
    match rng.below(3) {
        0 => text.insert(at, SIGNS[rng.below(SIGNS.len())]),
        1 => drop(text.remove(at)),
        _ => text.truncate(at),
    }
}

/// What came of the readings of one shape.
#[derive(Default)]
struct Comparison {
    name: &'static str,
    quick: usize,
    quick_and_valid: usize,
    /// The first difference between the readers.
    difference: Option<String>,
}

fn read_both(shape: &Shape, seed: u64, cases: usize) -> Comparison {
    let policies = policies();
    let mut generator = Generator::new(seed);
    let mut out = Comparison {
        name: shape.name,
        ..Comparison::default()
    };
    for _ in 0..cases {
        let case = generator.case(shape.schema);
        let (mut value, mut is_valid) = (case.value, !case.mutated);
        for _ in 0..generator.rng.below(3) {
            damage(&mut value, &mut generator.rng);
            is_valid = false;
        }
        let mut text = String::new();
        text_of(&value, &mut generator.rng, &mut text);
        if generator.rng.one_in(8) {
            break_text(&mut text, &mut generator.rng);
        }
        for policy in &policies {
            match (shape.read_quickly)(&text, policy) {
                Ok(is_quick) => {
                    out.quick += usize::from(is_quick);
                    out.quick_and_valid += usize::from(is_quick && is_valid);
                }
                Err(difference) => out.difference = out.difference.or(Some(difference)),
            }
        }
    }
    out
}

#[test]
fn quick_reader_agrees_with_thorough_reader() {
    let shapes = all();
    let each = cases(CASES) / shapes.len();
    let all = over(&shapes, |index, shape| {
        read_both(shape, 0x9c1 + index as u64, each)
    });
    let mut slow: Vec<&str> = Vec::new();
    let mut differences = String::new();
    for read in all {
        if read.quick_and_valid == 0 {
            slow.push(read.name);
        }
        if let Some(difference) = read.difference {
            differences.extend(["\n\n", read.name, ": ", &difference]);
        }
    }
    assert!(differences.is_empty(), "{differences}");
    slow.sort_unstable();
    assert_eq!(slow, ONLY_THOROUGH);
}
