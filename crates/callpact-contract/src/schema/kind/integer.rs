//! Whole numbers.

use super::number::{Bound, Number, NumberRule};
use crate::{
    json::EXACT,
    schema::{
        Held, Literal,
        fault::ValueFault,
        json::{JsonValue, whole},
        phrases::put_one_of,
    },
    text::whole as put_whole,
};

/// Rules of a whole number.
#[derive(Clone, Debug)]
pub struct Integer {
    /// Smallest value.
    pub min: Option<i128>,
    /// Largest value.
    pub max: Option<i128>,
    /// The value is a multiple of this.
    pub multiple_of: Option<i128>,
    /// Zero is excluded.
    pub nonzero: bool,
    /// If not empty, the only values.
    pub choices: Held<[i128]>,
}

impl Integer {
    /// The range in which whole numbers are read and written.
    pub(crate) const READ: (i128, i128) = (i64::MIN as i128, u64::MAX as i128);

    /// No rule at all.
    // Written out, so that a constant can take its other rules from it.
    pub const ANY: Self = Self {
        min: None,
        max: None,
        multiple_of: None,
        nonzero: false,
        choices: Held::Static(&[]),
    };

    /// A range, including its ends.
    #[must_use]
    pub const fn between(min: i128, max: i128) -> Self {
        Self::ranged(Some(min), Some(max), false)
    }

    /// A range, including its ends, with or without zero.
    pub(crate) const fn ranged(min: Option<i128>, max: Option<i128>, nonzero: bool) -> Self {
        Self {
            min,
            max,
            multiple_of: None,
            nonzero,
            choices: Held::Static(&[]),
        }
    }

    /// Whether a number follows all rules.
    #[inline]
    pub(crate) fn takes(&self, value: i128) -> bool {
        self.is_in_range(value)
            && self
                .multiple_of
                .is_none_or(|step| step != 0 && value % step == 0)
            && (self.choices.is_empty() || self.choices.contains(&value))
    }

    /// Whether no number follows all rules.
    pub(in crate::schema) fn takes_nothing(&self) -> bool {
        let (Some(min), Some(max)) = (self.min, self.max) else {
            return false;
        };
        let step = self.multiple_of.filter(|step| *step > 0).unwrap_or(1);
        let past = min.rem_euclid(step);
        let first = if past == 0 {
            Some(min)
        } else {
            min.checked_add(step - past)
        };
        first.is_none_or(|first| first > max)
    }

