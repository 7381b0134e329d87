//! Ranges of numbers, digit by digit.

use super::rule::{GrammarPart, any_digit, choice, digit, optional, row, text, times};
use crate::schema::{Bound, Integer, Number};

/// The most digits after a point.
const FRACTION: u32 = 20;
/// The most last digits that are written out for a step.
const STEPS: u32 = 3;

/// The whole numbers that follow the rules. A step that does not divide a power of ten is left out.
pub(super) fn integer(rules: &Integer) -> GrammarPart {
    if !rules.choices.is_empty() {
        let values = rules.choices.iter();
        return choice(
            values
                .map(|value| text(&value.to_string()))
                .collect::<Vec<_>>(),
        );
    }
    let (mut min, mut max) = (rules.min, rules.max);
    if rules.nonzero {
        min = min.map(|min| if min == 0 { 1 } else { min });
        max = max.map(|max| if max == 0 { -1 } else { max });
    }
    let step = rules.multiple_of.and_then(|step| u64::try_from(step).ok());
    let step = step
        .filter(|step| (1..=STEPS).any(|k| 10_u64.pow(k) % step == 0))
        .unwrap_or(1);
    let mut ways = Vec::new();
    // The numbers below zero, by their distance from it.
    if min.is_none_or(|min| min < 0) {
        let near = max.map_or(1, |max| (-max).max(1));
        let far = min.map(i128::unsigned_abs);
        ways.extend(distance(near.unsigned_abs(), far, step).map(|part| row([text("-"), part])));
    }
    if max.is_none_or(|max| max >= 0) {
        let low = min.map_or(0, |min| min.max(0)).unsigned_abs();
        let low = if rules.nonzero { low.max(1) } else { low };
        ways.extend(distance(low, max.map(i128::unsigned_abs), step));
    }
    choice(ways)
}

/// The multiples of a step from one number to another, or from one on; `None` if there is none.
fn distance(low: u128, high: Option<u128>, step: u64) -> Option<GrammarPart> {
    let step = u128::from(step);
    if step == 1 {
        return high
            .is_none_or(|high| low <= high)
            .then(|| whole(low, high));
    }
    let digits = (1..=STEPS).find(|digits| 10_u128.pow(*digits) % step == 0)?;
    let size = 10_u128.pow(digits);
    let last = |from: u128, to: u128| {
        let all = (0..size)
            .step_by(usize::try_from(step).ok()?)
            .filter(|last| (from..=to).contains(last));
        let width = digits as usize;
        let all: Vec<GrammarPart> = all.map(|last| text(&format!("{last:0width$}"))).collect();
        (!all.is_empty()).then(|| choice(all))
    };
    let mut ways = Vec::new();
    let small = (0..size).step_by(usize::try_from(step).ok()?);
    ways.extend(
        small
            .filter(|value| *value >= low && high.is_none_or(|high| *value <= high))
            .map(|value| text(&value.to_string())),
    );
    let mut first = (low / size).max(1);
    let with =
        |prefix: GrammarPart, last: Option<GrammarPart>| last.map(|last| row([prefix, last]));
    if low / size >= 1 && !low.is_multiple_of(size) {
        ways.extend(with(
            text(&first.to_string()),
            last(
                low % size,
                if high.is_some_and(|high| high / size == first) {
                    high? % size
                } else {
                    size
                },
            ),
        ));
        first += 1;
    }
    match high {
        None => ways.extend(with(whole(first, None), last(0, size))),
        Some(high) => {
            let top = high / size;
            if first < top {
                ways.extend(with(whole(first, Some(top - 1)), last(0, size)));
            }
            if first <= top {
                ways.extend(with(text(&top.to_string()), last(0, high % size)));
            }
        }
    }
    (!ways.is_empty()).then(|| choice(ways))
}

/// The whole numbers from one to another, or from one on.
fn whole(low: u128, high: Option<u128>) -> GrammarPart {
    let mut ways = Vec::new();
    let mut low = low;
    loop {
        let digits = low.to_string();
        let nines = 10_u128
            .checked_pow(u32::try_from(digits.len()).unwrap_or(u32::MAX))
            .map(|size| size - 1);
        match (high, nines) {
            (Some(high), Some(nines)) if high > nines => {
                ways.push(between(&digits, &nines.to_string()));
                low = nines + 1;
            }
            (Some(high), _) => {
                ways.push(between(&digits, &high.to_string()));
                break;
            }
            (None, Some(nines)) => {
                ways.push(between(&digits, &nines.to_string()));
                let more = u32::try_from(digits.len()).unwrap_or(u32::MAX);
                ways.push(row([
                    digit('1', '9'),
                    GrammarPart::Repeat(Box::new(any_digit()), more, None),
                ]));
                break;
            }
            (None, None) => break,
        }
    }
    choice(ways)
}

