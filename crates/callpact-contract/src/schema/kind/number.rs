//! Numbers with a fraction.

use std::fmt::Write;

use crate::{
    json::{is_multiple, is_whole_multiple, whole_order},
    schema::{
        Decimal, Literal,
        fault::ValueFault,
        json::{JsonValue, decimal},
    },
};

/// One end of a range of numbers.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Where the range ends.
    pub at: Decimal,
    /// Whether the end itself is excluded.
    pub exclusive: bool,
}

/// Rules of a number.
#[derive(Clone, Debug)]
pub struct Number {
    /// Lower end.
    pub min: Option<Bound>,
    /// Upper end.
    pub max: Option<Bound>,
    /// The value is a multiple of this.
    pub multiple_of: Option<Decimal>,
}

/// A rule that a field adds to a number; built by generated code.
#[allow(missing_docs)] // named after the settings of the attribute
#[derive(Clone, Copy, Debug)]
pub enum NumberRule {
    Min(&'static Literal),
    Max(&'static Literal),
    ExclusiveMin(&'static Literal),
    ExclusiveMax(&'static Literal),
    MultipleOf(&'static Literal),
}

impl NumberRule {
    pub(super) const fn value(self) -> &'static Literal {
        match self {
            Self::Min(value)
            | Self::Max(value)
            | Self::ExclusiveMin(value)
            | Self::ExclusiveMax(value)
            | Self::MultipleOf(value) => value,
        }
    }
}

impl Bound {
    const fn fixed(&self) -> Self {
        Self {
            at: self.at.fixed(),
            exclusive: self.exclusive,
        }
    }
}

/// The end that allows fewer values.
fn closer(
    one: Option<&Bound>,
    another: Option<&Bound>,
    is_beyond: fn(&f64, &f64) -> bool,
) -> Option<Bound> {
    let (Some(a), Some(b)) = (one, another) else {
        return one.or(another).cloned();
    };
    let is_first =
        is_beyond(&a.at.value, &b.at.value) || !is_beyond(&b.at.value, &a.at.value) && a.exclusive;
    Some(if is_first { a } else { b }.clone())
}

impl Number {
    /// No rule at all.
    pub const ANY: Self = Self {
        min: None,
        max: None,
        multiple_of: None,
    };

    /// The numbers that follow both rules; `None` if the result cannot be expressed.
    pub(in crate::schema) fn and(&self, other: &Self) -> Option<Self> {
        let multiple_of = match (&self.multiple_of, &other.multiple_of) {
            (Some(one), Some(another)) if one != another => return None,
            (one, another) => one.as_ref().or(another.as_ref()).cloned(),
        };
        Some(Self {
            min: closer(self.min.as_ref(), other.min.as_ref(), f64::gt),
            max: closer(self.max.as_ref(), other.max.as_ref(), f64::lt),
            multiple_of,
        })
    }

    /// Whether no number follows all rules.
    pub(in crate::schema) fn takes_nothing(&self) -> bool {
        let (Some(min), Some(max)) = (&self.min, &self.max) else {
            return false;
        };
        let (least, most) = (min.at.value, max.at.value);
        least > most || (min.exclusive || max.exclusive) && least >= most
    }

    /// Whether every number is a value.
    #[inline]
    pub(crate) fn takes_any(&self) -> bool {
        self.min.is_none() && self.max.is_none() && self.multiple_of.is_none()
    }

    /// Whether a number follows all rules.
    #[inline]
    pub(crate) fn takes(&self, value: f64) -> bool {
        !self.is_below(value)
            && !self.is_above(value)
            && self
                .multiple_of
                .as_ref()
                .is_none_or(|step| is_multiple(value, step.value))
    }

    /// Whether a whole number follows all rules. A float may not hold its digits.
    #[inline]
    pub(crate) fn takes_whole(&self, value: i128) -> bool {
        let free = self.min.is_none() && self.max.is_none() && self.multiple_of.is_none();
        free || self.whole_is_between(value)
    }

    #[inline(never)]
    fn whole_is_between(&self, value: i128) -> bool {
        let side = |bound: &Bound| whole_order(value, bound.at.value);
        let above =
            |bound: &Bound| side(bound).is_gt() || (!bound.exclusive && side(bound).is_eq());
        let below =
            |bound: &Bound| side(bound).is_lt() || (!bound.exclusive && side(bound).is_eq());
        self.min.as_ref().is_none_or(above)
            && self.max.as_ref().is_none_or(below)
            && self
                .multiple_of
                .as_ref()
                .is_none_or(|step| is_whole_multiple(value, step.value))
    }

    #[inline]
    const fn is_below(&self, value: f64) -> bool {
        match &self.min {
            Some(bound) if bound.exclusive => value <= bound.at.value,
            Some(bound) => value < bound.at.value,
            None => false,
        }
    }

    #[inline]
    const fn is_above(&self, value: f64) -> bool {
        match &self.max {
            Some(bound) if bound.exclusive => value >= bound.at.value,
            Some(bound) => value > bound.at.value,
            None => false,
        }
    }

    pub(in crate::schema) const fn fixed(&self) -> Self {
        Self {
            min: tighter(self.min.as_ref(), None, true),
            max: tighter(self.max.as_ref(), None, false),
            multiple_of: match &self.multiple_of {
                Some(step) => Some(step.fixed()),
                None => None,
            },
        }
    }

    /// These rules and one more.
    pub(in crate::schema) const fn with(&self, rule: NumberRule) -> Self {
        let (min, max, step) = match rule {
            NumberRule::Min(at) => (Some((at, false)), None, None),
            NumberRule::ExclusiveMin(at) => (Some((at, true)), None, None),
            NumberRule::Max(at) => (None, Some((at, false)), None),
            NumberRule::ExclusiveMax(at) => (None, Some((at, true)), None),
            NumberRule::MultipleOf(at) => (None, None, at.decimal()),
        };
        Self {
            min: tighter(self.min.as_ref(), min, true),
            max: tighter(self.max.as_ref(), max, false),
            multiple_of: match (step, &self.multiple_of) {
                (Some((text, value)), _) => Some(Decimal {
                    text: text.fixed(),
                    value,
                }),
                (None, Some(own)) => Some(own.fixed()),
                (None, None) => None,
            },
        }
    }

    /// Why the type does not take a rule; empty if it does.
    pub(in crate::schema) const fn refuse(&self, rule: NumberRule) -> &'static str {
        match rule {
            NumberRule::MultipleOf(_) if self.multiple_of.is_some() => {
                "the type has a `multiple_of` of its own"
            }
            _ => "",
        }
    }

    /// The first rule that a literal breaks.
    pub(in crate::schema) const fn fault(&self, value: f64) -> ValueFault {
        if self.is_below(value) || self.is_above(value) {
            return ValueFault::Range;
        }
        if let Some(step) = &self.multiple_of {
            // The reader divides decimals; this is precise enough for a literal.
            let times = value / step.value;
            #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
            let rest = (times - (times as i128) as f64).abs();
            if rest > 1e-9 && rest < 1.0 - 1e-9 {
                return ValueFault::Step;
            }
        }
        ValueFault::None
    }

    pub(in crate::schema) fn describe(&self, words: &mut String) {
        let mut put = |more: std::fmt::Arguments<'_>| {
            // Writing to a String does not fail.
            let _ = words.write_fmt(more);
        };
        put(format_args!("a number"));
        let mut join = " ";
        let ends = [
            (&self.min, "above", "of at least"),
            (&self.max, "below", "of at most"),
        ];
        for (bound, exclusive, inclusive) in ends {
            if let Some(bound) = bound {
                let word = if bound.exclusive {
                    exclusive
                } else {
                    inclusive
                };
                put(format_args!("{join}{word} {}", bound.at.value));
                join = " and ";
            }
        }
        if let Some(step) = &self.multiple_of {
            put(format_args!(", a multiple of {}", step.value));
        }
    }

    /// Describes the rules in as few words as carry them.
    pub(in crate::schema) fn describe_densely(&self, words: &mut String) {
        let mut put = |more: std::fmt::Arguments<'_>| {
            // Writing to a String does not fail.
            let _ = words.write_fmt(more);
        };
        put(format_args!("number"));
        match (&self.min, &self.max) {
            (Some(min), Some(max)) if !min.exclusive && !max.exclusive => {
                put(format_args!(" {}..{}", min.at.value, max.at.value));
            }
            (min, max) => {
                for (bound, sign) in [(min, ">"), (max, "<")] {
                    if let Some(bound) = bound {
                        let equal = if bound.exclusive { "" } else { "=" };
                        put(format_args!(" {sign}{equal} {}", bound.at.value));
                    }
                }
            }
        }
        if let Some(step) = &self.multiple_of {
            put(format_args!(", a multiple of {}", step.value));
        }
    }

    /// The rules of a foreign schema, and whether they express all of it.
    pub(in crate::schema) fn from_json(raw: &JsonValue) -> (Self, bool) {
        let mut is_whole = true;
        let mut exact = |key: &str| match raw.get(key) {
            Some(JsonValue::Number(number)) => {
                let fits = fits_float(number);
                is_whole &= fits;
                decimal(number).filter(|_| fits)
            }
            _ => None,
        };
        let mut end = |key: &str, exclusive: bool| exact(key).map(|at| Bound { at, exclusive });
        // If an end of a range is given twice and both are equal, the exclusive one stays.
        let min = match (end("minimum", false), end("exclusiveMinimum", true)) {
            (Some(a), Some(b)) if a.at.value > b.at.value => Some(a),
            (a, b) => b.or(a),
        };
        let max = match (end("maximum", false), end("exclusiveMaximum", true)) {
            (Some(a), Some(b)) if a.at.value < b.at.value => Some(a),
            (a, b) => b.or(a),
        };
        let multiple_of = exact("multipleOf").filter(|step| step.value > 0.0);
        let rules = Self {
            min,
            max,
            multiple_of,
        };
        (rules, is_whole)
    }
}

/// Whether a float holds all digits of a whole number.
fn fits_float(number: &serde_json::Number) -> bool {
    number.as_f64().is_some_and(f64::is_finite)
        && number
            .as_i128()
            .is_none_or(|whole| whole_order(whole, number.as_f64().unwrap_or_default()).is_eq())
}

/// The tighter of two ends. If they are equal, the exclusive one is tighter.
const fn tighter(
    own: Option<&Bound>,
    said: Option<(&Literal, bool)>,
    lower: bool,
) -> Option<Bound> {
    if let Some((said, exclusive)) = said
        && let Some((text, value)) = said.decimal()
        && !stays(own, value, lower)
    {
        return Some(Bound {
            at: Decimal {
                text: text.fixed(),
                value,
            },
            exclusive,
        });
    }
    match own {
        Some(own) => Some(own.fixed()),
        None => None,
    }
}

/// Whether an end is at least as tight as a new one at a value.
const fn stays(own: Option<&Bound>, value: f64, lower: bool) -> bool {
    let Some(own) = own else {
        return false;
    };
    let (inner, outer) = if lower {
        (own.at.value, value)
    } else {
        (value, own.at.value)
    };
    inner > outer || own.exclusive && inner >= outer
}