    const fn is_in_range(&self, value: i128) -> bool {
        let low = matches!(self.min, Some(min) if value < min);
        let high = matches!(self.max, Some(max) if value > max);
        !(low || high || self.nonzero && value == 0)
    }

    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            choices: self.choices.fixed(),
            ..*self
        }
    }

    /// These rules and one more.
    pub(in crate::schema) const fn with(&self, rule: NumberRule) -> Self {
        let Self {
            mut min,
            mut max,
            mut multiple_of,
            ..
        } = *self;
        if let Literal::Integer(value) = rule.value() {
            match rule {
                NumberRule::Min(_) => min = Some(larger(min, *value)),
                NumberRule::ExclusiveMin(_) => min = Some(larger(min, *value + 1)),
                NumberRule::Max(_) => max = Some(smaller(max, *value)),
                NumberRule::ExclusiveMax(_) => max = Some(smaller(max, *value - 1)),
                NumberRule::MultipleOf(_) => multiple_of = Some(*value),
            }
        }
        Self {
            min,
            max,
            multiple_of,
            choices: self.choices.fixed(),
            ..*self
        }
    }

    /// The numbers that follow both rules; `None` if the result cannot be expressed.
    pub(in crate::schema) fn and(&self, other: &Self) -> Option<Self> {
        let listed = [self, other]
            .into_iter()
            .find(|one| !one.choices.is_empty());
        if let Some(listed) = listed {
            let both = |value: &i128| self.takes(*value) && other.takes(*value);
            let choices: Vec<i128> = listed.choices.iter().copied().filter(both).collect();
            if choices.is_empty() {
                return Some(Self::between(1, 0));
            }
            return Some(Self {
                choices: choices.into(),
                ..Self::ANY
            });
        }
        let multiple_of = match (self.multiple_of, other.multiple_of) {
            (Some(one), Some(another)) if one != another => return None,
            (one, another) => one.or(another),
        };
        Some(Self {
            min: self.min.into_iter().chain(other.min).max(),
            max: self.max.into_iter().chain(other.max).min(),
            multiple_of,
            nonzero: self.nonzero || other.nonzero,
            choices: Held::Static(&[]),
        })
    }

    /// The whole numbers among these; `None` if the result cannot be expressed.
    pub(in crate::schema) fn among(rules: &Number) -> Option<Self> {
        let whole = |value: f64| {
            #[allow(clippy::cast_possible_truncation)] // in range
            (value.abs() <= EXACT).then_some(value as i128)
        };
        let end = |bound: &Bound, towards: fn(f64) -> f64, next: i128| {
            let at = whole(towards(bound.at.value))?;
            let is_end = bound.exclusive && bound.at.value.fract() == 0.0;
            Some(at + if is_end { next } else { 0 })
        };
        let mut all = Self::ANY;
        if let Some(bound) = &rules.min {
            all.min = Some(end(bound, f64::ceil, 1)?);
        }
        if let Some(bound) = &rules.max {
            all.max = Some(end(bound, f64::floor, -1)?);
        }
        if let Some(step) = &rules.multiple_of {
            let is_whole = step.value.fract() == 0.0 && step.value > 0.0;
            all.multiple_of = Some(whole(step.value).filter(|_| is_whole)?);
        }
        Some(all)
    }

    /// Whether the range has zero inside and excludes it.
    pub(crate) const fn splits(&self) -> bool {
        let below = match self.min {
            Some(min) => min < 0,
            None => true,
        };
        let above = match self.max {
            Some(max) => max > 0,
            None => true,
        };
        self.nonzero && below && above && self.choices.part().is_empty()
    }

    /// Two ranges around zero as one.
    pub(in crate::schema) fn around_zero(below: &Self, above: &Self) -> Option<Self> {
        let meet = below.max == Some(-1) && above.min == Some(1);
        let alike = below.multiple_of == above.multiple_of;
        (meet && alike && below.choices.is_empty() && above.choices.is_empty()).then(|| Self {
            multiple_of: below.multiple_of,
            ..Self::ranged(below.min, above.max, true)
        })
    }

    /// These rules with the only values.
    pub(in crate::schema) const fn one_of(&self, choices: &'static [i128]) -> Self {
        Self {
            choices: Held::Static(choices),
            ..*self
        }
    }

    /// Why the type does not take a rule; empty if it does.
    pub(in crate::schema) const fn refuse(&self, rule: NumberRule) -> &'static str {
        let Literal::Integer(value) = *rule.value() else {
            return match rule {
                NumberRule::MultipleOf(_) => "`multiple_of` of an integer is a whole number",
                _ => "the bound of an integer is a whole number",
            };
        };
        if !is_read(value) {
            return "a whole number is read in the range of 64 bits: the bound lies outside of it";
        }
        let leaves_nothing = match rule {
            NumberRule::MultipleOf(_) if self.multiple_of.is_some() => {
                return "the type has a `multiple_of` of its own";
            }
            NumberRule::MultipleOf(_) => return "",
            NumberRule::ExclusiveMin(_) => matches!(self.max, Some(max) if value == max),
            NumberRule::ExclusiveMax(_) => matches!(self.min, Some(min) if value == min),
            NumberRule::Min(_) | NumberRule::Max(_) => false,
        };
        let low = matches!(self.min, Some(min) if value < min);
        let high = matches!(self.max, Some(max) if value > max);
        if low || high {
            "the bound lies outside the range of the type"
        } else if leaves_nothing {
            "the bound leaves no value of the type"
        } else {
            ""
        }
    }

    /// Why the type does not take a list of values; empty if it does.
    pub(in crate::schema) const fn refuse_one_of(&self, values: &[i128]) -> &'static str {
        let mut i = 0;
        while i < values.len() {
            if !self.is_in_range(values[i]) || !is_read(values[i]) {
                return "`one_of` names a value outside the range of the type";
            }
            i += 1;
        }
        ""
    }

    /// The first rule that a literal breaks.
    pub(in crate::schema) const fn fault(&self, value: i128) -> ValueFault {
        let mut is_choice = self.choices.part().is_empty();
        let mut i = 0;
        while i < self.choices.part().len() {
            is_choice = is_choice || self.choices.part()[i] == value;
            i += 1;
        }
        if !is_choice {
            return ValueFault::Choice;
        }
        if !self.is_in_range(value) {
            return ValueFault::Range;
        }
        match self.multiple_of {
            Some(step) if step != 0 && value % step != 0 => ValueFault::Step,
            _ => ValueFault::None,
        }
    }

    pub(in crate::schema) fn describe(&self, words: &mut String) {
        if !self.choices.is_empty() {
            return put_one_of(
                self.choices.iter(),
                |value, words| put_whole(*value, words),
                words,
            );
        }
        words.push_str("an integer");
        // If zero is excluded, an end at zero moves past it.
        let beyond = |end: Option<i128>, step| {
            end.map(|end| if self.nonzero && end == 0 { step } else { end })
        };
        let (min, max) = (beyond(self.min, 1), beyond(self.max, -1));
        let (first, second) = match (self.min, self.max) {
            (Some(_), Some(_)) => (" from ", " to "),
            _ => (" of at least ", " of at most "),
        };
        for (word, end) in [(first, min), (second, max)] {
            put_rule(word, end, words);
        }
        if self.splits() {
            words.push_str(", not zero");
        }
        put_rule(", a multiple of ", self.multiple_of, words);
    }

    /// Describes the rules in as few words as carry them.
    pub(in crate::schema) fn describe_densely(&self, words: &mut String) {
        if !self.choices.is_empty() {
            return self.describe(words);
        }
        words.push_str("integer");
        let (low, high) = match (self.min, self.max) {
            (Some(_), Some(_)) => (" ", ".."),
            _ => (" >= ", " <= "),
        };
        put_rule(low, self.min, words);
        put_rule(high, self.max, words);
        if self.nonzero {
            words.push_str(", not zero");
        }
        put_rule(", a multiple of ", self.multiple_of, words);
    }

    /// The rules of a foreign schema, and whether they express all of it.
    pub(in crate::schema) fn from_json(raw: &JsonValue) -> (Self, bool) {
        let mut is_whole = true;
        let mut end = |key: &str| {
            let end = raw.get(key).and_then(whole_around);
            is_whole &= end.is_some() || raw.get(key).is_none();
            end
        };
        let low = end("minimum").map(|(_, ceil)| ceil);
        let high = end("maximum").map(|(floor, _)| floor);
        let above = end("exclusiveMinimum").and_then(|(floor, _)| floor.checked_add(1));
        let below = end("exclusiveMaximum").and_then(|(_, ceil)| ceil.checked_sub(1));
        let multiple_of = raw.get("multipleOf").and_then(|step| match step {
            JsonValue::Number(step) => whole(step).filter(|step| *step > 0),
            _ => None,
        });
        is_whole &= multiple_of.is_some() || raw.get("multipleOf").is_none();
        let rules = Self {
            multiple_of,
            ..Self::ranged(
                low.into_iter().chain(above).max(),
                high.into_iter().chain(below).min(),
                false,
            )
        };
        (rules, is_whole)
    }
}

/// Writes a rule that is there: its words and its number.
fn put_rule(rule: &str, value: Option<i128>, words: &mut String) {
    if let Some(value) = value {
        words.push_str(rule);
        put_whole(value, words);
    }
}

/// The whole numbers at or around a number: the largest below, and the smallest above.
fn whole_around(value: &JsonValue) -> Option<(i128, i128)> {
    let JsonValue::Number(number) = value else {
        return None;
    };
    if let Some(whole) = whole(number) {
        return Some((whole, whole));
    }
    let float = number.as_f64()?;
    #[allow(clippy::cast_possible_truncation)] // a bound beyond all integers is no bound
    let at = |float: f64| (float.abs() < 1e30).then_some(float as i128);
    Some((at(float.floor())?, at(float.ceil())?))
}

/// Whether any text or value of JSON can have this number: beyond 64 bits its digits are lost.
const fn is_read(value: i128) -> bool {
    let (min, max) = Integer::READ;
    value >= min && value <= max
}

const fn larger(own: Option<i128>, said: i128) -> i128 {
    match own {
        Some(own) if own > said => own,
        _ => said,
    }
}

const fn smaller(own: Option<i128>, said: i128) -> i128 {
    match own {
        Some(own) if own < said => own,
        _ => said,
    }
}
