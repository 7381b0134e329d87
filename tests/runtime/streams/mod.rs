//! Turns that arrive in pieces.

mod cases;
mod origin;
mod partial;
mod shapes;
mod splits;
