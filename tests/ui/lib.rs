//! Nothing: cargo wants a target beside the test in `main.rs`.
