//! Arithmetic on a line of text.
//!
//! `+ - * / %`, `^` (binds tighter than a sign before it, groups from the right), parentheses, decimals
//! and `1.5e3`. Whole numbers are exact up to 38 digits; a longer result is an error, not an
//! approximation. A number with a decimal point is exact too if it has at most 38 digits; a longer one,
//! such as the answer of `1 / 3`, is a 64-bit float. Every answer can be read back.

mod number;
mod parser;

use std::fmt;

/// The longest expression in bytes.
pub const MAX_LENGTH: usize = 4096;
/// The most parentheses, signs and powers inside each other.
pub const MAX_DEPTH: usize = 64;

/// Why an expression has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CalculatorError {
    /// The expression is blank.
    Blank,
    /// The expression is longer than [`MAX_LENGTH`].
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The expression is deeper than [`MAX_DEPTH`].
    TooDeep,
    /// Something is missing at the end.
    UnexpectedEnd,
    /// An opening parenthesis has no partner.
    MissingParenthesis,
    /// Digits and points that are not a number.
    InvalidNumber {
        /// Their first characters.
        text: String,
    },
    /// A character in the wrong place.
    UnexpectedCharacter {
        /// The character.
        character: char,
        /// The number of characters before it.
        position: usize,
    },
    /// A division by zero, or zero to a negative power.
    DivisionByZero,
    /// A remainder of a division by zero.
    ModuloByZero,
    /// A whole number with more than 38 digits.
    TooLargeExact,
    /// A result beyond the largest float, about 1.8e308.
    TooLarge,
    /// A result nearer to zero than the smallest float, about 4.9e-324, but not zero.
    TooSmall,
    /// A root of a negative number.
    NotReal,
}

impl fmt::Display for CalculatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("Expression must not be blank"),
            Self::TooLong { length } => {
                write!(f, "Invalid expression: Too long ({length} bytes, at most {MAX_LENGTH})")
            }
            Self::TooDeep => write!(f, "Invalid expression: Nested too deeply (at most {MAX_DEPTH} levels)"),
            Self::UnexpectedEnd => f.write_str("Invalid expression: Unexpected end of expression"),
            Self::MissingParenthesis => f.write_str("Invalid expression: Missing closing parenthesis"),
            Self::InvalidNumber { text } => write!(f, "Invalid expression: Invalid number: {text}"),
            Self::UnexpectedCharacter { character, position } => {
                let shown = character.escape_debug();
                write!(f, "Invalid expression: Unexpected character '{shown}' at position {position}")
            }
            Self::DivisionByZero => f.write_str("Division by zero"),
            Self::ModuloByZero => f.write_str("Modulo by zero"),
            Self::TooLargeExact => f.write_str(
                "Result too large: whole numbers are exact up to 38 digits; write one of them with a decimal point (2.0) for an approximation",
            ),
            Self::TooLarge => f.write_str("Result too large: beyond 1.8e308"),
            Self::TooSmall => f.write_str("Result too small: it is not zero, but nearer to zero than 4.9e-324"),
            Self::NotReal => f.write_str("Result is not a real number"),
        }
    }
}

impl std::error::Error for CalculatorError {}

/// Evaluates an expression.
///
/// ```
/// # use callpact_tools::engine::calculator::evaluate;
/// assert_eq!(evaluate("2 + 3 * 4").as_deref(), Ok("14"));
/// assert_eq!(evaluate("-2^2").as_deref(), Ok("-4"));
/// assert_eq!(evaluate("7 / 2").as_deref(), Ok("3.5"));
/// assert_eq!(evaluate("4.35 * 100").as_deref(), Ok("435"));
/// assert_eq!(evaluate("9007199254740993").as_deref(), Ok("9007199254740993"));
/// assert_eq!(evaluate("1 / 0").unwrap_err().to_string(), "Division by zero");
/// ```
///
/// # Errors
/// See [`CalculatorError`]. A mistake in the syntax is reported before one in the arithmetic.
pub fn evaluate(expression: &str) -> Result<String, CalculatorError> {
    if expression.len() > MAX_LENGTH {
        return Err(CalculatorError::TooLong {
            length: expression.len(),
        });
    }
    if expression.trim().is_empty() {
        return Err(CalculatorError::Blank);
    }
    Ok(parser::parse(expression)??.to_string())
}
