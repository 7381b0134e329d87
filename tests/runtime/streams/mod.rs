//! Turns that arrive in pieces.

mod cases;
mod origin;
mod shapes;
mod splits;