/// The texts of equally many digits from one to another.
fn between(low: &str, high: &str) -> GrammarPart {
    let (Some(a), Some(b)) = (low.chars().next(), high.chars().next()) else {
        return text("");
    };
    let (low, high) = (&low[1..], &high[1..]);
    let rest = u32::try_from(low.len()).unwrap_or(u32::MAX);
    let after = |first: GrammarPart, rest: GrammarPart| row([first, rest]);
    let (starts, ends) = (
        low.bytes().all(|d| d == b'0'),
        high.bytes().all(|d| d == b'9'),
    );
    if rest == 0 {
        return digit(a, b);
    }
    if starts && ends {
        return after(digit(a, b), times(any_digit(), rest, rest));
    }
    if a == b {
        return after(text(&a.to_string()), between(low, high));
    }
    let mut ways = Vec::new();
    let mut from = a;
    if !starts {
        ways.push(after(
            text(&a.to_string()),
            between(low, &"9".repeat(low.len())),
        ));
        from = next(a);
    }
    let to = if ends { b } else { before(b) };
    if from <= to {
        ways.push(after(digit(from, to), times(any_digit(), rest, rest)));
    }
    if !ends {
        ways.push(after(
            text(&b.to_string()),
            between(&"0".repeat(low.len()), high),
        ));
    }
    choice(ways)
}

fn next(digit: char) -> char {
    char::from_u32(digit as u32 + 1).unwrap_or(digit)
}

fn before(digit: char) -> char {
    char::from_u32(digit as u32 - 1).unwrap_or(digit)
}

/// The numbers between the bounds. A step is left out, and so are bounds that have too many digits.
pub(super) fn number(rules: &Number, is_small: bool) -> GrammarPart {
    let end = |bound: &Option<Bound>| match bound {
        None => Some(None),
        Some(bound) => DecimalBound::of(bound).map(Some),
    };
    let (Some(min), Some(max)) = (end(&rules.min), end(&rules.max)) else {
        return free(is_small);
    };
    if min.is_none() && max.is_none() {
        return free(is_small);
    }
    let zero = DecimalBound {
        negative: false,
        whole: 0,
        fraction: String::new(),
        exclusive: false,
    };
    let mut ways = Vec::new();
    if min.as_ref().is_none_or(|min| min.negative) {
        let near = max.as_ref().filter(|max| max.negative).unwrap_or(&zero);
        let far = min.as_ref();
        let below = magnitude(near, far);
        ways.push(row([text("-"), below]));
    }
    if max.as_ref().is_none_or(|max| !max.negative) {
        let near = min.as_ref().filter(|min| !min.negative).unwrap_or(&zero);
        ways.push(magnitude(near, max.as_ref()));
    }
    choice(ways)
}

/// Any number that a float holds.
fn free(is_small: bool) -> GrammarPart {
    let sign = || optional(text("-"));
    let most = if is_small { 37 } else { 307 };
    let exponent = choice([
        row([text("-"), whole(0, Some(most))]),
        row([optional(text("+")), whole(0, Some(most))]),
    ]);
    let short = row([
        sign(),
        any_digit(),
        fraction(),
        GrammarPart::Set(vec![('E', 'E'), ('e', 'e')]),
        exponent,
    ]);
    let long = choice([
        text("0"),
        row([
            digit('1', '9'),
            times(any_digit(), 0, if is_small { 37 } else { 300 }),
        ]),
    ]);
    choice([row([sign(), long, fraction()]), short])
}

/// A point and digits, or nothing.
fn fraction() -> GrammarPart {
    optional(row([text("."), times(any_digit(), 1, FRACTION)]))
}

/// A bound in digits.
struct DecimalBound {
    negative: bool,
    whole: u128,
    fraction: String,
    exclusive: bool,
}

impl DecimalBound {
    fn of(bound: &Bound) -> Option<Self> {
        let value = bound.at.value;
        let shown = format!("{}", value.abs());
        let (whole, fraction) = shown.split_once('.').unwrap_or((&shown, ""));
        Some(Self {
            negative: value < 0.0,
            whole: whole.parse().ok()?,
            fraction: fraction.to_owned(),
            exclusive: bound.exclusive,
        })
    }
}

