//! One binary, one module a subject.

mod contract;
mod dialects;
mod exceptions;
mod lax;
mod providers;
mod report;
mod roundtrip;
mod schema_text;
mod smoke;
