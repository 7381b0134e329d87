//! The documented differences between schema and reader. Each has a name and a test, and is
//! recognised from schema and value alone.

use callpact::{
    __private::is_again,
    Dialect, Schema,
    schema::{Field, Held, IntegerKeys, Kind, Tagging, Union},
};
use serde_json::{Number, Value};

use crate::shapes::Shape;

/// A documented difference between the emitted schema and the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NamedException {
    /// The schema omits the ends of 64-bit integers.
    FarEndOfInteger,
    /// The schema omits the ends of single precision.
    FarEndOfSingle,
    /// A whole number from 2^53 on that is written with a fraction or an exponent, or exceeds 64
    /// bits: its digits are lost in parsing.
    RoundedInteger,
    /// A number beyond 2^53 with `multiple_of`: the reader uses the decimal as written, a validator
    /// the nearest float.
    RoundedMultiple,
    /// Addresses and durations are text whose form only the description states.
    TextForm,
    /// `with` and `validate` run the author's code.
    AuthorRule,
    /// The schema stays open where a type contains itself.
    Recursion,
    /// In `Portable` only words say that keys are integers, and no schema has the ends of 64 bits.
    IntegerKey,
    /// `Portable` has one schema for all items of an array.
    TuplePosition,
    /// In `Portable` a union at the root is one flat object, which says less than its variants.
    FlatRoot,
    /// In that flat object the key of one variant has its form beside every other variant, where it
    /// would be an unknown key.
    FlatRootKey,
    /// An untagged variant would drop a key that another variant declares. The schema allows it;
    /// the reader does not guess.
    OtherForm,
    /// Arguments are an object. The schema of a union says so at the root; the reader would also
    /// accept a bare variant name.
    RootName,
    /// `null` or an empty text instead of the arguments means no arguments.
    NoArguments,
    /// A repeated key; validators see only the last one.
    DuplicateKey,
    /// A number that does not fit a float, such as 1e999.
    Overflow,
    /// More than 127 levels of nesting.
    Depth,
}

use NamedException as Named;

impl NamedException {
    /// Whether this explains that the reader refuses what the schema accepts (`true`), or accepts
    /// what the schema refuses.
    #[must_use]
    pub fn explains(self, schema_accepts: bool) -> bool {
        match self {
            Self::FlatRootKey | Self::RootName | Self::NoArguments => !schema_accepts,
            Self::RoundedMultiple => true,
            _ => schema_accepts,
        }
    }
}

struct Walk<'a> {
    shape: &'a Shape,
    dialect: Dialect,
    /// Whether the shape's schema accepts a value.
    valid: &'a dyn Fn(&Value) -> bool,
    found: Vec<NamedException>,
}

/// The exceptions that a value meets. Numbers are as `serde_json` holds them.
#[must_use]
pub fn exceptions(
    shape: &Shape,
    dialect: Dialect,
    value: &Value,
    valid: &dyn Fn(&Value) -> bool,
) -> Vec<NamedException> {
    let mut walk = Walk {
        shape,
        dialect,
        valid,
        found: Vec::new(),
    };
    let root_union = matches!(shape.schema.kind, Kind::Union(_));
    if root_union && !value.is_object() {
        walk.found.push(Named::RootName);
    }
    if root_union && value.is_object() && dialect == Dialect::Portable {
        walk.found.push(Named::FlatRoot);
        if let Kind::Union(rules) = &shape.schema.kind
            && foreign_key(rules, value)
        {
            walk.found.push(Named::FlatRootKey);
        }
    }
    if value.is_null() && matches!(shape.schema.kind, Kind::Object(_) | Kind::Map(_)) {
        walk.found.push(Named::NoArguments);
    }
    if (shape.refuses)(value) {
        walk.found.push(Named::AuthorRule);
    }
    walk.value(shape.schema, value);
    walk.found.sort_unstable();
    walk.found.dedup();
    walk.found
}

