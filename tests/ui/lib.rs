//! This is empty: cargo requires a target beside the test in `main.rs`.
