//! Turns that arrive in pieces.

mod cases;
mod hopeless;
mod in_text;
mod origin;
mod partial;
mod splits;
mod typed_partial;
