//! A Pratt parser that evaluates as it reads.

use super::number::{FiniteNumber, NumberResult};
use super::{CalculatorError, MAX_DEPTH};

/// How tightly a sign before an operand binds: tighter than `*`, looser than `^`.
const SIGN: u8 = 5;

/// The outer result concerns the syntax, the inner one the arithmetic.
pub(super) fn parse(text: &str) -> Result<NumberResult, CalculatorError> {
    let mut parser = Parser {
        characters: text.chars().collect(),
        at: 0,
        depth: 0,
    };
    let answer = parser.expression(0)?;
    match parser.peek() {
        None => Ok(answer),
        Some(_) => Err(parser.unexpected()),
    }
}

struct Parser {
    characters: Vec<char>,
    at: usize,
    depth: usize,
}

type NumberOperation = fn(FiniteNumber, FiniteNumber) -> NumberResult;

/// How tightly an operator binds on its left and its right, and its operation.
fn operator(character: char) -> Option<(u8, u8, NumberOperation)> {
    Some(match character {
        '+' => (1, 2, FiniteNumber::add),
        '-' => (1, 2, FiniteNumber::subtract),
        '*' => (3, 4, FiniteNumber::multiply),
        '/' => (3, 4, FiniteNumber::divide),
        '%' => (3, 4, FiniteNumber::remainder),
        '^' => (8, 7, FiniteNumber::power),
        _ => return None,
    })
}

impl Parser {
    /// Reads operands and operators that bind at least as tightly as `least`.
    fn expression(&mut self, least: u8) -> Result<NumberResult, CalculatorError> {
        self.depth = self.depth.saturating_add(1);
        // The outermost expression is not nested.
        if self.depth > MAX_DEPTH + 1 {
            return Err(CalculatorError::TooDeep);
        }
        let mut answer = self.operand()?;
        while let Some((left, right, operation)) = self.peek().and_then(operator) {
            if left < least {
                break;
            }
            self.skip();
            let other = self.expression(right)?;
            answer = answer.and_then(|a| operation(a, other?));
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(answer)
    }

    fn operand(&mut self) -> Result<NumberResult, CalculatorError> {
        match self.peek().ok_or(CalculatorError::UnexpectedEnd)? {
            '(' => {
                self.skip();
                let answer = self.expression(0)?;
                match self.peek() {
                    Some(')') => self.skip(),
                    Some(_) => return Err(self.unexpected()),
                    None => return Err(CalculatorError::MissingParenthesis),
                }
                Ok(answer)
            }
            '-' => {
                self.skip();
                Ok(self.expression(SIGN)?.map(FiniteNumber::negate))
            }
            '+' => {
                self.skip();
                self.expression(SIGN)
            }
            '0'..='9' | '.' => self.number(),
            _ => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Result<NumberResult, CalculatorError> {
        let digits = self.run(|c| c.is_ascii_digit() || c == '.');
        let before = self.at;
        let exponent = self.exponent();
        if exponent.is_none() {
            // An `e` without digits belongs to something else.
            self.at = before;
        }
        match FiniteNumber::read(&digits, exponent.as_deref()) {
            Err(e @ CalculatorError::InvalidNumber { .. }) => Err(e),
            answer => Ok(answer),
        }
    }

    fn exponent(&mut self) -> Option<String> {
        self.take(|c| matches!(c, 'e' | 'E'))?;
        let sign = self.take(|c| matches!(c, '+' | '-')).filter(|c| *c == '-');
        let digits = self.run(|c| c.is_ascii_digit());
        (!digits.is_empty()).then(|| sign.into_iter().chain(digits.chars()).collect())
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        while self.take(char::is_whitespace).is_some() {}
        self.characters.get(self.at).copied()
    }

    fn skip(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let next = self
            .characters
            .get(self.at)
            .copied()
            .filter(|c| wanted(*c))?;
        self.skip();
        Some(next)
    }

    fn run(&mut self, wanted: impl Fn(char) -> bool) -> String {
        std::iter::from_fn(|| self.take(&wanted)).collect()
    }

    fn unexpected(&self) -> CalculatorError {
        match self.characters.get(self.at) {
            Some(character) => CalculatorError::UnexpectedCharacter {
                character: *character,
                position: self.at,
            },
            None => CalculatorError::UnexpectedEnd,
        }
    }
}