/// The numbers without a sign between two bounds, or from one on.
fn magnitude(low: &DecimalBound, high: Option<&DecimalBound>) -> GrammarPart {
    let with = |whole: u128, fraction: GrammarPart| row([text(&whole.to_string()), fraction]);
    let mut ways = Vec::new();
    match high {
        Some(high) if high.whole == low.whole => {
            ways.extend(fraction_between(low, high).map(|part| with(low.whole, part)));
        }
        _ => {
            ways.extend(
                above(&low.fraction, low.exclusive, true).map(|part| with(low.whole, part)),
            );
            let top = high.map(|high| high.whole);
            let from = low.whole + 1;
            match top {
                Some(top) if from < top => {
                    ways.push(row([whole(from, Some(top - 1)), fraction()]));
                }
                None => ways.push(row([whole(from, None), fraction()])),
                Some(_) => {}
            }
            if let Some(high) = high {
                ways.extend(
                    below(&high.fraction, high.exclusive, true).map(|part| with(high.whole, part)),
                );
            }
        }
    }
    choice(ways)
}

/// Some digits behind a point, the point too at the start.
fn digits_after(start: bool, parts: Vec<GrammarPart>) -> GrammarPart {
    let mut all = if start { vec![text(".")] } else { Vec::new() };
    all.extend(parts);
    GrammarPart::Sequence(all)
}

fn more() -> GrammarPart {
    times(any_digit(), 0, FRACTION)
}

/// The fractions that are at least one of these digits, or above it.
fn above(digits: &str, exclusive: bool, start: bool) -> Option<GrammarPart> {
    let mut ways = Vec::new();
    match digits.chars().next() {
        None if exclusive => {
            let part = vec![times(text("0"), 0, FRACTION), digit('1', '9'), more()];
            ways.push(digits_after(start, part));
        }
        None if start => ways.push(fraction()),
        None => ways.push(more()),
        Some(first) => {
            if first < '9' {
                ways.push(digits_after(start, vec![digit(next(first), '9'), more()]));
            }
            if let Some(rest) = above(&digits[1..], exclusive, false) {
                ways.push(digits_after(start, vec![text(&first.to_string()), rest]));
            }
        }
    }
    (!ways.is_empty()).then(|| choice(ways))
}

/// The fractions that are at most one of these digits, or below it.
fn below(digits: &str, exclusive: bool, start: bool) -> Option<GrammarPart> {
    let mut ways = Vec::new();
    match digits.chars().next() {
        None if exclusive => {}
        None if start => ways.push(optional(digits_after(
            true,
            vec![times(text("0"), 1, FRACTION)],
        ))),
        None => ways.push(times(text("0"), 0, FRACTION)),
        Some(first) => {
            // No digits at all are zero.
            ways.push(text(""));
            if first > '0' {
                ways.push(digits_after(start, vec![digit('0', before(first)), more()]));
            }
            if let Some(rest) = below(&digits[1..], exclusive, false) {
                ways.push(digits_after(start, vec![text(&first.to_string()), rest]));
            }
        }
    }
    (!ways.is_empty()).then(|| choice(ways))
}

/// The fractions between two of the same whole number.
fn fraction_between(low: &DecimalBound, high: &DecimalBound) -> Option<GrammarPart> {
    let width = low.fraction.len().max(high.fraction.len());
    let (a, b) = (
        format!("{:0<width$}", low.fraction),
        format!("{:0<width$}", high.fraction),
    );
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let zeros = |count: usize| row([text(&a[..count]), times(text("0"), 0, FRACTION)]);
    if same == width {
        let point = |part: GrammarPart| row([text("."), part]);
        return (!low.exclusive && !high.exclusive).then(|| {
            if width == 0 {
                optional(point(times(text("0"), 1, FRACTION)))
            } else {
                point(zeros(width))
            }
        });
    }
    let (prefix, rest) = a.split_at(same);
    let other = &b[same..];
    let (first, last) = (rest.chars().next()?, other.chars().next()?);
    let mut ways = Vec::new();
    let after = |part: Vec<GrammarPart>| {
        let mut all = vec![text("."), text(prefix)];
        all.extend(part);
        GrammarPart::Sequence(all)
    };
    let is_zero = a.bytes().all(|digit| digit == b'0');
    if is_zero && !low.exclusive {
        ways.push(text(""));
    }
    if let Some(part) = above(&rest[1..], low.exclusive, false) {
        ways.push(after(vec![text(&first.to_string()), part]));
    }
    if next(first) < last {
        ways.push(after(vec![digit(next(first), before(last)), more()]));
    }
    if let Some(part) = below(&other[1..], high.exclusive, false) {
        ways.push(after(vec![text(&last.to_string()), part]));
    }
    (!ways.is_empty()).then(|| choice(ways))
}
