//! The rules of numbers, strings, arrays, and the counts of objects.

use std::{cmp::Ordering, collections::HashSet};

use serde_json::{Map, Number, Value};

use super::{check::Check, place::Place};
use crate::{
    read::{
        any::{canonical, whole},
        list::count_words,
    },
    report::IssueKind,
    schema::{
        Decimal, Held,
        foreign::{count, expected_by, positions},
    },
    types::{is_multiple, is_whole_multiple, whole_order},
};

impl<'s> Check<'s> {
    pub(super) fn number(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        number: &Number,
        at: &Place<'_>,
    ) -> bool {
        let end = |key, fits: fn(Ordering) -> bool| match map.get(key) {
            // What no float holds is in no range.
            Some(Value::Number(end)) => compare(number, end).is_some_and(fits),
            _ => true,
        };
        let fits = end("minimum", Ordering::is_ge)
            && end("maximum", Ordering::is_le)
            && end("exclusiveMinimum", Ordering::is_gt)
            && end("exclusiveMaximum", Ordering::is_lt)
            && match map.get("multipleOf") {
                Some(Value::Number(step)) => multiple(number, step),
                _ => true,
            };
        if !fits {
            let value = Value::Number(number.clone());
            self.fault(at, IssueKind::OutOfRange, schema, &value, None);
        }
        fits
    }

    pub(super) fn text(
        &mut self,
        schema: &Value,
        map: &Map<String, Value>,
        text: &str,
        at: &Place<'_>,
    ) -> bool {
        let end = |key| map.get(key).and_then(count);
        let (min, max) = (end("minLength"), end("maxLength"));
        if min.is_some() || max.is_some() {
            let length = text.chars().count() as u64;
            if !within(length, min, max) {
                // Long texts say their length already, and that of a secret is nobody's business.
                let s = if length == 1 { "" } else { "s" };
                let hint = (length <= 60 && length > 0 && !self.hides(at))
                    .then(|| format!("it has {length} character{s}"));
                let value = Value::String(text.to_owned());
                self.fault(at, IssueKind::Length, schema, &value, hint);
                return false;
            }
        }
        let pattern = map.get("pattern").and_then(Value::as_str);
        if let Some(regex) = pattern.and_then(|pattern| self.root.pattern(pattern))
            && !regex.is_match(text)
        {
            let value = Value::String(text.to_owned());
            self.fault(at, IssueKind::Pattern, schema, &value, None);
            return false;
        }
        true
    }

    pub(super) fn array(
        &mut self,
        schema: &Value,
        map: &'s Map<String, Value>,
        items: &[Value],
        at: &Place<'_>,
    ) -> bool {
        let mut fits = true;
        let (firsts, rest) = positions(map);
        for (index, item) in items.iter().enumerate() {
            let item_schema = match firsts.get(index) {
                Some(schema) => schema,
                None => match rest {
                    Some(Value::Bool(false)) => {
                        let words = format!("at most {}", count_words(firsts.len()));
                        let found = count_words(items.len());
                        self.issue(at, IssueKind::ItemCount, words, found, None);
                        fits = false;
                        break;
                    }
                    Some(schema) => schema,
                    None => break,
                },
            };
            fits &= self.node(item_schema, item, &at.index(index));
        }
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(canonical(item)) {
                    let (words, again) = ("every item once", "the same item again");
                    self.issue(
                        &at.index(index),
                        IssueKind::DuplicateItem,
                        words,
                        again,
                        None,
                    );
                    fits = false;
                }
            }
        }
        let end = |key| map.get(key).and_then(count);
        if !within(items.len() as u64, end("minItems"), end("maxItems")) {
            let words = expected_by(schema, self.root);
            let found = count_words(items.len());
            self.issue(at, IssueKind::ItemCount, words, found, None);
            fits = false;
        }
        self.contains(map, items, at) && fits
    }

    fn contains(&mut self, map: &'s Map<String, Value>, items: &[Value], at: &Place<'_>) -> bool {
        let Some(wanted) = map.get("contains") else {
            return true;
        };
        let mut found = 0;
        for (index, item) in items.iter().enumerate() {
            if self.fits(wanted, item, &at.index(index)) {
                found += 1;
            }
        }
        let min = map.get("minContains").and_then(count).unwrap_or(1);
        let max = map.get("maxContains").and_then(count);
        let fits = within(found, Some(min), max);
        if !fits {
            let most = max.map_or(String::new(), |max| format!(" and at most {max}"));
            let words = format!(
                "at least {min}{most} of the items to be {}",
                expected_by(wanted, self.root)
            );
            self.issue(at, IssueKind::ItemCount, words, found.to_string(), None);
        }
        fits
    }

    pub(super) fn entry_counts(
        &mut self,
        map: &Map<String, Value>,
        entries: &Map<String, Value>,
        at: &Place<'_>,
    ) -> bool {
        let end = |key| map.get(key).and_then(count);
        let (min, max) = (end("minProperties"), end("maxProperties"));
        let fits = within(entries.len() as u64, min, max);
        if !fits {
            let words = match (min, max) {
                (Some(min), Some(max)) => format!("an object of {min} to {max} keys"),
                (Some(min), None) => format!("an object of at least {min} keys"),
                (None, max) => format!("an object of at most {} keys", max.unwrap_or_default()),
            };
            let found = entries.len().to_string();
            self.issue(at, IssueKind::ItemCount, words, found, None);
        }
        fits
    }
}

fn within(number: u64, min: Option<u64>, max: Option<u64>) -> bool {
    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
}

fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => Some(whole_order(a, b.as_f64()?)),
        (None, Some(b)) => Some(whole_order(b, a.as_f64()?).reverse()),
        (None, None) => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (whole(number), whole(step)) {
        return number.checked_rem(step) == Some(0);
    }
    let step = step.as_f64().map(|value| Decimal {
        value,
        text: Held::Static(""),
    });
    match (whole(number), number.as_f64(), step) {
        (Some(number), _, Some(step)) => is_whole_multiple(number, &step),
        (None, Some(number), Some(step)) => is_multiple(number, &step),
        _ => true,
    }
}
