//! The console: one question at a time. It shows the whole request, and only a clear yes counts as one.

mod ask;
mod lines;
mod prompt;
mod reviewer;
mod system;
mod worker;

pub use reviewer::{ConsoleReviewer, console};

#[cfg(test)]
mod tests;
