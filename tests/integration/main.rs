//! One binary, one module a subject.

mod smoke;
