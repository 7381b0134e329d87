//! Calls in the text of a model, in every form of the table.

mod cases;
mod readings;
mod rows;
