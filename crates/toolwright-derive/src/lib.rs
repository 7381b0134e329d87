//! Derive macros of `toolwright`.