impl Walk<'_> {
    /// Whether a key is refused by a rule that the schema has no keyword for.
    fn is_unsaid(&self, keys: &IntegerKeys, key: &str) -> bool {
        let value = key.parse().ok();
        let value = value.filter(|value: &i128| value.to_string() == key);
        let is_key =
            value.is_some_and(|value| (keys.range.min..=keys.range.max).contains(&Some(value)));
        let has_64_bits = keys.range.max > Some(u32::MAX.into());
        !is_key && (self.dialect == Dialect::Portable || has_64_bits && value.is_some())
    }

    fn value(&mut self, schema: &'static Schema, value: &Value) {
        if is_again(schema) {
            if !(self.valid)(value) {
                self.found.push(Named::Recursion);
            }
            self.value(self.shape.schema, value);
            return;
        }
        match (&schema.kind, value) {
            (Kind::Integer(rules), Value::Number(number)) => {
                if rounded(number) {
                    self.found.push(Named::RoundedInteger);
                } else if rules.max.is_none() && number.is_u64() && !number.is_i64() {
                    self.found.push(Named::FarEndOfInteger);
                }
            }
            (Kind::Number(rules), Value::Number(number)) => {
                if rules.multiple_of.is_some() && rounded(number) {
                    self.found.push(Named::RoundedMultiple);
                }
                if number
                    .as_f64()
                    .is_some_and(|value| value.abs() > f64::from(f32::MAX))
                {
                    self.found.push(Named::FarEndOfSingle);
                }
            }
            (Kind::Text(rules), Value::String(_)) if !rules.form.is_empty() => {
                self.found.push(Named::TextForm);
            }
            (Kind::List(rules), Value::Array(items)) => {
                for item in items {
                    self.value(&rules.items, item);
                }
            }
            (Kind::Tuple(schemas), Value::Array(items)) => {
                if schemas.len() > 1 && self.dialect == Dialect::Portable {
                    self.found.push(Named::TuplePosition);
                }
                for (schema, item) in schemas.iter().zip(items) {
                    self.value(schema, item);
                }
            }
            (Kind::Map(rules), Value::Object(map)) => {
                if let Some(keys) = rules.integers
                    && map.keys().any(|key| self.is_unsaid(keys, key))
                {
                    self.found.push(Named::IntegerKey);
                }
                for item in map.values() {
                    self.value(&rules.values, item);
                }
            }
            (Kind::Object(rules), Value::Object(map)) => {
                self.fields(&rules.fields, value);
                if let Some(values) = &rules.extra {
                    for item in map.values() {
                        self.value(values, item);
                    }
                }
            }
            (Kind::Union(rules), _) => self.union(rules, value),
            _ => {}
        }
    }

    fn fields(&mut self, fields: &'static [Field], value: &Value) {
        for field in fields {
            match &field.schema.kind {
                Kind::Object(inner) if field.flatten => self.fields(&inner.fields, value),
                _ => {
                    if let Some(inner) = value.get(field.name.part()) {
                        self.value(&field.schema, inner);
                    }
                }
            }
        }
    }

    fn union(&mut self, rules: &'static Union, value: &Value) {
        if matches!(rules.tagging, Tagging::None) && value.is_object() && mixed(rules, value) {
            self.found.push(Named::OtherForm);
        }
        for variant in rules.variants.iter() {
            let Some(content) = &variant.content else {
                continue;
            };
            let inner = match &rules.tagging {
                Tagging::External => value.get(variant.name.part()),
                Tagging::Adjacent { content, .. } => value.get(content.part()),
                Tagging::Internal { .. } | Tagging::None => Some(value),
            };
            if let Some(inner) = inner {
                self.value(content, inner);
            }
        }
    }
}

/// Up to here floats distinguish all whole numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the digits of a whole number are lost.
fn rounded(number: &Number) -> bool {
    number.is_f64()
        && number
            .as_f64()
            .is_some_and(|value| value.fract() == 0.0 && value.abs() >= EXACT)
}

/// Whether any number in the value is beyond the precision of floats.
#[must_use]
pub fn loses_digits(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|value| value.abs() > EXACT),
        Value::Array(items) => items.iter().any(loses_digits),
        Value::Object(map) => map.values().any(loses_digits),
        _ => false,
    }
}

/// Whether every variant whose required keys are given lacks a given key of another variant.
fn mixed(rules: &Union, value: &Value) -> bool {
    let forms = || {
        rules
            .variants
            .iter()
            .filter_map(|variant| variant.content.as_deref())
    };
    let given = |name: &str| value.get(name).is_some();
    let declares = |form: &Schema, key: &str| form.fields().any(|field| *field.name == *key);
    let mut complete = forms().filter(|form| {
        let mut required = form.fields().filter(|field| field.required);
        matches!(form.kind, Kind::Object(_)) && required.all(|field| given(&field.name))
    });
    complete.all(|form| {
        let mut keys = value.as_object().into_iter().flatten();
        keys.any(|(key, value)| {
            !value.is_null() && !declares(form, key) && forms().any(|other| declares(other, key))
        })
    })
}

/// Whether one variant declares a given key and another does not.
fn foreign_key(rules: &Union, value: &Value) -> bool {
    let declares = |content: Option<&Held<Schema>>, key: &str| {
        let has = |content: &Held<Schema>| content.fields().any(|field| *field.name == *key);
        content.is_some_and(has)
    };
    value.as_object().into_iter().flatten().any(|(key, _)| {
        let with = match &rules.tagging {
            Tagging::Adjacent { content, .. } => {
                return **key == **content && rules.variants.iter().any(|v| v.content.is_none());
            }
            _ => rules
                .variants
                .iter()
                .filter(|v| declares(v.content.as_ref(), key))
                .count(),
        };
        with > 0 && with < rules.variants.len()
    })
}
