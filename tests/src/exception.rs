//! Where schema and reader part on purpose. Each name is documented, has a test of its own, and
//! is told from schema and value alone.

use serde_json::{Number, Value};
use toolwright::{
    Dialect, Schema,
    schema::{Field, Kind, Tagging, Union},
};

use crate::shapes::Shape;

/// A documented difference between the emitted schema and the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NamedException {
    /// The ends of 64-bit integers are not in the text of the schema.
    FarEndOfInteger,
    /// Nor is the end of single precision.
    FarEndOfSingle,
    /// A whole number from 2^53 on that is written with a fraction or an exponent, or does not fit
    /// 64 bits: its digits are lost before anybody sees them.
    RoundedInteger,
    /// A number beyond 2^53 that has to be a multiple: the reader takes the decimal as it was
    /// written, a validator the float nearest to it.
    RoundedMultiple,
    /// Addresses and durations are text with a form that only words describe.
    TextForm,
    /// `with` and `validate` run the author's code.
    AuthorRule,
    /// The schema of a type that contains itself is left open at that place.
    Recursion,
    /// `Portable` has one schema for the items of an array, whatever their position.
    TuplePosition,
    /// In `Portable` a union at the root is one flat object, which says less than its variants.
    FlatRoot,
    /// In that flat object a key of one variant has its form beside every other, where it would be
    /// an unknown key of any form.
    FlatRootKey,
    /// An untagged form would drop a key that another form declares: the schema says nothing against
    /// it, and the reader does not guess.
    OtherForm,
    /// Arguments are an object: the schema of a union says so at the root, and the reader would
    /// take the bare name of a variant too.
    RootName,
    /// `null` or an empty text instead of the arguments means that there are none.
    NoArguments,
    /// A key that is given twice; validators see the last one only.
    DuplicateKey,
    /// A number that no float holds, such as 1e999.
    Overflow,
    /// More than 127 levels of nesting.
    Depth,
}

use NamedException as Named;

impl NamedException {
    /// Whether this explains that the reader refuses what the schema accepts (`true`), or the
    /// other way round.
    #[must_use]
    pub fn explains(self, schema_accepts: bool) -> bool {
        match self {
            Self::FlatRootKey | Self::RootName | Self::NoArguments => !schema_accepts,
            Self::RoundedMultiple => true,
            _ => schema_accepts,
        }
    }
}

/// Whether the schema stands for one that is around it.
fn is_again(schema: &Schema) -> bool {
    let said = match schema.kind {
        Kind::Map(map) => map.values.description,
        Kind::Any => schema.description,
        _ => "",
    };
    said == "the same form again"
}

struct Walk<'a> {
    shape: &'a Shape,
    dialect: Dialect,
    /// Whether the shape's schema accepts a value.
    valid: &'a dyn Fn(&Value) -> bool,
    found: Vec<NamedException>,
}

/// The exceptions that a value meets; whole numbers and floats as `serde_json` holds them.
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
                    self.value(rules.items, item);
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
                for item in map.values() {
                    self.value(rules.values, item);
                }
            }
            (Kind::Object(rules), Value::Object(map)) => {
                self.fields(rules.fields, value);
                if let Some(values) = rules.extra {
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
            match field.schema.kind {
                Kind::Object(inner) if field.flatten => self.fields(inner.fields, value),
                _ => {
                    if let Some(inner) = value.get(field.name) {
                        self.value(field.schema, inner);
                    }
                }
            }
        }
    }

    fn union(&mut self, rules: &'static Union, value: &Value) {
        if matches!(rules.tagging, Tagging::None) && value.is_object() && mixed(rules, value) {
            self.found.push(Named::OtherForm);
        }
        for variant in rules.variants {
            let Some(content) = variant.content else {
                continue;
            };
            let inner = match rules.tagging {
                Tagging::External => value.get(variant.name),
                Tagging::Adjacent { content, .. } => value.get(content),
                Tagging::Internal { .. } | Tagging::None => Some(value),
            };
            if let Some(inner) = inner {
                self.value(content, inner);
            }
        }
    }
}

/// Up to here a float tells all whole numbers apart.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Whether the digits of a whole number are lost.
fn rounded(number: &Number) -> bool {
    number.is_f64()
        && number
            .as_f64()
            .is_some_and(|value| value.fract() == 0.0 && value.abs() >= EXACT)
}

/// Whether a number anywhere in the value is beyond what a float tells apart.
#[must_use]
pub fn loses_digits(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|value| value.abs() > EXACT),
        Value::Array(items) => items.iter().any(loses_digits),
        Value::Object(map) => map.values().any(loses_digits),
        _ => false,
    }
}

/// Whether every form whose required keys are given lacks a key that is given for another.
fn mixed(rules: &Union, value: &Value) -> bool {
    let forms = || rules.variants.iter().filter_map(|variant| variant.content);
    let given = |name: &str| value.get(name).is_some();
    let declares = |form: &'static Schema, key: &str| form.fields().any(|field| field.name == key);
    let mut complete = forms().filter(|form| {
        let mut required = form.fields().filter(|field| field.required);
        matches!(form.kind, Kind::Object(_)) && required.all(|field| given(field.name))
    });
    complete.all(|form| {
        let mut keys = value.as_object().into_iter().flatten();
        keys.any(|(key, value)| {
            !value.is_null() && !declares(form, key) && forms().any(|other| declares(other, key))
        })
    })
}

/// Whether a key stands in the object that one variant declares and another does not.
fn foreign_key(rules: &Union, value: &Value) -> bool {
    let declares = |content: Option<&'static Schema>, key: &str| {
        content.is_some_and(|content| content.fields().any(|field| field.name == key))
    };
    value.as_object().into_iter().flatten().any(|(key, _)| {
        let with = match rules.tagging {
            Tagging::Adjacent { content, .. } => {
                return key == content && rules.variants.iter().any(|v| v.content.is_none());
            }
            _ => rules
                .variants
                .iter()
                .filter(|v| declares(v.content, key))
                .count(),
        };
        with > 0 && with < rules.variants.len()
    })
}
