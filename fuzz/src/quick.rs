//! What the quick reader accepts, the other reader accepts as the same value with the same fixes.

use std::sync::OnceLock;

use callpact_tests::shapes::{Shape, all, policies};

use super::text_of;

fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(all)
}

/// The first byte chooses the type, the rest is the model's text.
pub fn check(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let Some(text) = text_of(rest) else { return };
    let shapes = shapes();
    let shape = &shapes[usize::from(*first) % shapes.len()];
    for policy in policies() {
        if let Err(difference) = (shape.read_quickly)(text, &policy) {
            panic!("{}: {difference}", shape.name);
        }
    }
}
