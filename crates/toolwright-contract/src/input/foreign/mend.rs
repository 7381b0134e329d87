//! The conversions of the lax policy: towards the declared type, where nothing is lost.

use serde_json::{Map, Number, Value};

use super::{
    check::{Check, equal},
    place::Place,
};
use crate::{
    read::at::State,
    report::{Fix, FixKind},
    schema::foreign::{is_of, positions, types},
    text::NOT_SHOWN,
    types::{EXACT, json_number, whole_number},
};

impl<'s> Check<'s> {
    /// The value as the schema wants it; what cannot be converted stays and is reported later.
    pub(super) fn mend(&mut self, schema: &'s Value, value: Value, at: &Place<'_>) -> Value {
        let Value::Object(map) = schema else {
            return value;
        };
        let mut value = Some(value);
        let mended = self.enter(|check| {
            let value = value.take().unwrap_or_default();
            check.mend_node(map, value, at)
        });
        mended.or(value).unwrap_or_default()
    }

    fn mend_node(&mut self, map: &'s Map<String, Value>, value: Value, at: &Place<'_>) -> Value {
        let mut value = match value {
            Value::Object(entries) => self.mend_entries(map, entries, at),
            Value::Array(items) => self.mend_items(map, items, at),
            value => self.mend_scalar(map, value, at),
        };
        if let Some(Value::String(reference)) = map.get("$ref")
            && let Some(target) = self.root.resolve(reference)
        {
            value = self.mend(target, value, at);
        }
        if let Some(Value::Array(members)) = map.get("allOf") {
            for member in members {
                value = self.mend(member, value, at);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(members)) = map.get(keyword) {
                value = self.mend_form(members, value, at);
            }
        }
        value
    }

    /// Along the form that fits; with conversions, where exactly one does.
    fn mend_form(&mut self, members: &'s [Value], value: Value, at: &Place<'_>) -> Value {
        for member in members {
            if self.fits(member, &value, at) {
                return self.mend(member, value, at);
            }
        }
        if !self.state.policy.converts() {
            return value;
        }
        let mut only: Option<(Value, State)> = None;
        for member in members {
            let policy = self.state.policy;
            let (mended, state) = self.aside(policy, |check| check.mend(member, value.clone(), at));
            if !self.fits(member, &mended, at) {
                continue;
            }
            match &only {
                // More than one would do: to choose would be a guess.
                Some((other, _)) if !equal(other, &mended) => return value,
                Some(_) => {}
                None => only = Some((mended, state)),
            }
        }
        match only {
            Some((mended, state)) => {
                // Issues too: a conversion that the host does not want is refused here as anywhere.
                self.state.take(state);
                mended
            }
            None => value,
        }
    }

    fn mend_entries(
        &mut self,
        map: &'s Map<String, Value>,
        entries: Map<String, Value>,
        at: &Place<'_>,
    ) -> Value {
        let properties = map.get("properties").and_then(Value::as_object);
        let required = map.get("required").and_then(Value::as_array);
        let patterns = map.contains_key("patternProperties");
        let rest = map.get("additionalProperties").filter(|_| !patterns);
        let mut out = Map::new();
        for (key, value) in entries {
            let here = at.key(&key);
            let known = properties.and_then(|properties| properties.get(&key));
            let Some(schema) = known else {
                let value = match rest {
                    Some(schema) => self.mend(schema, value, &here),
                    None => value,
                };
                out.insert(key, value);
                continue;
            };
            let optional =
                required.is_none_or(|names| !names.iter().any(|name| name == key.as_str()));
            if optional
                && self.state.policy.converts()
                && let Some(kind) = self.stands_for_absent(schema, &value, &here)
            {
                self.fixed(&here, kind, &value, "absent");
                continue;
            }
            let value = self.mend(schema, value, &here);
            out.insert(key, value);
        }
        Value::Object(out)
    }

    fn stands_for_absent(
        &mut self,
        schema: &'s Value,
        value: &Value,
        at: &Place<'_>,
    ) -> Option<FixKind> {
        match value {
            Value::Null if !self.fits(schema, value, at) => Some(FixKind::NullAsAbsent),
            Value::String(text) if text.is_empty() => {
                if self.keep_empty && self.fits(schema, value, at) {
                    return None;
                }
                let target = self.target(schema);
                let listed = target.get("enum").and_then(Value::as_array);
                let meant = listed.is_some_and(|values| values.contains(value))
                    || target.get("const") == Some(value);
                (!meant).then_some(FixKind::EmptyAsAbsent)
            }
            _ => None,
        }
    }

    fn mend_items(
        &mut self,
        map: &'s Map<String, Value>,
        items: Vec<Value>,
        at: &Place<'_>,
    ) -> Value {
        let (firsts, rest) = positions(map);
        let mut out = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let schema = firsts.get(index).or(rest);
            out.push(match schema {
                Some(schema) => self.mend(schema, item, &at.index(index)),
                None => item,
            });
        }
        Value::Array(out)
    }

    fn mend_scalar(&mut self, map: &Map<String, Value>, value: Value, at: &Place<'_>) -> Value {
        let names = types(map);
        if names.is_empty() {
            return value;
        }
        if let Value::Number(number) = &value
            && names.contains(&"integer")
            && !names.contains(&"number")
            && number.is_f64()
            && let Some(whole) = number.as_f64().and_then(whole_float)
        {
            if self.state.policy.converts() {
                let from = Value::String(value.to_string());
                self.fixed(at, FixKind::IntegerFromNumber, &from, &whole.to_string());
            }
            return whole.into();
        }
        let Value::String(text) = &value else {
            return value;
        };
        if !self.state.policy.converts() || names.iter().any(|name| is_of(&value, name)) {
            return value;
        }
        let mended = if let Some(number) = number_of(text, &names) {
            Some((Value::Number(number), FixKind::NumberFromText))
        } else if names.contains(&"boolean") {
            match text.as_str() {
                "true" | "True" | "TRUE" => Some((Value::Bool(true), FixKind::BooleanFromText)),
                "false" | "False" | "FALSE" => Some((Value::Bool(false), FixKind::BooleanFromText)),
                _ => None,
            }
        } else {
            None
        };
        match mended {
            Some((mended, kind)) => {
                self.fixed(at, kind, &value, &mended.to_string());
                mended
            }
            None => value,
        }
    }

    fn fixed(&mut self, at: &Place<'_>, kind: FixKind, from: &Value, to: &str) {
        let absent = kind == FixKind::NullAsAbsent || kind == FixKind::EmptyAsAbsent;
        let fix = Fix {
            path: at.path(),
            kind,
            from: self.found(from, at),
            to: if !absent && self.hides(at) {
                NOT_SHOWN
            } else {
                to
            }
            .to_owned(),
        };
        self.state.fix(fix);
    }
}

/// A whole number whose digits a float still holds.
fn whole_float(float: f64) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation)] // whole and in range
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}

/// The number that a text is, for these types.
fn number_of(text: &str, names: &[&str]) -> Option<Number> {
    if !names.contains(&"integer") && !names.contains(&"number") {
        return None;
    }
    if let Some(whole) = whole_number(text) {
        let number = i64::try_from(whole).map(Number::from);
        return number
            .or_else(|_| u64::try_from(whole).map(Number::from))
            .ok();
    }
    if !names.contains(&"number") {
        return None;
    }
    // Digits that only a longer number could hold would be lost.
    let digits = text.trim_start_matches('-');
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    json_number(text).and_then(Number::from_f64)
}
