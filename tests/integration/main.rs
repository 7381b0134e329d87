//! One binary, one module a subject.

mod dialects;
mod providers;
mod smoke;
