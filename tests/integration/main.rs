//! One binary, one module a subject.
// Shapes come from everywhere, and a table is as long as it is.
#![allow(
    clippy::wildcard_imports,
    clippy::option_option,
    clippy::too_many_lines
)]
// What the derive writes; to go when it no longer does.
#![allow(clippy::needless_question_mark, clippy::unused_unit)]

mod contract;
mod dialects;
mod exceptions;
mod lax;
mod providers;
mod report;
mod roundtrip;
mod schema_text;
mod smoke;
