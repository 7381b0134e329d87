//! Bad arguments: what is mended, what is refused, and what it costs.

mod bounds;
mod calls;
mod classes;
mod properties;
mod refused;
mod sample;
mod shapes;
mod stream;

// The body of the fuzz target, so that it compiles and runs here too.
#[path = "../../fuzz/check.rs"]
mod fuzzed;
