//! One binary, one module a subject.

mod contract;
mod dialects;
mod exceptions;
mod providers;
mod roundtrip;
mod smoke;
