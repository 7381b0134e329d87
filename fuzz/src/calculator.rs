//! The calculator: every answer is a finite number that can be read back, and every error is short.

use callpact_tools::engine::calculator::{MAX_LENGTH, evaluate};

use super::text_of;

/// Evaluates an expression, then its answer.
pub fn check(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    match evaluate(text) {
        Ok(answer) => {
            assert!(text.len() <= MAX_LENGTH);
            // A sign, the digits of the largest whole number, and a point.
            assert!(answer.len() <= 41, "{answer}");
            assert!(answer.parse::<f64>().is_ok_and(f64::is_finite), "{answer}");
            assert_eq!(evaluate(&answer).as_deref(), Ok(answer.as_str()), "{text}");
        }
        Err(error) => {
            let shown = error.to_string();
            assert!(shown.len() < 300, "{shown}");
            assert!(!shown.contains(char::is_control), "{shown:?}");
        }
    }
}
