//! Bad arguments: which are repaired, which are refused, and the cost.

mod bounds;
mod calls;
mod classes;
mod excerpt;
mod guesses;
mod left;
mod mended;
mod mends;
mod properties;
mod recorded;
mod refused;
mod sample;
mod shapes;
mod stream;
mod values;

// The body of the fuzz target `tolerant`, which the noise of the properties runs through too.
#[path = "../../fuzz/src/tolerant.rs"]
#[allow(unreachable_pub)]
mod fuzzed;
