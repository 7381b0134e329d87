//! The forms of work that every library does.

/// One piece of work, ready to run many times.
pub type Work = Box<dyn FnMut()>;

/// Reads arguments; an error has the number of faults and the text for a model.
pub type Reader = Box<dyn Fn(&str) -> Result<(), (usize, String)>>;

/// The one fault that a library reports.
#[expect(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
pub fn one(error: impl ToString) -> (usize, String) {
    (1, error.to_string())
}
